import type { ClockPace, Steps } from "../kit/loop-turns.js";
import { BodyChunks } from "./body-chunks.js";

/** Lists of at least this length are written row by row. */
const LONG_LIST_MIN = 64;
/**
 * Depth to which an answer is searched for long lists: the answer itself, its members, and the members of its members.
 * Deeper lists are short: at most 20 rows or 100 names.
 */
const DEPTH_MAX = 3;
/** Number of rows between two readings of the clock. */
const ROWS_PER_LOOK = 32;

/**
 * Cached JSON of the rows of long lists. The rows of a view stay the same objects while its generation is served, so a
 * filter or another page of the list reuses their texts.
 */
const rowTexts = new WeakMap<object, string>();

/** Encodes an answer as UTF-8 JSON, byte for byte like `JSON.stringify`, but yields to the event loop in long lists. */
export function* jsonBodySteps(value: unknown, pace: ClockPace): Steps<Buffer> {
  const body = new BodyChunks();
  yield* writeSteps(body, value, 0, pace);
  return body.joined();
}

function* writeSteps(body: BodyChunks, value: unknown, depth: number, pace: ClockPace): Steps<void> {
  if (depth < DEPTH_MAX && Array.isArray(value) && value.length >= LONG_LIST_MIN) yield* listSteps(body, value, pace);
  else if (depth < DEPTH_MAX && isPlainObject(value)) yield* objectSteps(body, value, depth, pace);
  else body.add(textOf(value));
}

function* objectSteps(
  body: BodyChunks,
  holder: Readonly<Record<string, unknown>>,
  depth: number,
  pace: ClockPace,
): Steps<void> {
  let separator = "{";
  for (const [key, member] of Object.entries(holder)) {
    if (member === undefined) continue;
    body.add(`${separator}${JSON.stringify(key)}:`);
    yield* writeSteps(body, member, depth + 1, pace);
    separator = ",";
  }
  body.add(separator === "{" ? "{}" : "}");
}

function* listSteps(body: BodyChunks, rows: readonly unknown[], pace: ClockPace): Steps<void> {
  let separator = "[";
  for (const [index, row] of rows.entries()) {
    body.add(separator + (typeof row === "object" && row !== null ? rowText(row) : textOf(row)));
    separator = ",";
    if (index % ROWS_PER_LOOK === 0 && pace.isOver) yield;
  }
  body.add("]");
}

/** The JSON of a row: the same text as in a JSON answer. */
export function rowText(row: object): string {
  let text = rowTexts.get(row);
  if (text === undefined) {
    text = textOf(row);
    rowTexts.set(row, text);
  }
  return text;
}

function textOf(value: unknown): string {
  return JSON.stringify(value) ?? "null";
}

function isPlainObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && Object.getPrototypeOf(value) === Object.prototype;
}

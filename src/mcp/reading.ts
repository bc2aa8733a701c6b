import { cutText } from "../kit/cut-text.js";
import type { CallAnswer, Caller } from "./caller.js";
import { type Budget, delivered } from "./delivered.js";
import type { ToolResult } from "./tool.js";

/** A GET that a tool sends to read data. */
export interface Reading {
  readonly target: string;
  /** Titles of the upstream sources behind the answer. */
  readonly publishers?: readonly string[];
  /** Name of the members to leave out of the answer, at every depth. */
  readonly without?: string;
  readonly advice: string;
}

/** Calls the API and delivers the answer. */
export async function read(call: Caller, reading: Reading, budget: Budget): Promise<ToolResult> {
  return readAnswer(await call({ method: "GET", target: reading.target }), reading, budget);
}

/** Delivers the answer to a call of the API. An error of the API becomes an error of the tool. */
export function readAnswer(answer: CallAnswer, reading: Reading, budget: Budget): ToolResult {
  if (answer.status >= 400) return refused(answer, reading.target);
  const { target, publishers, without, advice } = reading;
  const text = without === undefined ? jsonOf(answer) : withoutMember(answer.text, without);
  return delivered({ question: target, head: headOf(answer, target, publishers), text, advice }, budget);
}

/**
 * Builds the head of a tool's answer from a call's answer: state, generation and source, and other facts from the
 * headers.
 */
export function headOf({ headers }: CallAnswer, request: string, publishers: readonly string[] = []): object {
  return {
    // An answer without this header has live data: account data and the state of the service do not come from
    // snapshots.
    state: headers["X-Vigil-State"] ?? "live",
    generation: headers["X-Vigil-Generation"] ?? null,
    source: { ...sourceOf(request), ...(publishers.length > 0 && { publishers }) },
    ...(headers["X-Vigil-Data"] === "simulated" && { simulated: true }),
    ...(headers["Last-Modified"] && { lastModified: headers["Last-Modified"] }),
    ...(headers["X-Vigil-Notice"] && { notice: headers["X-Vigil-Notice"] }),
  };
}

/**
 * An error of more than `bytesMax` bytes is cut to `characters` characters. The cut text fits into `bytesMax`, because
 * a character takes at most six bytes.
 */
const REFUSAL = { bytesMax: 1_000, characters: 160 };
/** Maximum length of the request that an answer quotes as its source. A longer one is shortened. */
const REQUEST_CHARACTERS_MAX = 400;

/** Returns the `source` of an answer: its request, shortened if it is too long to quote. */
export function sourceOf(request: string): { readonly request: string } {
  return {
    request: request.length > REQUEST_CHARACTERS_MAX ? `${cutText(request, REQUEST_CHARACTERS_MAX)}…` : request,
  };
}

/** Builds the result for a call that the service refused, with the error in the words of the service. */
export function refused({ status, headers, text }: CallAnswer, request: string): ToolResult {
  const isLong = Buffer.byteLength(JSON.stringify(text)) > REFUSAL.bytesMax;
  const error = isLong ? cutText(text, REFUSAL.characters) : parsed(text);
  const retryAfter = headers["Retry-After"];
  const label = headers["X-Vigil-Data"] === "simulated" ? { simulated: true } : {};
  const body = {
    status,
    error,
    source: sourceOf(request),
    ...(retryAfter && { retryAfterSeconds: Number(retryAfter) }),
  };
  return { text: JSON.stringify({ ...body, ...label }), isError: true };
}

/** Returns the answer as JSON. Text that is not JSON, such as CSV or NDJSON, becomes a single string. */
function jsonOf(answer: CallAnswer): string {
  return isJson(answer) ? answer.text : JSON.stringify(answer.text);
}

/** True for an answer in JSON, GeoJSON or JSON Feed. */
export function isJson({ headers }: CallAnswer): boolean {
  const type = headers["Content-Type"] ?? "";
  return type.includes("json") && !type.includes("ndjson");
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

/** Removes the members of this name from the JSON, at every depth. */
function withoutMember(text: string, name: string): string {
  return JSON.stringify(JSON.parse(text, (key, value: unknown) => (key === name ? undefined : value)));
}

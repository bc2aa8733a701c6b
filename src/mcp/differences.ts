import { visitSteps } from "../kit/list-steps.js";
import type { ClockPace, Steps } from "../kit/loop-turns.js";
import { sameJson } from "../kit/same-json.js";

/** A difference between two answers. Without `from`, the value was added; without `to`, it was removed. */
export interface Difference {
  /** A JMESPath-like path in which the identity of a row takes the place of its index. */
  readonly path: string;
  readonly from?: unknown;
  readonly to?: unknown;
}

interface Comparison {
  readonly pace: ClockPace;
  /** Called for every difference. If it throws, the comparison ends. */
  readonly add: (difference: Difference) => void;
}

/**
 * Reports the differences between two JSON values, in the order of the first value. Members and rows come last if only
 * the second value has them. Yields whenever the time slice is over.
 */
export function* differenceSteps({ from, to, path }: Required<Difference>, comparison: Comparison): Steps<void> {
  if (sameJson(from, to)) return;
  if (isObject(from) && isObject(to)) yield* inMembers(from, to, path, comparison);
  else if (Array.isArray(from) && Array.isArray(to)) yield* inRows(from, to, path, comparison);
  else comparison.add({ path: path || "@", from, to });
}

type Members = Readonly<Record<string, unknown>>;

function isObject(value: unknown): value is Members {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function* inMembers(from: Members, to: Members, path: string, comparison: Comparison): Steps<void> {
  for (const name of new Set([...Object.keys(from), ...Object.keys(to)])) {
    const difference = { path: path === "" ? name : `${path}.${name}`, from: from[name], to: to[name] };
    yield* between(difference, comparison);
  }
}

/** Compares two values, of which one may be undefined. */
function* between(difference: Required<Difference>, comparison: Comparison): Steps<void> {
  const { path, from, to } = difference;
  if (from !== undefined && to !== undefined) yield* differenceSteps(difference, comparison);
  else if (to !== undefined) comparison.add({ path, to });
  else if (from !== undefined) comparison.add({ path, from });
  if (comparison.pace.isOver) yield;
}

/**
 * Compares the rows that have the same identity. If no member identifies the rows, their whole content is their
 * identity.
 */
function* inRows(from: readonly unknown[], to: readonly unknown[], path: string, comparison: Comparison): Steps<void> {
  const { pace } = comparison;
  const member = yield* identityOf([from, to], pace);
  const keyOf = (row: unknown): string =>
    member === undefined ? JSON.stringify(row) : String((row as Members)[member]);
  const [before, after] = [yield* byKey(from, keyOf, pace), yield* byKey(to, keyOf, pace)];
  for (const key of keysOf(before, after)) {
    const [own = [], other = []] = [before.get(key), after.get(key)];
    const rowPath = member === undefined ? `${path}[]` : `${path}[?${member}=='${key}']`;
    const count = Math.max(own.length, other.length);
    for (let at = 0; at < count; at += 1) {
      yield* between({ path: rowPath, from: own[at], to: other[at] }, comparison);
    }
  }
}

type Groups = ReadonlyMap<string, readonly unknown[]>;

function* keysOf(before: Groups, after: Groups): Generator<string> {
  yield* before.keys();
  for (const key of after.keys()) if (!before.has(key)) yield key;
}

function* byKey(rows: readonly unknown[], keyOf: (row: unknown) => string, pace: ClockPace): Steps<Groups> {
  const groups = new Map<string, unknown[]>();
  yield* visitSteps(rows, pace, (row) => {
    const key = keyOf(row);
    const group = groups.get(key);
    if (group) group.push(row);
    else groups.set(key, [row]);
  });
  return groups;
}

/** Maximum number of members that are tried as the identity of rows. */
const NAMES_MAX = 32;

/** Finds a member that is a string in every row and differs between all rows of the same list. Tries `id` first. */
function* identityOf(lists: readonly (readonly unknown[])[], pace: ClockPace): Steps<string | undefined> {
  const first = lists.find((rows) => rows.length > 0)?.[0];
  // Rows that are not objects have no identity.
  if (!isObject(first)) return undefined;
  const names = ["id", ...Object.keys(first).filter((name) => name !== "id")].slice(0, NAMES_MAX);
  for (const name of names) if (yield* isIdentity(lists, name, pace)) return name;
  return undefined;
}

/** Ends at the first row without a string of its own. */
function* isIdentity(lists: readonly (readonly unknown[])[], name: string, pace: ClockPace): Steps<boolean> {
  for (const rows of lists) {
    const values = new Set<string>();
    for (const row of rows) {
      const value = isObject(row) ? row[name] : undefined;
      if (typeof value !== "string" || values.has(value)) return false;
      values.add(value);
      if (values.size % ROWS_PER_LOOK === 0 && pace.isOver) yield;
    }
  }
  return true;
}

const ROWS_PER_LOOK = 128;

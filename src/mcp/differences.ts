import { sameJson } from "../kit/same-json.js";

/** A difference between two answers. Without `from`, the value was added; without `to`, it was removed. */
export interface Difference {
  /** A JMESPath-like path in which the identity of a row takes the place of its index. */
  readonly path: string;
  readonly from?: unknown;
  readonly to?: unknown;
}

/**
 * Returns the differences between two JSON values, in the order of the first value. Members and rows come last if only
 * the second value has them.
 */
export function differencesOf(from: unknown, to: unknown, path = ""): readonly Difference[] {
  if (sameJson(from, to)) return [];
  if (isObject(from) && isObject(to)) return inMembers(from, to, path);
  if (Array.isArray(from) && Array.isArray(to)) return inRows(from, to, path);
  return [{ path: path || "@", from, to }];
}

type Members = Readonly<Record<string, unknown>>;

function isObject(value: unknown): value is Members {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function inMembers(from: Members, to: Members, path: string): readonly Difference[] {
  const names = [...new Set([...Object.keys(from), ...Object.keys(to)])];
  return names.flatMap((name) => between(from[name], to[name], path === "" ? name : `${path}.${name}`));
}

function between(from: unknown, to: unknown, path: string): readonly Difference[] {
  if (from === undefined) return to === undefined ? [] : [{ path, to }];
  return to === undefined ? [{ path, from }] : differencesOf(from, to, path);
}

/**
 * Compares the rows that have the same identity. If no member identifies the rows, their whole content is their
 * identity.
 */
function inRows(from: readonly unknown[], to: readonly unknown[], path: string): readonly Difference[] {
  const member = identityOf([from, to]);
  const keyOf = (row: unknown): string =>
    member === undefined ? JSON.stringify(row) : String((row as Members)[member]);
  const [before, after] = [byKey(from, keyOf), byKey(to, keyOf)];
  const keys = [...new Set([...before.keys(), ...after.keys()])];
  return keys.flatMap((key) => {
    const [own = [], other = []] = [before.get(key), after.get(key)];
    const rowPath = member === undefined ? `${path}[]` : `${path}[?${member}=='${key}']`;
    const count = Math.max(own.length, other.length);
    return Array.from({ length: count }, (_, at) => between(own[at], other[at], rowPath)).flat();
  });
}

function byKey(rows: readonly unknown[], keyOf: (row: unknown) => string): ReadonlyMap<string, readonly unknown[]> {
  const groups = new Map<string, unknown[]>();
  for (const row of rows) {
    const key = keyOf(row);
    const group = groups.get(key);
    if (group) group.push(row);
    else groups.set(key, [row]);
  }
  return groups;
}

/** Finds a member that is a string in every row and differs between all rows of the same list. Tries `id` first. */
function identityOf(lists: readonly (readonly unknown[])[]): string | undefined {
  const first = lists.flat().find(isObject) ?? {};
  const names = ["id", ...Object.keys(first).filter((name) => name !== "id")];
  return names.find((name) => lists.every((rows) => isIdentity(rows, name)));
}

function isIdentity(rows: readonly unknown[], name: string): boolean {
  const values = rows.map((row) => (isObject(row) ? row[name] : undefined));
  return values.every((value) => typeof value === "string") && new Set(values).size === values.length;
}

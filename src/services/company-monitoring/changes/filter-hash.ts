import { createHash } from "node:crypto";

/** The filters of a list as they were decoded: full names, in any order. */
export type Filters = Readonly<Record<string, readonly string[]>>;

/**
 * Returns the digest of the filters of a list: 64 hex characters, equal for equal filters in any order and with
 * repetitions.
 */
export function filterHash(filters: Filters): string {
  const canonical = Object.entries(filters)
    .filter(([, values]) => values.length > 0)
    .map(([name, values]) => [name, [...new Set(values)].sort()] as const)
    .sort(([a], [b]) => (a < b ? -1 : 1));
  return createHash("sha256").update(JSON.stringify(canonical)).digest("hex");
}

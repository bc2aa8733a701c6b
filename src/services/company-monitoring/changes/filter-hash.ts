import { createHash } from "node:crypto";

/** The decoded values of each filter of a list, by the name of the filter. The order has no meaning. */
export type Filters = Readonly<Record<string, readonly string[]>>;

/**
 * Returns the digest of the filters of a list: 64 hex characters. The digest does not depend on the order of the
 * filters or of their values. Repeated values and filters without values do not change it.
 */
export function filterHash(filters: Filters): string {
  const canonical = Object.entries(filters)
    .filter(([, values]) => values.length > 0)
    .map(([name, values]) => [name, [...new Set(values)].sort()] as const)
    .sort(([a], [b]) => (a < b ? -1 : 1));
  return createHash("sha256").update(JSON.stringify(canonical)).digest("hex");
}

import type { ChangeLog, LogEntry } from "../../../contract/change-log.js";
import type { Violation } from "../../../contract/failures.js";

/** The values that an endpoint accepts, by facet. A facet that is not listed admits every value. */
export type EndpointFilters = Readonly<Record<string, readonly string[]>>;

/**
 * Returns a violation for each filtered facet that no log has, and for each facet with a value that no log admits. If a
 * log has a facet but no list of its values, the log admits every value.
 */
export function filterViolations(filters: EndpointFilters, logs: readonly ChangeLog[]): readonly Violation[] {
  return Object.entries(filters).flatMap(([facet, values]) => {
    const logsWithFacet = logs.filter((log) => Object.hasOwn(log.facets, facet));
    const field = `filters.${facet}`;
    if (logsWithFacet.length === 0) {
      const facets = [...new Set(logs.flatMap((log) => Object.keys(log.facets)))];
      const description =
        facets.length > 0
          ? `must be a facet of the events: ${facets.join(", ")}`
          : "must be absent, because the events have no facets";
      return [{ field, description }];
    }
    const valueLists = logsWithFacet.map((log) => log.facets[facet]);
    const isKnown = (value: string): boolean => valueLists.some((list) => list === undefined || list.includes(value));
    const names = [...new Set(valueLists.flatMap((list) => list ?? []))];
    return values.every(isKnown) ? [] : [{ field, description: `each must be one of ${names.join(", ")}` }];
  });
}

/**
 * True if the filters admit the entry. Filters on facets that the entry lacks are ignored, because they concern other
 * events.
 */
export function isAdmitted({ facets }: Pick<LogEntry, "facets">, filters: EndpointFilters): boolean {
  return Object.entries(filters).every(([facet, values]) => {
    const value = facets[facet];
    return value === undefined || values.includes(value);
  });
}

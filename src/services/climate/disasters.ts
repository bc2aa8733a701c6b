import type { ClimateDisaster, StoredDisaster } from "./records.js";

const SERVED_MAX = 300;

/** The disasters that are served: each once, newest first. */
export function disastersOf(stored: readonly StoredDisaster[]): readonly ClimateDisaster[] {
  return firstBy(
    firstBy(stored, ({ id }) => id),
    eventKey,
  )
    .toSorted((a, b) => timeOf(b) - timeOf(a) || a.id.localeCompare(b.id))
    .slice(0, SERVED_MAX)
    .map(({ observedAt: _observedAt, ...disaster }) => disaster);
}

/** The first item of every key. */
function firstBy<T>(items: readonly T[], keyOf: (item: T) => string): readonly T[] {
  const seen = new Set<string>();
  return items.filter((item) => {
    const key = keyOf(item);
    return !seen.has(key) && seen.add(key);
  });
}

/** When it began, or where that is unknown when it was last seen; epoch ms. */
function timeOf({ startedAt, observedAt }: StoredDisaster): number {
  return startedAt ?? observedAt;
}

/** What two sources that tell of one event have in common. */
function eventKey(disaster: StoredDisaster): string {
  const day = new Date(timeOf(disaster)).toISOString().slice(0, 10);
  const name = disaster.name.toLowerCase().replace(/\s+/g, " ").trim();
  return [disaster.type, disaster.countryCode ?? disaster.country.toLowerCase(), name, day].join("|");
}

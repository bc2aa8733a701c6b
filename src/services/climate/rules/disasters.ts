import { among, type RowTally, silentTally } from "../../../contract/row-tally.js";
import type { ClimateDisaster, StoredDisaster } from "../records.js";

const SERVED_MAX = 300;

/** Builds the served disasters: without duplicates, newest first, at most `SERVED_MAX`. */
export function disastersOf(
  stored: readonly StoredDisaster[],
  tally: RowTally = silentTally,
): readonly ClimateDisaster[] {
  const distinct = firstBy(
    firstBy(stored, ({ id }) => [id]),
    eventKeys,
  );
  const once = tally.narrowed("duplicate of an earlier event", stored, distinct, among(distinct));
  const newestFirst = once.toSorted((a, b) => timeOf(b) - timeOf(a) || a.id.localeCompare(b.id));
  return tally
    .first("beyond the newest 300", newestFirst, SERVED_MAX)
    .map(({ observedAt: _observedAt, ...disaster }) => disaster);
}

/** Drops items that share a key with an earlier item, even if that item was dropped too. */
function firstBy<T>(items: readonly T[], keysOf: (item: T) => readonly string[]): readonly T[] {
  const seen = new Set<string>();
  return items.filter((item) => {
    const keys = keysOf(item);
    const isFirst = keys.every((key) => !seen.has(key));
    for (const key of keys) seen.add(key);
    return isFirst;
  });
}

/** Returns the start of a disaster, or the last observation if the start is unknown; epoch ms. */
function timeOf({ startedAt, observedAt }: StoredDisaster): number {
  return startedAt ?? observedAt;
}

/** Returns one key for each country of a disaster. Reports with a key in common are treated as the same event. */
function eventKeys(disaster: StoredDisaster): readonly string[] {
  const day = new Date(timeOf(disaster)).toISOString().slice(0, 10);
  const name = disaster.name.toLowerCase().replace(/\s+/g, " ").trim();
  const countries = disaster.countryCodes ?? [disaster.countryCode ?? disaster.country.toLowerCase()];
  return countries.map((country) => [disaster.type, country, name, day].join("|"));
}

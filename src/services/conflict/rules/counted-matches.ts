import type { Rows } from "../../../contract/paging.js";
import type { RowTally } from "../../../contract/row-tally.js";
import { countryKey } from "../../../geography/country-key.js";
import type { EventIndex, Span } from "./event-index.js";

export const allTime: Span = { first: Number.NEGATIVE_INFINITY, last: Number.POSITIVE_INFINITY };

/**
 * Finds the events of a country that overlap a span. Records in `tally` how many events each filter (country, start,
 * end) excludes.
 */
export function countedMatches<T extends { readonly country: string }>(
  index: EventIndex<T>,
  { country, first, last }: Span & { readonly country: string },
  tally: RowTally,
): Rows<T> {
  const matches = index.find(country, { first, last });
  if (!tally.isCounting) return matches;
  const all = tally.whole(index.find("", allTime));
  const own = index.find(country, allTime);
  const since = index.find(country, { first, last: allTime.last });
  const key = countryKey(country);
  tally.narrowed("country", all, own, (event) => countryKey(event.country) === key);
  tally.narrowed("start", own, since, (event) => index.spanOf(event).last >= first);
  return tally.narrowed("end", since, matches, (event) => first <= last && index.spanOf(event).first <= last);
}

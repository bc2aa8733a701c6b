import { Type } from "typebox";
import { epochMs } from "../../../contract/field.js";
import { operation } from "../../../contract/operation.js";
import { pageSize } from "../../../contract/query-field.js";
import type { AvailableSnapshot } from "../../../contract/snapshot.js";
import { listKeys, type SanctionsView, sanctionsLists } from "../datasets/sanctions-lists.js";
import { CountrySanctionsPressure, type ListKey, ProgramSanctionsPressure, SanctionsEntry } from "../records.js";
import { ENTRIES_MAX } from "../rules/pressure.js";

const ENTRIES_DEFAULT = 25;

const count = (description: string) =>
  Type.Optional(Type.Integer({ format: "int32", description: `${description}; absent if unknown` }));

const maxItems = {
  ...pageSize(ENTRIES_MAX, ENTRIES_DEFAULT),
  description: `Maximum number of \`entries\`, default ${ENTRIES_DEFAULT}; more than ${ENTRIES_MAX} counts as ${ENTRIES_MAX}`,
};

/** The newest entries of the sanctions lists, with counts. Sources: OFAC, Global Affairs Canada, UN. */
export const listSanctionsPressure = operation({
  rpc: "list-sanctions-pressure",
  summary: "Newest entries of the sanctions lists, with counts by country and programme",
  description:
    "The newest entries, and the counts of all entries by country and programme, from OFAC, Canada and the UN. If the count of a list is absent, the list is not stored, and the count is unknown, not 0. `semaError` is present if Canada's list could not be read; its last good rows are served.",
  cache: "daily",
  tier: 1,
  // Any attempt to read the lists can change the answer: dates and failures change even if the content does not.
  showsAttempts: true,
  reads: { stored: sanctionsLists },
  query: { maxItems },
  response: Type.Object(
    {
      entries: Type.Array(SanctionsEntry, { description: "New entries first, then by listing date, newest first" }),
      countries: Type.Array(CountrySanctionsPressure, { maxItems: 12, description: "Countries with the most entries" }),
      programs: Type.Array(ProgramSanctionsPressure, { maxItems: 12, description: "Programmes with the most entries" }),
      fetchedAt: Type.Optional(epochMs("Time of collection; absent without data")),
      datasetDate: Type.Optional(epochMs("Date of the newest list; absent if no list has one")),
      totalCount: count("Number of entries in all lists"),
      sdnCount: count("Number of entries in OFAC SDN"),
      consolidatedCount: count("Number of entries in OFAC Consolidated"),
      semaCount: count("Number of entries in Canada's list"),
      semaError: Type.Optional(
        Type.String({ description: "The reason why Canada's list could not be read in this build" }),
      ),
      unCount: count("Number of entries in the UN list"),
      newEntryCount: count("Number of entries that are new in this build"),
      vesselCount: count("Number of vessels in all lists"),
      aircraftCount: count("Number of aircraft in all lists"),
    },
    { title: "ListSanctionsPressureResponse" },
  ),
  list: { rows: "entries", identity: ({ id }) => id },
  examples: [{}, { max_items: "5" }, { jmespath: "countries[:3].[countryName, entryCount]" }],
  run({ maxItems }, { stored }, { tally }) {
    if (!stored.available) return { entries: [], countries: [], programs: [] };
    const { pressure, lists } = stored.view;
    const dates = listKeys.flatMap((key) => lists[key].publishedAt ?? []);
    const semaError = stored.parts["sema"]?.error ?? undefined;
    const counted = (key: ListKey) => countOf(stored, key);
    const [sdn, consolidated, sema, un] = listKeys.map(counted);
    return {
      entries: tally.first("maxItems", tally.whole(pressure.entries), maxItems),
      countries: [...pressure.countries],
      programs: [...pressure.programs],
      fetchedAt: stored.builtAt,
      ...(dates.length > 0 && { datasetDate: Math.max(...dates) }),
      totalCount: pressure.totals.entries,
      ...(sdn !== undefined && { sdnCount: sdn }),
      ...(consolidated !== undefined && { consolidatedCount: consolidated }),
      ...(sema !== undefined && { semaCount: sema }),
      ...(semaError !== undefined && { semaError }),
      ...(un !== undefined && { unCount: un }),
      newEntryCount: pressure.totals.fresh,
      vesselCount: pressure.totals.vessels,
      aircraftCount: pressure.totals.aircraft,
    };
  },
});

/** Returns the number of entries of a list; undefined (not 0) if the list is not stored. */
function countOf({ view }: AvailableSnapshot<SanctionsView>, key: ListKey): number | undefined {
  return view.lists[key].entryCount || undefined;
}

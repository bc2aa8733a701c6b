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
  Type.Optional(Type.Integer({ format: "int32", description: `${description}; absent where it is unknown` }));

const maxItems = {
  ...pageSize(ENTRIES_MAX),
  description: `Rows in \`entries\`; default ${ENTRIES_DEFAULT}, more than ${ENTRIES_MAX} counts as ${ENTRIES_MAX}`,
};

/** The sanctions lists and what is new in them. Sources: OFAC, Global Affairs Canada, UN. */
export const listSanctionsPressure = operation({
  rpc: "list-sanctions-pressure",
  summary: "New entries of the sanctions lists, with counts by country and programme",
  description:
    "The newest entries, and the counts of all entries by country and programme, from OFAC, Canada and the UN. A count that is absent is unknown, not 0: its list is not stored. `semaError` tells that Canada's list could not be read and its last good rows were kept.",
  cache: "daily",
  tier: 1,
  // The dates and failures of the lists change without their content.
  showsAttempts: true,
  reads: { stored: sanctionsLists },
  query: { maxItems },
  response: Type.Object(
    {
      entries: Type.Array(SanctionsEntry, { description: "New ones first, then by listing date" }),
      countries: Type.Array(CountrySanctionsPressure, { maxItems: 12, description: "Countries with the most entries" }),
      programs: Type.Array(ProgramSanctionsPressure, { maxItems: 12, description: "Programmes with the most entries" }),
      fetchedAt: Type.Optional(epochMs("When the lists were collected; absent without data")),
      datasetDate: Type.Optional(epochMs("Date of the newest list; absent where no list gives one")),
      totalCount: count("Entries of all lists"),
      sdnCount: count("Entries of OFAC SDN"),
      consolidatedCount: count("Entries of OFAC Consolidated"),
      semaCount: count("Entries of Canada's list"),
      semaError: Type.Optional(Type.String({ description: "Why Canada's list could not be read in this build" })),
      unCount: count("Entries of the UN list"),
      newEntryCount: count("Entries that the build before did not hold"),
      vesselCount: count("Vessels"),
      aircraftCount: count("Aircraft"),
    },
    { title: "ListSanctionsPressureResponse" },
  ),
  examples: [{}, { max_items: "5" }, { jmespath: "countries[:3].[countryName, entryCount]" }],
  run({ maxItems }, { stored }) {
    if (!stored.available) return { entries: [], countries: [], programs: [] };
    const { pressure, lists } = stored.view;
    const dates = listKeys.flatMap((key) => lists[key].publishedAt ?? []);
    const semaError = stored.parts["sema"]?.error ?? undefined;
    const counted = (key: ListKey) => countOf(stored, key);
    const [sdn, consolidated, sema, un] = listKeys.map(counted);
    return {
      entries: pressure.entries.slice(0, maxItems),
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

/** Entries of a list; undefined where none of it is stored, which is no count of 0. */
function countOf({ view }: AvailableSnapshot<SanctionsView>, key: ListKey): number | undefined {
  return view.lists[key].entryCount || undefined;
}

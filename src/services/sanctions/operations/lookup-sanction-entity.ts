import { Type } from "typebox";
import { operation } from "../../../contract/operation.js";
import { countUpTo, textOfLength } from "../../../contract/value-fields.js";
import { sanctionsLists } from "../datasets/sanctions-lists.js";
import { SanctionEntityMatch, SearchedList } from "../records.js";
import { searchedLists } from "../rules/searched-lists.js";

const SHOWN_MAX = 3;

/** Entries of the sanctions lists by name, the best match first. Sources: OFAC, Global Affairs Canada, UN. */
export const lookupSanctionEntity = operation({
  rpc: "lookup-sanction-entity",
  summary: "Search of the sanctions lists by name",
  description:
    "Best match first, by name and alias. A match is a name to be checked, not an identity. No match says only that the lists named in `lists`, as of their dates, hold no such name; other lists may. `dataAvailable: false`: no list is stored and nothing was searched.",
  cache: "no-store",
  // The dates and failures of the lists change without their content.
  showsAttempts: true,
  reads: { stored: sanctionsLists },
  query: {
    q: textOfLength("Name or part of it", { minLength: 2, maxLength: 200 }),
    maxResults: countUpTo("Matches in the answer", { max: 50, fallback: 10 }),
  },
  response: Type.Object(
    {
      results: Type.Array(SanctionEntityMatch, { description: "Best match first" }),
      total: Type.Integer({ format: "int32", description: "All matches, not only those in `results`" }),
      source: Type.String({ description: "`local-lists`: the stored lists were searched" }),
      dataAvailable: Type.Boolean({ description: "False where no list is stored and nothing was searched" }),
      lists: Type.Array(SearchedList, { description: "Every list, with the date of what was searched" }),
    },
    { title: "LookupSanctionEntityResponse" },
  ),
  examples: [
    { q: "bank" },
    { q: "simulated", max_results: "3" },
    { q: "bank", jmespath: "[total, results[].name, lists[].name]" },
  ],
  run({ q, maxResults }, { stored }) {
    if (!stored.available) return { results: [], total: 0, source: "local-lists", dataAvailable: false, lists: [] };
    const { matches, total } = stored.view.names.search(q, maxResults);
    return {
      results: matches.map(({ entity, score, matchedName }) => ({
        id: entity.id,
        name: entity.name,
        entityType: entity.type,
        countryCodes: (entity.countries ?? []).slice(0, SHOWN_MAX),
        programs: entity.programs.slice(0, SHOWN_MAX),
        score,
        matchedName,
      })),
      total,
      source: "local-lists",
      dataAvailable: true,
      lists: searchedLists(stored),
    };
  },
});

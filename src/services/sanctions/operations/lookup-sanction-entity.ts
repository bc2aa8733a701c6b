import { Type } from "typebox";
import { operation } from "../../../contract/operation.js";
import { countUpTo, textOfLength } from "../../../contract/value-fields.js";
import { sanctionsLists } from "../datasets/sanctions-lists.js";
import { SanctionEntityMatch, SearchedList } from "../records.js";
import { searchedLists } from "../rules/searched-lists.js";

const SHOWN_MAX = 3;

/** Searches the sanctions lists by name, best match first. Sources: OFAC, Global Affairs Canada, UN. */
export const lookupSanctionEntity = operation({
  rpc: "lookup-sanction-entity",
  summary: "Search the sanctions lists by name",
  description:
    "Matches by name and alias, best first. A match is a name to verify, not an identity. No match means only that the lists in `lists`, as of their dates, have no such name; other lists may have it. `dataAvailable: false` means that no list is stored and nothing was searched.",
  cache: "no-store",
  // Any attempt to read the lists can change the answer: dates and failures change even if the content does not.
  showsAttempts: true,
  reads: { stored: sanctionsLists },
  query: {
    q: textOfLength("Name or part of a name", { minLength: 2, maxLength: 200 }),
    maxResults: countUpTo("Maximum number of matches", { max: 50, fallback: 10 }),
  },
  response: Type.Object(
    {
      results: Type.Array(SanctionEntityMatch, { description: "Best match first" }),
      total: Type.Integer({ format: "int32", description: "Number of all matches, not only those in `results`" }),
      source: Type.String({ description: "`local-lists`: the stored lists were searched" }),
      dataAvailable: Type.Boolean({ description: "False if no list is stored and nothing was searched" }),
      lists: Type.Array(SearchedList, { description: "Every list, with the date of the searched version" }),
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

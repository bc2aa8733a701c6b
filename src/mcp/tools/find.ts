import { Type } from "typebox";
import type { Catalogue } from "../catalogue.js";
import { delivered } from "../delivered.js";
import { type Hit, type Search, searchOf } from "../search.js";
import { argumentsOf, budgetMembers, tool } from "../tool.js";

const HITS = { minimum: 1, maximum: 30, default: 5 };

const searches = new WeakMap<Catalogue, Search>();

export const find = tool({
  name: "find",
  description:
    "Begin here. Finds operations and datasets by words, e.g. `consumer prices`. Returns names, each with parameters, answer size in bytes and a working jmespath.",
  input: argumentsOf({
    query: Type.String({ maxLength: 500 }),
    limit: Type.Optional(Type.Integer(HITS)),
    ...budgetMembers,
  }),
  isReadOnly: true,
  run({ query, limit = HITS.default, ...budget }, { catalogue }) {
    let search = searches.get(catalogue);
    if (!search) {
      search = searchOf(catalogue);
      searches.set(catalogue, search);
    }
    const hits = search(query, limit);
    const text = JSON.stringify(hits.length > 0 ? hits.map(summaryOf) : catalogue.entries.map(({ name }) => name));
    const note = hits.length > 0 ? {} : { notice: "nothing matches; these are all operations" };
    return delivered(
      { question: `find ${query}`, head: { ...staticHead("find"), ...note }, text, advice: "set limit" },
      budget,
    );
  },
});

/** Returns the head of an answer that comes from the declarations of this version and not from data. */
export function staticHead(name: string): object {
  return { state: "live", generation: null, source: { request: name, publishers: ["the catalogue of this service"] } };
}

function summaryOf({ name, entry, title }: Hit): object {
  if (!entry) return { dataset: name, title };
  const { summary } = entry;
  if (entry.kind === "write") return { name, method: "POST", summary };
  const { declaration, fields, bytes } = entry;
  const projection = declaration.examples.find((example) => "jmespath" in example)?.["jmespath"];
  const params = [...fields].map(([field, { required }]) => `${field}${required ? "*" : ""}`).join(" ");
  return {
    name,
    ...("tier" in declaration && declaration.tier === 1 && { plan: "Pro" }),
    summary,
    ...(params !== "" && { params }),
    ...(bytes !== undefined && { bytes }),
    ...(projection !== undefined && { jmespath: projection }),
  };
}

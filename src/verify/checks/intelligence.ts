import { type DatasetCheck, type Expected, rowsOf } from "../check.js";
import { conflictFacts } from "./country-facts/conflict-facts.js";
import { economicFacts } from "./country-facts/economic-facts.js";
import { environmentFacts } from "./country-facts/environment-facts.js";
import type { Fact, FactCheck } from "./country-facts/fact.js";
import { infrastructureFacts } from "./country-facts/infrastructure-facts.js";
import { peopleFacts } from "./country-facts/people-facts.js";

const factChecks: readonly FactCheck[] = [
  ...conflictFacts,
  ...peopleFacts,
  ...environmentFacts,
  ...infrastructureFacts,
  ...economicFacts,
];

/** Checks the values of the facts on countries, with one check for each kind of fact. */
export const countryFacts: readonly DatasetCheck[] = factChecks.map(
  ({ part, ingredient: name, otherIngredients = [], recompute }) => ({
    dataset: "country-evidence",
    what: `numbers of the facts of ${part}`,
    ingredients: [name, ...otherIngredients],
    recompute(own, ingredient): Expected {
      const facts = rowsOf<Fact>(own, part);
      const stored = ingredient(name);
      // If `country-evidence` was built without the dataset `name`, this part is empty.
      return { [part]: stored ? recompute(stored, facts, ingredient) : [] };
    },
  }),
);

import { ageless } from "../../../contract/content-age.js";
import { listOf, type ProductRecords, product } from "../../../contract/product.js";
import type { RowTally } from "../../../contract/row-tally.js";
import type { PartStatus } from "../../../contract/snapshot.js";
import { countryCodes } from "../../../geography/countries.js";
import { DAY_MS, MINUTE_MS } from "../../../kit/clock.js";
import { visitSteps } from "../../../kit/list-steps.js";
import type { ClockPace, Steps } from "../../../kit/loop-turns.js";
import { mapValues } from "../../../kit/map-values.js";
import type { CountryFacts, EvidenceDraft } from "../rules/evidence/draft.js";
import { type EvidenceIngredients, evidenceReads } from "../rules/evidence/ingredients.js";
import { type Statement, statementNames, statements } from "../rules/evidence/statements.js";
import { subjectOf } from "../rules/subject.js";

/** A fact about a country. */
interface CountryFact extends EvidenceDraft {
  /** ISO 3166-1 alpha-2. */
  readonly countryCode: string;
}

const parts = mapValues(statements, () => listOf<CountryFact>(({ at }) => at, ["countryCode", "kind", "label", "url"]));
type Records = ProductRecords<typeof parts>;

/** Collects the facts about every country, one country per step. */
function* buildSteps(ingredients: EvidenceIngredients, { tally }: { readonly tally: RowTally }): Steps<Records> {
  const records = mapValues(statements, (): CountryFact[] => []);
  for (const countryCode of countryCodes) {
    const subject = subjectOf(countryCode);
    if (!subject) continue;
    for (const name of statementNames) {
      for (const fact of statements[name].state(subject, ingredients)) records[name].push({ countryCode, ...fact });
    }
    yield;
  }
  for (const name of statementNames) tally.made("fact on a country", records[name].length);
  return records;
}

function* viewSteps(records: Records, pace: ClockPace): Steps<CountryFacts> {
  const byCountry = new Map<string, EvidenceDraft[]>();
  for (const name of statementNames) {
    yield* visitSteps(records[name], pace, (fact) => {
      const facts = byCountry.get(fact.countryCode) ?? [];
      facts.push(fact);
      byCountry.set(fact.countryCode, facts);
    });
  }
  return byCountry;
}

/**
 * Returns the status of one kind of data: `off` or `missing` if one of its datasets is unavailable or stale, else
 * `fresh`. `lacking` lists the partial datasets.
 */
function statusOf({ reads }: Statement, ingredients: EvidenceIngredients): PartStatus {
  const partial: string[] = [];
  for (const read of reads) {
    const { name } = evidenceReads[read];
    const ingredient = ingredients[read];
    if (!ingredient.available) {
      return { state: ingredient.isOff ? "off" : "missing", confirmedAt: null, error: `${name}: ${ingredient.reason}` };
    }
    if (ingredient.state === "stale") {
      return { state: "missing", confirmedAt: ingredient.checkedAt, error: `${name} is stale` };
    }
    if (ingredient.state === "partial") partial.push(`${name} is partial`);
  }
  const first = ingredients[reads[0]];
  return {
    state: "fresh",
    confirmedAt: first.available ? first.checkedAt : null,
    error: null,
    ...(partial.length > 0 && { lacking: partial.join(", ") }),
  };
}

/** The evidence of country briefs. */
export const countryEvidence = product({
  name: "country-evidence",
  title: "Evidence on countries",
  description:
    "Facts about every country, drawn from stored news and data, for the country briefs. Each fact has its date, its publisher and a link.",
  cadenceMs: 5 * MINUTE_MS,
  onChange: { spacingMs: MINUTE_MS },
  staleAfterMs: 30 * MINUTE_MS,
  historyWholeMs: 2 * DAY_MS,
  partAges: mapValues(statements, () => ageless("Each fact has a date and an age limit of its own.")),
  gaps: [
    "A dataset that is absent, unreadable or stale yields no facts.",
    "A country without facts is not necessarily quiet. A country may be sanctioned even if the sanctions lists that the service reads have no entry for it.",
    "Prices and yields are known for the United States only.",
  ],
  reads: {},
  optionalReads: evidenceReads,
  parts,
  build: buildSteps,
  partStatuses: (ingredients) => mapValues(statements, (statement) => statusOf(statement, ingredients)),
  gateRule: "at least one fact",
  gate: (records) =>
    statementNames.every((name) => records[name].length === 0) ? "no dataset yields a fact on any country" : undefined,
  view: viewSteps,
  newestAt(records) {
    const times = statementNames.flatMap((name) => records[name].map(({ at }) => at));
    return times.length === 0 ? null : times.reduce((newest, at) => Math.max(newest, at));
  },
});

import { dataset, part, type RecordsOf } from "../../../contract/dataset.js";
import type { Source } from "../../../contract/source.js";
import { HOUR_MS } from "../../../kit/clock.js";
import { visitSteps } from "../../../kit/list-steps.js";
import type { ClockPace, Steps } from "../../../kit/loop-turns.js";
import { type ListedEntity, type ListKey, listNames } from "../records.js";
import { contentAges } from "../rules/content-ages.js";
import { type NameIndex, nameIndexSteps } from "../rules/name-index.js";
import { type Pressure, pressureSteps } from "../rules/pressure.js";
import { withoutNewMarks } from "../rules/whole-list.js";
import type { ListPlan } from "../sources/list-fields.js";
import { ofacConsolidated, ofacSdn } from "../sources/ofac.js";
import { sema } from "../sources/sema.js";
import { unList } from "../sources/un-list.js";

/**
 * Defines the part of one list. While the list cannot be read, its stored version is served, because an old list is
 * better than none.
 */
const list = (source: Source<ListPlan, ListedEntity>) =>
  part<ListedEntity, ListPlan>({
    sources: [source],
    plan: ({ kept }) => ({ stored: kept }),
    carriedOver: withoutNewMarks,
    optional: true,
  });

const parts = {
  sdn: list(ofacSdn),
  consolidated: list(ofacConsolidated),
  sema: list(sema),
  un: list(unList),
};

// The cast is needed because `Object.keys` returns string[].
export const listKeys = Object.keys(listNames) as ListKey[];

interface ListFacts {
  readonly entryCount: number;
  /** Date of the edition, or of the latest listing; undefined if the list has neither. */
  readonly publishedAt: number | undefined;
  /** Number of entries of each country, by alpha-2 code. */
  readonly entriesByCountry: ReadonlyMap<string, number>;
}

export interface SanctionsView {
  readonly names: NameIndex;
  /** The ids of all entries. */
  readonly ids: ReadonlySet<string>;
  readonly pressure: Pressure;
  readonly lists: Readonly<Record<ListKey, ListFacts>>;
}

function* viewSteps(records: RecordsOf<typeof parts>, pace: ClockPace): Steps<SanctionsView> {
  const listed = listKeys.flatMap((key) => records[key].map((entity) => ({ entity, list: key })));
  const names = yield* nameIndexSteps(
    listed.map(({ entity }) => entity),
    pace,
  );
  const ids = new Set<string>();
  yield* visitSteps(listed, pace, ({ entity }) => void ids.add(entity.id));
  const pressure = yield* pressureSteps(listed, pace);
  return {
    names,
    ids,
    pressure,
    lists: {
      sdn: yield* factsSteps(records.sdn, pace),
      consolidated: yield* factsSteps(records.consolidated, pace),
      sema: yield* factsSteps(records.sema, pace),
      un: yield* factsSteps(records.un, pace),
    },
  };
}

function* factsSteps(entities: readonly ListedEntity[], pace: ClockPace): Steps<ListFacts> {
  const entriesByCountry = new Map<string, number>();
  yield* visitSteps(entities, pace, ({ countries = [] }) => {
    for (const country of countries) entriesByCountry.set(country, (entriesByCountry.get(country) ?? 0) + 1);
  });
  return { entryCount: entities.length, publishedAt: newestOf(entities) ?? undefined, entriesByCountry };
}

function newestOf(entities: readonly ListedEntity[]): number | null {
  let newest: number | null = null;
  for (const { publishedAt, listedAt } of entities) {
    const at = publishedAt ?? listedAt;
    if (at !== undefined && at > (newest ?? Number.NEGATIVE_INFINITY)) newest = at;
  }
  return newest;
}

/** The sanctions lists of the United States, Canada and the United Nations. */
export const sanctionsLists = dataset({
  name: "sanctions-lists",
  title: "Sanctions lists",
  description:
    "Persons, organisations, vessels and aircraft under sanctions of the US Treasury (OFAC's SDN and Consolidated lists), of Canada (SEMA) and of the UN Security Council.",
  cadenceMs: 6 * HOUR_MS,
  staleAfterMs: 12 * HOUR_MS,
  partAges: contentAges.sanctionsLists.parts,
  gaps: [
    "The lists of the European Union, the United Kingdom and other states are not read. A name without a match here may be sanctioned there.",
    "An entry in several lists is one row per list. Rows are not joined, because a shared name is not a shared identity.",
    "OFAC's files have neither listing dates nor a date of their own.",
    "The country of an entry in Canada's list is the country that the sanctions regime concerns, not a nationality.",
    "An entry is new in one build only: the first one that has it, if an earlier build had its list. A build that keeps a list, because the list has not changed or could not be read, has no new entries of it.",
    "Names are compared without accents, in the script of the list; they are not transliterated. Apostrophes are ignored, and other punctuation separates words.",
  ],
  parts,
  gateRule:
    "at least one list. A list needs a minimum number of entries: OFAC SDN 750, OFAC Consolidated 20, Canada 280, UN 40. Each minimum is about a twentieth of the list's size in 2026. At most a tenth of OFAC's aliases and addresses may belong to missing entries. No list may lose more than a tenth of its entries in one build. A stored list is kept if its new version breaks one of these rules",
  gate: (records) => (listKeys.every((key) => records[key].length === 0) ? "no list could be read" : undefined),
  view: viewSteps,
  newestAt: (records) => newestOf(listKeys.flatMap((key) => records[key])),
});

import type { Static } from "typebox";
import type { AnyPart } from "../../contract/dataset.js";
import type { Explanation } from "../../contract/explanation.js";
import type { AnyDataset } from "../../contract/product.js";
import type { CountingTally } from "../../contract/row-tally.js";
import type { PartStatus, Snapshot } from "../../contract/snapshot.js";
import type { AnySource } from "../../contract/source.js";
import { cutText } from "../../kit/cut-text.js";
import { type BuildAccount, type PartAccount, WHOLE } from "../../snapshots/builds/build-account.js";
import type { Generation } from "../../snapshots/generation.js";
import type { Loaded } from "../../snapshots/loaded.js";
import type { RequestProvenance } from "../../snapshots/provenance.js";
import { stateReasons } from "../../snapshots/state-reasons.js";
import type { ExplainedQuery } from "../explained-query.js";
import type { Ingredients } from "./ingredients.js";

type Explained = Static<typeof Explanation>;
type ExplainedDataset = Explained["datasets"][number];
type ExplainedSource = ExplainedDataset["sources"][number];

/** Finds a generation in memory or in the store; undefined if it is gone. */
export type LoadedOf = (dataset: AnyDataset, generation: number) => Promise<Loaded | undefined>;

const REASON_CHARACTERS_MAX = 500;

/** Explains an answer, using the rows that were counted while the operation ran. */
export async function explanationOf(
  query: ExplainedQuery,
  { question, snapshots, now }: Ingredients,
  tally: CountingTally,
  loadedOf: LoadedOf,
): Promise<Explained> {
  const datasets = question.reads.flatMap(([name, dataset]) => {
    const snapshot = snapshots[name];
    return snapshot ? [explainedDataset(dataset, snapshot, now, loadedOf)] : [];
  });
  return { ...explainedRows(query, tally), datasets: await Promise.all(datasets) };
}

/** The part of an explanation that is derived from the query and the counted rows. */
function explainedRows(query: ExplainedQuery, tally: CountingTally): Omit<Explained, "datasets"> {
  const byRule = new Map(tally.leftOutRows.map((rows) => [rows.rule, rows]));
  const rules = [...new Set([...query.filters.keys(), ...byRule.keys()])];
  const leftOut = tally.leftOutRows.reduce((sum, { count }) => sum + count, 0);
  return {
    filters: rules.map((rule) => {
      const { name, value } = query.filters.get(rule) ?? query.defaults.get(rule) ?? { name: rule, value: undefined };
      const counted = byRule.get(rule);
      return {
        name,
        ...(value !== undefined && { value }),
        leftOut: counted?.count ?? 0,
        ...(counted && { example: counted.example }),
      };
    }),
    ignored: [...query.ignored],
    defaults: [...query.defaults.values(), ...[...tally.defaults].map(([name, value]) => ({ name, value }))],
    rows: { inSnapshot: tally.wholeCount, leftOut, inList: tally.wholeCount - leftOut },
  };
}

async function explainedDataset(
  dataset: AnyDataset,
  snapshot: Snapshot<unknown>,
  now: number,
  loadedOf: LoadedOf,
): Promise<ExplainedDataset> {
  const { name } = dataset;
  const { state } = snapshot;
  const reason = cutText(stateReasons(dataset, snapshot, now).join("; "), REASON_CHARACTERS_MAX);
  const about = { name, state, ...(reason !== "" && { reason }) };
  if (!snapshot.available) return { ...about, sources: sourcesOf(dataset, undefined, {}) };
  const loaded = await loadedOf(dataset, snapshot.generation);
  const generation = loaded?.generation;
  const builtFrom = generation?.ingredients?.map((ingredient) => `${ingredient.dataset}=${ingredient.generation}`);
  return {
    ...about,
    generation: snapshot.generation,
    builtAt: snapshot.builtAt,
    ...(builtFrom && { builtFrom }),
    sources: sourcesOf(dataset, generation, snapshot.parts),
    ...(generation?.account && { build: explainedBuild(generation.account) }),
    ...(loaded && { lists: explainedLists(loaded) }),
  };
}

type ExplainedBuild = NonNullable<ExplainedDataset["build"]>;

function explainedBuild(account: BuildAccount): ExplainedBuild {
  const parts = Object.entries(account).map(([part, own]) => ({ own, place: part === WHOLE ? {} : { part } }));
  const sumOf = (count: (own: PartAccount) => number): number => parts.reduce((sum, { own }) => sum + count(own), 0);
  return {
    earlier: sumOf(({ earlier }) => earlier),
    read: sumOf(({ read }) => read),
    leftOut: parts.flatMap(({ own, place }) => own.leftOut.map((rows) => ({ ...place, ...rows }))),
    joined: parts.flatMap(({ own, place }) => own.joined.map((rows) => ({ ...place, ...rows }))),
    made: parts.flatMap(({ own, place }) => own.made.map((rows) => ({ ...place, ...rows }))),
    stored: sumOf(({ stored }) => stored),
  };
}

function explainedLists({ tally }: Loaded): NonNullable<ExplainedDataset["lists"]> {
  return { leftOut: [...tally.leftOutRows], joined: [...tally.joinedRows], made: [...tally.madeRows] };
}

type PartStatuses = Readonly<Record<string, PartStatus>>;

function sourcesOf(dataset: AnyDataset, generation: Generation | undefined, statuses: PartStatuses): ExplainedSource[] {
  if (dataset.kind === "product") return Object.keys(dataset.parts).map((part) => listOfProduct(part, statuses[part]));
  return Object.entries<AnyPart>(dataset.parts).flatMap(([part, { sources }]) => {
    const requests = Object.values(generation?.provenance[part] ?? {});
    const speaking = new Set(requests.map(({ source }) => source));
    return sources.map((source) => {
      const own = requests.filter((request) => request.source === source.id);
      return sourceOf(part, source, own, { status: statuses[part], hasOther: speaking.size > 0 });
    });
  });
}

/** The entry for a list of a product. The list has no upstream, so it is reported as its own source. */
function listOfProduct(part: string, status: PartStatus | undefined): ExplainedSource {
  const spoke = status?.state === "fresh" || status?.state === "kept";
  return { part, source: part, spoke, requests: 0, rows: 0, ...statusOf(status) };
}

interface PartNow {
  readonly status: PartStatus | undefined;
  /** True if a source of the part was used. For an unused source, this means that another source was used. */
  readonly hasOther: boolean;
}

function sourceOf(
  part: string,
  { id }: AnySource,
  requests: readonly RequestProvenance[],
  { status, hasOther }: PartNow,
): ExplainedSource {
  const spoke = requests.length > 0;
  const fetchedAt = requests.reduce((newest, request) => Math.max(newest, request.fetchedAt), 0);
  const about = {
    part,
    source: id,
    spoke,
    requests: requests.length,
    ...(spoke && { fetchedAt }),
    rows: requests.reduce((sum, { rowsRead }) => sum + rowsRead, 0),
  };
  if (spoke || !hasOther) return { ...about, ...statusOf(status) };
  const reason = cutText(status?.passedOver ?? "another source of the part was used", REASON_CHARACTERS_MAX);
  return { ...about, ...(status && { state: status.state }), reason };
}

function statusOf(status: PartStatus | undefined): Pick<ExplainedSource, "state" | "reason"> {
  if (!status) return {};
  const sentences = [status.error, status.lacking].filter((sentence) => sentence);
  const reason = cutText(sentences.join("; "), REASON_CHARACTERS_MAX);
  return { state: status.state, ...(reason !== "" && { reason }) };
}

import type { Kysely } from "kysely";
import { LRUCache } from "lru-cache";
import type { RegisteredOperation } from "../contract/operation.js";
import type { AnyDataset } from "../contract/product.js";
import { countingTally, silentTally } from "../contract/row-tally.js";
import type { ReadSetting } from "../contract/setting.js";
import type { Snapshot } from "../contract/snapshot.js";
import type { Database } from "../database/schema.js";
import { type Question, questionOf } from "../http/data-answer/question.js";
import { type Cursors, paginator } from "../http/paging.js";
import { type ReadQuery, readQuery } from "../http/query.js";
import { ClockPace, LoopTurns } from "../kit/loop-turns.js";
import type { PartRecords } from "../snapshots/bodies/body.js";
import { identitiesOf } from "../snapshots/changes/row-changes.js";
import type { Generation } from "../snapshots/generation.js";
import { type Loaded, loadSteps } from "../snapshots/loaded.js";
import { openedParts, recordsOf } from "../snapshots/opened.js";
import { generationOf } from "../snapshots/rows.js";
import type { SnapshotStore } from "../snapshots/store.js";
import { answerChecks, datasetChecks } from "./all-checks.js";
import { changedRows } from "./changed-rows.js";
import { type AnswerCheck, type DatasetCheck, type Expected, Skipped, type Stored } from "./check.js";
import { newestOf } from "./checks/newest.js";
import { withoutNumbers } from "./checks/without-numbers.js";
import { compared } from "./compare.js";

/** The result of one check over all generations. */
export interface CheckReport {
  /** The operation or the dataset. */
  readonly subject: string;
  readonly what: string;
  /** Number of checked answers or builds. */
  readonly checked: number;
  readonly values: number;
  readonly faults: number;
}

/** Something that could not be checked. */
export interface SkippedReport {
  readonly subject: string;
  readonly reason: string;
  readonly count: number;
}

export interface DerivedReport {
  readonly derivedValues: number;
  readonly checks: readonly CheckReport[];
  readonly skipped: readonly SkippedReport[];
  /** The reasons why answers are not recomputed, by operation. */
  readonly notRecomputed: Readonly<Record<string, string>>;
}

/** Recomputes the derived values of stored generations, one after another. */
export interface DerivedValues {
  /** Yields the values of a generation that differ from what its rows say. */
  faultsOf(generation: Generation, records: PartRecords): AsyncGenerator<string, void>;
  report(): DerivedReport;
}

export interface DerivedValuesParts {
  readonly datasets: readonly AnyDataset[];
  readonly operations: readonly RegisteredOperation[];
  readonly settingOf: ReadSetting;
  readonly db: Kysely<Database>;
  readonly store: SnapshotStore;
  /** Default: all. */
  readonly checks?: { readonly answers: readonly AnswerCheck[]; readonly datasets: readonly DatasetCheck[] };
}

/** A generation in memory. */
interface Held {
  readonly dataset: AnyDataset;
  readonly generation: Generation;
  readonly stored: Stored;
  /** Built when an operation reads it. */
  loaded(): Promise<Loaded>;
}

/** Most records in memory besides those of the checked generation; at least one generation is kept. */
const RECORDS_MAX = 400_000;

export function derivedValues(parts: DerivedValuesParts): DerivedValues {
  const { answers, datasets: ofDatasets } = parts.checks ?? { answers: answerChecks, datasets: datasetChecks };
  const datasets = new Map(parts.datasets.map((dataset) => [dataset.name, dataset]));
  const operations = new Map(parts.operations.map((own) => [`${own.service}/${own.operation.rpc}`, own]));
  const tally = tallies();
  const others = otherGenerations(parts, datasets);
  let previous: Read | undefined;

  async function* recomputed(
    { check, subject, query = "" }: Place,
    make: () => Promise<Made | undefined>,
  ): AsyncGenerator<string, void> {
    const place = query === "" ? subject : `${subject}?${query}`;
    try {
      const made = await make();
      if (made === undefined) return;
      if (made instanceof Skipped) return tally.skipped(place, made.reason);
      const counts = tally.of(check, subject);
      counts.checked += 1;
      for (const { problem, isDerived } of compared(made.expected, made.served)) {
        counts.values += isDerived ? 1 : 0;
        if (problem === undefined) continue;
        counts.faults += 1;
        yield check === description || check === changes ? problem : `${place}: ${problem}`;
      }
    } catch (error) {
      tally.of(check, subject).faults += 1;
      yield `${place}: cannot be checked: ${error instanceof Error ? error.message : error}`;
    }
  }

  async function* answersOf(held: Held): AsyncGenerator<string, void> {
    for (const check of answers) {
      const registered = operations.get(check.operation);
      if (!registered || !readsOf(registered).includes(held.dataset)) continue;
      for (const query of check.queries?.(held.stored) ?? [""]) {
        const place = { check, subject: check.operation, query };
        yield* recomputed(place, () => answered(parts, others, registered, check, held, query));
      }
    }
  }

  async function* buildsOf(held: Held): AsyncGenerator<string, void> {
    const subject = subjectOf(held.dataset);
    for (const check of ofDatasets) {
      if (check.dataset !== subject) continue;
      yield* recomputed({ check, subject }, async () => {
        const ingredients = await ingredientsOf(others, held.generation, check.ingredients ?? []);
        if (ingredients instanceof Skipped) return ingredients;
        const expected = check.recompute(held.stored, (name) => ingredients.get(name));
        return expected instanceof Skipped ? expected : { expected, served: held.stored.parts };
      });
    }
  }

  return {
    async *faultsOf(generation, records) {
      const dataset = datasets.get(generation.dataset);
      if (!dataset) return tally.skipped(generation.dataset, "this version has no such dataset");
      const held = heldOf(dataset, generation, records);
      const described = { expected: descriptionOf(dataset, held.stored, records), served: generation };
      yield* recomputed({ check: description, subject: "every generation" }, async () => described);
      const [before, own] = [previous, { generation, records }];
      yield* recomputed({ check: changes, subject: "every generation" }, () =>
        changesOf(parts.db, dataset, before, own),
      );
      previous = own;
      yield* buildsOf(held);
      yield* answersOf(held);
    },
    report: () => tally.report(),
  };
}

/** The name of a dataset, or that of its family. */
function subjectOf({ name, family }: AnyDataset): string {
  return family?.name ?? name;
}

/** A generation with its stored records. */
interface Read {
  readonly generation: Generation;
  readonly records: PartRecords;
}

/** The check of the numbers of changed rows, which the history of a dataset serves. */
const changes = { what: "rows added, changed and removed since the generation before" };

/** Returns undefined for the first generation and for one whose changes are unknown. */
async function changesOf(
  db: Kysely<Database>,
  dataset: AnyDataset,
  before: Read | undefined,
  { generation, records }: Read,
): Promise<Made | undefined> {
  const row = await db
    .selectFrom("snapshot")
    .select("changes")
    .where("dataset", "=", dataset.name)
    .where("generation", "=", generation.generation)
    .executeTakeFirst();
  if (typeof row?.changes !== "string") return undefined;
  const { dataset: name, generation: number } = before?.generation ?? {};
  if (!before || name !== dataset.name || number !== generation.generation - 1) {
    return new Skipped("the generation before is gone");
  }
  return { expected: changedRows(before.records, records, identitiesOf(dataset)), served: JSON.parse(row.changes) };
}

/** The check of a generation's own description. */
const description = { what: "record counts and the newest observation" };

function descriptionOf(dataset: AnyDataset, stored: Stored, records: PartRecords): Expected {
  const recordCounts = Object.fromEntries(Object.entries(records).map(([part, rows]) => [part, rows.length]));
  const newest = newestOf[subjectOf(dataset)];
  return { recordCounts, ...(newest && { newestAt: newest(stored) }) };
}

function readsOf({ operation }: RegisteredOperation): readonly AnyDataset[] {
  return Object.values(operation.reads as Readonly<Record<string, AnyDataset>>);
}

function heldOf(dataset: AnyDataset, generation: Generation, records: PartRecords): Held {
  let loading: Promise<Loaded> | undefined;
  const { generation: number, builtAt } = generation;
  const parts = recordsOf(openedParts(dataset, records));
  return {
    dataset,
    generation,
    stored: { dataset: dataset.name, generation: number, builtAt, parts },
    loaded() {
      const pace = new ClockPace();
      loading ??= Promise.resolve(new LoopTurns().run(loadSteps(dataset, generation, records, pace), pace));
      return loading;
    },
  };
}

/** Runs an operation on a generation, and on what its other datasets were when the generation was built. */
async function answered(
  { settingOf }: DerivedValuesParts,
  others: OtherGenerations,
  registered: RegisteredOperation,
  check: AnswerCheck,
  held: Held,
  search: string,
): Promise<Made> {
  const now = held.generation.builtAt;
  const query = queryOf(registered, search, now);
  if (query instanceof Skipped) return query;
  const question = questionOf(noCursors, registered, query);
  const read = new Map<string, Stored>();
  const snapshots: Record<string, Snapshot<unknown>> = {};
  for (const [name, dataset] of question.reads) {
    const own = dataset === held.dataset ? held : await others.at(dataset, now);
    if (!own) return new Skipped(`${dataset.name} was not stored yet`);
    const loaded = await own.loaded();
    if (loaded.pending !== undefined) return new Skipped(`${dataset.name} was not served yet: ${loaded.pending}`);
    snapshots[name] = snapshotOf(loaded);
    read.set(dataset.name, own.stored);
  }
  const served = servedAnswer(question, snapshots, settingOf, now);
  const from = (name: string): Stored => {
    const stored = read.get(name);
    if (!stored) throw new Error(`${check.operation} does not read ${name}`);
    return stored;
  };
  return { expected: check.recompute({ query: new URLSearchParams(search), now, from, served }), served };
}

/** Parses a query. Rows can hold names that queries do not accept. */
function queryOf({ operation }: RegisteredOperation, search: string, now: number): ReadQuery | Skipped {
  try {
    return readQuery(operation, search, now);
  } catch {
    return new Skipped("the operation refuses this query");
  }
}

/** The answer as JSON says it. */
function servedAnswer(
  { registered, query }: Question,
  snapshots: Readonly<Record<string, Snapshot<unknown>>>,
  settingOf: ReadSetting,
  now: number,
): unknown {
  const paginate = paginator(noCursors, registered, query, { generations: [], offset: 0 });
  const tally = query.explained ? countingTally(registered.operation.list?.identity) : silentTally;
  const context = { observations: {}, simulated: false, settingOf, now: () => now, paginate, tally };
  return JSON.parse(JSON.stringify(registered.operation.run(query.values, snapshots, context)));
}

/** Only the first page of a list is checked. */
const noCursors: Cursors = { make: () => "", read: () => undefined };

function snapshotOf({ generation, view }: Loaded): Snapshot<unknown> {
  const { builtAt, contentHash, newestAt } = generation;
  return {
    available: true,
    state: "ok",
    view,
    generation: generation.generation,
    contentHash,
    builtAt,
    checkedAt: builtAt,
    newestAt,
    nextBuildAt: null,
    attempt: null,
    parts: {},
  };
}

/** Returns the generations that a product was built from. */
async function ingredientsOf(
  others: OtherGenerations,
  { ingredients = [] }: Generation,
  names: readonly string[],
): Promise<ReadonlyMap<string, Stored> | Skipped> {
  const rows = new Map<string, Stored>();
  for (const { dataset, generation, contentHash } of ingredients) {
    if (!names.includes(dataset)) continue;
    const held = await others.numbered(dataset, generation);
    if (held?.generation.contentHash !== contentHash) return new Skipped(`the generation of ${dataset} is gone`);
    rows.set(dataset, held.stored);
  }
  return rows;
}

/** Generations beside the checked one. */
interface OtherGenerations {
  /** The newest one built by then, epoch ms. */
  at(dataset: AnyDataset, at: number): Promise<Held | undefined>;
  numbered(dataset: string, generation: number): Promise<Held | undefined>;
}

function otherGenerations(
  { db, store }: DerivedValuesParts,
  datasets: ReadonlyMap<string, AnyDataset>,
): OtherGenerations {
  const cache = new LRUCache<string, Held>({ maxSize: RECORDS_MAX });

  async function held(dataset: AnyDataset, generation: Generation): Promise<Held | undefined> {
    const key = `${dataset.name} ${generation.generation}`;
    const cached = cache.get(key);
    if (cached) return cached;
    const records = await store.readableRecords(generation);
    if (!records) return undefined;
    const read = heldOf(dataset, generation, records);
    const size = Object.values(records).reduce((sum, rows) => sum + rows.length, 1);
    cache.set(key, read, { size: Math.min(size, RECORDS_MAX) });
    return read;
  }

  return {
    async at(dataset, at) {
      const row = await db
        .selectFrom("snapshot")
        .selectAll()
        .where("dataset", "=", dataset.name)
        .where("built_at", "<=", at)
        .orderBy("generation", "desc")
        .limit(1)
        .executeTakeFirst();
      return row && held(dataset, generationOf(row));
    },
    async numbered(name, number) {
      const dataset = datasets.get(name);
      const generation = dataset && (await store.generation(name, number));
      return generation && held(dataset, generation);
    },
  };
}

type Named = Pick<AnswerCheck, "what">;

/** What is checked, for faults and counts. */
interface Place {
  readonly check: Named;
  readonly subject: string;
  readonly query?: string;
}

type Made = { readonly expected: Expected; readonly served: unknown } | Skipped;

interface Counts {
  checked: number;
  values: number;
  faults: number;
}

/** Counts by check, and the skipped checks by their reason. */
function tallies() {
  const counts = new Map<Named, Counts & { readonly subject: string }>();
  const skips = new Map<string, SkippedReport>();
  return {
    of(check: Named, subject: string): Counts {
      const own = counts.get(check) ?? { subject, checked: 0, values: 0, faults: 0 };
      counts.set(check, own);
      return own;
    },
    skipped(subject: string, reason: string): void {
      const key = `${subject}\n${reason}`;
      skips.set(key, { subject, reason, count: (skips.get(key)?.count ?? 0) + 1 });
    },
    report(): DerivedReport {
      const checks = [...counts].map(([{ what }, { subject, ...own }]): CheckReport => ({ subject, what, ...own }));
      return {
        derivedValues: checks.reduce((sum, { values }) => sum + values, 0),
        checks,
        skipped: [...skips.values()],
        notRecomputed: withoutNumbers,
      };
    },
  };
}

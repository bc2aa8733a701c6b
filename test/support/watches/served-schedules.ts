import { expect } from "vitest";
import type { StoredAnswers } from "../../../src/contract/stored-answers.js";
import { HOUR_MS, MINUTE_MS, SECOND_MS } from "../../../src/kit/clock.js";
import { mapValues } from "../../../src/kit/map-values.js";
import { type Random, seededRandom } from "../../../src/kit/random.js";
import { logJob } from "../../../src/services/datasets/store/log-job.js";
import { type WatchFiring, type WatchRequest, watchTriggers } from "../../../src/services/watches/records.js";
import { evaluationJob } from "../../../src/services/watches/store/evaluator/job.js";
import { SETTLED_AFTER_MS } from "../../../src/services/watches/store/evaluator/settled.js";
import { LEASE_MS } from "../../../src/services/watches/store/evaluator/store-outcomes.js";
import { pick, randomThresholds, whole } from "../../../src/services/watches/testing/random-watch.js";
import type { PartRecords } from "../../../src/snapshots/bodies/body.js";
import { newestRecords, publish } from "../published.js";
import { runJob } from "../run-job.js";
import { call, json, type Stack, startStack } from "../stack.js";

/** Totals of schedules, for their report. */
export interface ServedFigures {
  watches: number;
  publications: number;
  firings: number;
  notices: number;
  failures: number;
  kills: number;
  faults: number;
  restarts: number;
  continuedTests: number;
}

export const noServedFigures = (): ServedFigures => ({
  watches: 0,
  publications: 0,
  firings: 0,
  notices: 0,
  failures: 0,
  kills: 0,
  faults: 0,
  restarts: 0,
  continuedTests: 0,
});

/** A served list that is read by watches. */
interface WatchedList {
  readonly dataset: string;
  readonly path: string;
  /** Name of the answer's member that contains the rows. */
  readonly rows: string;
  /** Name of the member that identifies a row. */
  readonly id: string;
  /** Name of a numeric member of a row. */
  readonly number: string;
  readonly queries: readonly string[];
}

const LISTS: readonly WatchedList[] = [
  {
    dataset: "earthquakes",
    path: "/api/seismology/v1/list-earthquakes",
    rows: "earthquakes",
    id: "id",
    number: "magnitude",
    queries: ["", "?min_magnitude=5", "?min_magnitude=6"],
  },
  {
    dataset: "natural-events",
    path: "/api/natural/v1/list-natural-events",
    rows: "events",
    id: "id",
    number: "lat",
    queries: ["", "?days=7", "?category=wildfires"],
  },
  {
    dataset: "internet-traffic-anomalies",
    path: "/api/infrastructure/v1/list-internet-traffic-anomalies",
    rows: "anomalies",
    id: "uuid",
    number: "startDate",
    queries: ["", "?country=FR", "?country=US"],
  },
];

const LIMITS = "watch-create=999999,watch-test=999999,operator-minute=999999,enterprise-minute=999999";
const STEPS = 24;
const RECORDS_MAX = 30;
const KILL_SHARE = 0.004;
const FAULT_SHARE = 0.05;
const RESTART_SHARE = 0.1;
const CALM_ROUNDS_MAX = 200;
const PAGE_ROWS = 100;

class Killed extends Error {}
class StoreTrouble extends Error {}

interface CreatedWatch {
  readonly watchId: string;
  readonly definition: WatchRequest;
  readonly createdAt: number;
}

interface Schedule {
  readonly stack: Stack;
  readonly random: Random;
  readonly figures: ServedFigures;
  /** For each dataset, the records stored at the start. The schedule publishes selections of them. */
  readonly pools: ReadonlyMap<string, PartRecords>;
  readonly published: Map<string, PartRecords>;
  readonly watches: CreatedWatch[];
}

/**
 * Plays a random schedule on the whole service. Watches are created over HTTP. Their lists change and become stale.
 * Evaluations meet faults or end at random statements, and the service restarts. Expects that every watch has the
 * firings that `test-watch` reports for the same period, and that the log positions of all firings are 1, 2, 3, ….
 */
export async function playServedSchedule(
  databaseUrl: string | undefined,
  options: { readonly seed: number; readonly watches: number },
  figures: ServedFigures,
): Promise<void> {
  const { seed, watches } = options;
  const random = seededRandom(seed);
  const env = {
    VIGIL_LIMITS: LIMITS,
    VIGIL_WATCHES_MAX: "enterprise=100000",
    VIGIL_WATCH_MS_PER_MINUTE: "60000",
    ...(databaseUrl !== undefined && { DATABASE_URL: databaseUrl }),
  };
  const stack = await startStack({ env, datasets: LISTS.map(({ dataset }) => dataset) });
  try {
    const pools = await poolsOf(stack);
    const schedule: Schedule = { stack, random, figures, pools, published: new Map(), watches: [] };
    for (const { dataset } of LISTS) await publishNext(schedule, dataset);
    await runJob(stack, logJob);
    for (let step = 0; step < STEPS; step += 1) {
      const created = step < STEPS / 2 ? Math.ceil((2 * watches) / STEPS) : 0;
      for (let count = 0; count < created; count += 1) await createRandom(schedule);
      await playStep(schedule);
    }
    await catchUp(schedule);
    await expectLiveAsDry(schedule);
  } finally {
    await stack.close();
  }
}

async function poolsOf(stack: Stack): Promise<ReadonlyMap<string, PartRecords>> {
  const pools = new Map<string, PartRecords>();
  for (const { dataset, path, rows, id, number } of LISTS) {
    await stack.run(dataset);
    pools.set(dataset, await newestRecords(stack, dataset));
    const [row] = (json(await stack.get(path)) as Readonly<Record<string, readonly unknown[]>>)[rows] ?? [];
    expect(row).toMatchObject({ [id]: expect.any(String), [number]: expect.any(Number) });
  }
  return pools;
}

/** Plays up to four changes of lists with runs of the log's job in between, and then up to two evaluation rounds. */
async function playStep(schedule: Schedule): Promise<void> {
  const { stack, random, figures } = schedule;
  for (let changes = whole(random, 5); changes > 0; changes -= 1) {
    stack.clock.advance(SECOND_MS * (1 + whole(random, 90)));
    // If lists are not confirmed for some hours, they become stale. That is a change as well.
    if (random() < 0.15) stack.clock.advance(whole(random, 8) * HOUR_MS);
    else await publishNext(schedule, pick(random, LISTS).dataset);
    // Some runs of the log's job are left out. The log then misses a generation that is replaced before the next run.
    if (random() < 0.8) await runJob(stack, logJob);
  }
  if (random() < RESTART_SHARE) {
    await stack.restart();
    figures.restarts += 1;
  }
  await runJob(stack, logJob);
  for (let rounds = whole(random, 3); rounds > 0; rounds -= 1) {
    stack.clock.advance(SECOND_MS * whole(random, 60));
    await troubledRound(schedule);
  }
}

/** Publishes some records from a dataset's pool, with varied numbers. */
async function publishNext({ stack, random, pools, published, figures }: Schedule, dataset: string): Promise<void> {
  const pool = pools.get(dataset) ?? {};
  const last = published.get(dataset);
  const next = mapValues(pool, (rows, part) => {
    const all = rows.slice(0, RECORDS_MAX);
    const before = last?.[part] ?? all;
    const kept = before.filter(() => random() < 0.85);
    const back = all.filter((row) => !before.includes(row) && random() < 0.2);
    return [...kept, ...back].map((row) => (random() < 0.15 ? moved(row as Row, random) : row));
  });
  published.set(dataset, next);
  await publish(stack, dataset, next);
  figures.publications += 1;
}

type Row = Readonly<Record<string, unknown>>;

function moved(row: Row, random: Random): Row {
  return typeof row["magnitude"] === "number" ? { ...row, magnitude: 4 + whole(random, 5) } : row;
}

async function createRandom(schedule: Schedule): Promise<void> {
  const { stack, random, watches } = schedule;
  const definition = randomDefinition(random, `watch ${watches.length + 1}`);
  stack.clock.advance(SECOND_MS);
  const { watch } = await post<{ readonly watch: { readonly watchId: string } }>(stack, "create-watch", definition);
  watches.push({ watchId: watch.watchId, definition, createdAt: stack.clock.now() });
  stack.clock.advance(SECOND_MS);
}

/** A watch with a random trigger. Its expressions sometimes fail. */
function randomDefinition(random: Random, name: string): WatchRequest {
  const list = pick(random, LISTS);
  const query = pick(random, list.queries);
  const { rows } = list;
  const on = pick(random, watchTriggers);
  const comparesRows = on === "WATCH_ON_NEW_ROWS" || on === "WATCH_ON_CHANGED";
  const { id, number } = list;
  const conditions = [
    undefined,
    rows,
    `${rows}[].${id}`,
    `${rows}[].{id: ${id}, n: ${number}}`,
    `length(${rows})`,
    `abs(${rows}[0].${id})`,
  ];
  const identities = [undefined, undefined, id, `[${id}, ${number}]`, `type(${number})`, `abs(${id})`];
  const truths = [`length(${rows}) > \`${whole(random, 30)}\``, `!${rows}`, `abs(${rows}[0].${id})`];
  const numbers = [`length(${rows})`, `max(${rows}[].${number})`, `${rows}[0].${id}`];
  const condition = comparesRows
    ? pick(random, conditions)
    : on === "WATCH_ON_BECOMES_TRUE"
      ? pick(random, truths)
      : on === "WATCH_ON_THRESHOLD_CROSSED"
        ? pick(random, numbers)
        : undefined;
  const identity = comparesRows ? pick(random, identities) : undefined;
  const quietSeconds = 10 * Math.max(0, whole(random, 12) - 6);
  return {
    name,
    call: list.path + encodeURI(query),
    on,
    ...(condition !== undefined && { condition }),
    ...(identity !== undefined && { identity }),
    ...(on === "WATCH_ON_THRESHOLD_CROSSED" && { threshold: pick(random, randomThresholds(random, 30)) }),
    ...(quietSeconds > 0 && { quietSeconds }),
    ...(comparesRows && random() < 0.5 && { grouping: "WATCH_GROUPING_ROW" as const }),
  };
}

/** Runs an evaluation round. It may meet a fault, or end at any statement as if the process had been killed. */
async function troubledRound({ stack, random, figures }: Schedule): Promise<void> {
  const { store, answers } = stack.service.jobParts;
  const kill = (): void => {
    if (random() >= KILL_SHARE) return;
    figures.kills += 1;
    throw new Killed();
  };
  const db = store.database.db.withPlugin({
    transformQuery({ node }) {
      kill();
      return node;
    },
    async transformResult({ result }) {
      kill();
      return result;
    },
  });
  const troubled: StoredAnswers = {
    ...answers,
    async answer(...parameters) {
      if (random() < FAULT_SHARE) {
        figures.faults += 1;
        throw new StoreTrouble();
      }
      return answers.answer(...parameters);
    },
  };
  try {
    // A new store object represents a new process, which knows nothing but the stored data.
    await runJob(stack, evaluationJob, { store: { ...store, database: { ...store.database, db } }, answers: troubled });
  } catch (fault) {
    const faults = fault instanceof AggregateError ? fault.errors : [fault];
    if (!faults.every((error) => error instanceof Killed || error instanceof StoreTrouble)) throw fault;
  }
}

/** Evaluates without faults until no watch is behind and no quiet period is pending. */
async function catchUp({ stack }: Schedule): Promise<void> {
  for (let count = 0; count < CALM_ROUNDS_MAX; count += 1) {
    stack.clock.advance(Math.max(LEASE_MS, MINUTE_MS));
    await runJob(stack, logJob);
    await runJob(stack, evaluationJob);
    if (count > 2 && !(await isAnyBehind(stack))) return;
  }
  throw new Error("the watches never catch up");
}

async function isAnyBehind(stack: Stack): Promise<boolean> {
  let after = "";
  do {
    const page = json(
      await stack.get(`/api/watches/v1/list-watches?page_size=${PAGE_ROWS}&cursor=${encodeURIComponent(after)}`),
    ) as {
      readonly watches: readonly { readonly isBehind: boolean }[];
      readonly nextCursor: string;
    };
    if (page.watches.some(({ isBehind }) => isBehind)) return true;
    after = page.nextCursor;
  } while (after !== "");
  return false;
}

async function expectLiveAsDry({ stack, watches, figures }: Schedule): Promise<void> {
  const fired = await everyFiring(stack);
  expect(fired.map(({ position }) => position)).toEqual(fired.map((_, at) => at + 1));
  expect(new Set(fired.map(({ firingId }) => firingId)).size).toBe(fired.length);
  const to = new Date(stack.clock.now() - SETTLED_AFTER_MS).toISOString();
  for (const watch of watches) {
    const live = fired
      .filter(({ watchId }) => watchId === watch.watchId)
      .map(({ position: _position, firingId: _firingId, watchId: _watchId, ...firing }) => firing);
    const dry = await tested(stack, watch, to, figures);
    // If there are many firings, `test-watch` shows only the first ones.
    const compared = dry.isCut ? live.slice(0, dry.firings.length) : live;
    expect({ watch, firings: compared }).toEqual({ watch, firings: dry.firings });
    if (dry.isCut) expect({ watch, firings: live.length }).toEqual({ watch, firings: dry.firingCount });
  }
  figures.watches += watches.length;
  figures.firings += fired.length;
  figures.notices += fired.filter(({ kind }) => kind === "WATCH_FIRING_KIND_NOTICE").length;
  figures.failures += fired.filter(({ kind }) => kind === "WATCH_FIRING_KIND_FAILED").length;
}

async function everyFiring(stack: Stack): Promise<readonly WatchFiring[]> {
  const firings: WatchFiring[] = [];
  let cursor = "";
  for (;;) {
    const query = `page_size=${PAGE_ROWS}&cursor=${encodeURIComponent(cursor)}`;
    const page = json(await stack.get(`/api/watches/v1/list-watch-firings?${query}`)) as {
      readonly firings: readonly WatchFiring[];
      readonly nextCursor: string;
    };
    if (page.firings.length === 0) return firings;
    firings.push(...page.firings);
    cursor = page.nextCursor;
  }
}

interface Tested {
  readonly firings: readonly object[];
  readonly firingCount: number;
  /** True if an answer showed fewer firings than it counted. Then `firings` ends with the firings of that answer. */
  readonly isCut: boolean;
}

/**
 * Tests a watch from its creation to `to`. Calls `test-watch` until the test is complete, and joins the firings of all
 * answers.
 */
async function tested(stack: Stack, watch: CreatedWatch, to: string, figures: ServedFigures): Promise<Tested> {
  const firings: object[] = [];
  let firingCount = 0;
  let isCut = false;
  let begin: object = { from: new Date(watch.createdAt).toISOString() };
  for (;;) {
    const run = await post<{
      readonly firings: readonly object[];
      readonly firingCount: number;
      readonly truncated: boolean;
      readonly continuation?: string;
    }>(stack, "test-watch", { watchId: watch.watchId, to, ...begin });
    firingCount += run.firingCount;
    if (!isCut) firings.push(...run.firings);
    isCut ||= run.firings.length < run.firingCount;
    if (!run.truncated || run.continuation === undefined) return { firings, firingCount, isCut };
    begin = { continuation: run.continuation };
    figures.continuedTests += 1;
  }
}

async function post<T>(stack: Stack, rpc: string, body: object): Promise<T> {
  const headers = {
    "x-service-key": stack.service.access.ownerKey.key ?? "",
    "content-type": "application/json",
  };
  const answer = await call(stack.answer, "POST", `/api/watches/v1/${rpc}`, headers, { body: JSON.stringify(body) });
  if (answer.status >= 300)
    throw new Error(`${rpc} of ${JSON.stringify(body)} answered ${answer.status}: ${answer.body}`);
  return json(answer) as T;
}

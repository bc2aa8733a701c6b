import { expect } from "vitest";
import { storedExpressions } from "../../../src/app/stored-expressions.js";
import { SECOND_MS } from "../../../src/kit/clock.js";
import { LoopTurns } from "../../../src/kit/loop-turns.js";
import { type ManualClock, manualClock } from "../../../src/kit/manual-clock.js";
import { type Random, seededRandom } from "../../../src/kit/random.js";
import type { WatchFiring } from "../../../src/services/watches/records.js";
import { checkedDefinition } from "../../../src/services/watches/rules/checked-definition.js";
import { type DryFiring, dryRun, FIRINGS_SHOWN_MAX } from "../../../src/services/watches/rules/dry-run.js";
import { firingMembers } from "../../../src/services/watches/rules/firing/firing-members.js";
import { sharedWork } from "../../../src/services/watches/rules/shared-work.js";
import { continueAfterGap, play, type WatchMemory } from "../../../src/services/watches/rules/watch-step.js";
import { watchEvaluator } from "../../../src/services/watches/store/evaluator/evaluator.js";
import type { EvaluatorContext } from "../../../src/services/watches/store/evaluator/evaluator-context.js";
import { SETTLED_AFTER_MS } from "../../../src/services/watches/store/evaluator/settled.js";
import { LEASE_MS } from "../../../src/services/watches/store/evaluator/store-outcomes.js";
import { watchesIn } from "../../../src/services/watches/store/tables.js";
import { type EvaluatingNode, evaluatingNode } from "../../../src/services/watches/store/testing/evaluating-node.js";
import { type ScriptedWorld, scriptedWorld } from "../../../src/services/watches/store/testing/scripted-world.js";
import { NOW } from "../../../src/services/watches/store/testing/watch-node.js";
import { memoryOf } from "../../../src/services/watches/store/watch-rows.js";
import { pick, whole } from "../../../src/services/watches/testing/random-watch.js";
import { keyHolder } from "../principals.js";
import type { OpenStore } from "../stores.js";
import { DATASETS, logRandom, randomDefinition } from "./random-watches.js";

/** Totals of a run, for its report. */
export interface LiveFigures {
  watches: number;
  entries: number;
  evaluations: number;
  firings: number;
  notices: number;
  failures: number;
  disabled: number;
  kills: number;
  faults: number;
}

export const noFigures = (): LiveFigures => ({
  watches: 0,
  entries: 0,
  evaluations: 0,
  firings: 0,
  notices: 0,
  failures: 0,
  disabled: 0,
  kills: 0,
  faults: 0,
});

/** Approximate number of watches in one world: half at the start, the others between the first steps. */
export const WATCHES_PER_WORLD = 50;
const ACCOUNTS = ["acc_a", "acc_b", "acc_c"];
const STEPS = 12;
const LATER_STEPS = 5;
/** The probability that the process dies at a statement. */
const KILL_SHARE = 0.008;
/** The probability that an answer cannot be read, because of a fault of the store. */
const FAULT_SHARE = 0.05;
const CALM_ROUNDS_MAX = 200;

/** What can happen to the service between the first `STEPS` steps and the last `LATER_STEPS` steps. */
const interludes = ["nothing", "retention", "gap"] as const;
type Interlude = (typeof interludes)[number];

class Killed extends Error {}
class StoreTrouble extends Error {}

interface CreatedWatch {
  readonly watchId: string;
  readonly accountId: string;
  readonly definition: ReturnType<typeof randomDefinition>;
  readonly createdAt: number;
}

interface Danger {
  isOn: boolean;
}

/** One world with its store, its watches and the process that evaluates them. */
interface Trial {
  readonly random: Random;
  readonly clock: ManualClock;
  readonly world: ScriptedWorld;
  readonly node: EvaluatingNode;
  readonly danger: Danger;
  readonly figures: LiveFigures;
  readonly watches: CreatedWatch[];
  /** Runs one evaluation round, in a new process if the previous process was killed. */
  round(): Promise<void>;
  /** Starts a new process, which knows nothing but the stored data. */
  restart(): void;
}

/**
 * Plays random watches in a world with faults, on a process that is killed at random statements. Expects that every
 * watch fires as in a dry run over the same time, and that each firing has exactly one log position.
 */
export async function playLiveAndDry(store: OpenStore, seed: number, figures: LiveFigures): Promise<void> {
  const trial = await prepare(store, seed, figures);
  const { random, clock } = trial;
  for (const dataset of DATASETS) if (random() < 0.8) logRandom(trial, dataset);
  for (let count = 0; count < WATCHES_PER_WORLD / 2; count += 1) await createRandom(trial);
  for (let step = 0; step < STEPS; step += 1) {
    if (step < STEPS / 2) for (let count = 0; count < WATCHES_PER_WORLD / STEPS; count += 1) await createRandom(trial);
    await playStep(trial);
  }
  await catchUp(trial);
  const fired = await firingsByWatch(trial);
  for (const watch of trial.watches) {
    const expected = await dryFirings(trial, watch);
    expectEqual(watch, fired.get(watch.watchId) ?? [], expected);
  }
  await playOn(trial, pick(random, interludes), fired);
  await expectPositions(trial);
  figures.watches += trial.watches.length;
  figures.entries += (await trial.world.timeline.extent()).newest;
  clock.advance(SECOND_MS);
}

async function prepare(store: OpenStore, seed: number, figures: LiveFigures): Promise<Trial> {
  const random = seededRandom(seed);
  const clock = manualClock(NOW);
  const turns = new LoopTurns();
  const world = scriptedWorld(clock, storedExpressions({ projectionFuel: 1_000_000 }, turns));
  const danger: Danger = { isOn: false };
  const settings = { VIGIL_WATCH_MS_PER_MINUTE: String(pick(random, [200, 5_000, 60_000])) };
  const node = await evaluatingNode(store.database, world, { clock, seed, settings });
  const { parts } = node;
  const trouble = (share: number, error: () => Error): void => {
    if (danger.isOn && random() < share) throw error();
  };
  const kill = (): void => {
    trouble(KILL_SHARE, () => {
      figures.kills += 1;
      return new Killed();
    });
  };
  const db = parts.database.db.withPlugin({
    transformQuery({ node: query }) {
      kill();
      return query;
    },
    async transformResult({ result }) {
      kill();
      return result;
    },
  });
  const answers: EvaluatorContext["answers"] = {
    ...world.answers,
    async answer(...call) {
      trouble(FAULT_SHARE, () => {
        figures.faults += 1;
        return new StoreTrouble();
      });
      return world.answers.answer(...call);
    },
  };
  let looks = 0;
  /** A clock that advances by a millisecond whenever it is read, so that work reaches its time limits. */
  const monotonic = (): number => {
    looks += 1;
    return looks;
  };
  const count = (): void => {
    figures.evaluations += 1;
  };
  const start = () => watchEvaluator({ ...parts, count, database: { ...parts.database, db } }, monotonic);
  let evaluate = start();
  const restart = (): void => {
    evaluate = start();
  };
  const { signal } = new AbortController();
  const round = async (): Promise<void> => {
    try {
      await evaluate({ answers, timeline: world.timeline, turns, signal });
    } catch (fault) {
      const faults = fault instanceof AggregateError ? fault.errors : [fault];
      if (!faults.every((error) => error instanceof Killed || error instanceof StoreTrouble)) throw fault;
      if (faults.some((error) => error instanceof Killed) || random() < 0.5) restart();
    }
  };
  return { random, clock, world, node, danger, figures, watches: [], round, restart };
}

/** Logs up to three changes, and then runs up to two rounds, in which the process may meet faults or die. */
async function playStep(trial: Trial): Promise<void> {
  const { random, clock, danger } = trial;
  danger.isOn = true;
  for (let entries = whole(random, 4); entries > 0; entries -= 1) {
    clock.advance(SECOND_MS * (1 + whole(random, 40)));
    logRandom(trial, pick(random, DATASETS));
  }
  for (let rounds = whole(random, 3); rounds > 0; rounds -= 1) {
    clock.advance(SECOND_MS * whole(random, 60));
    await trial.round();
  }
  danger.isOn = false;
}

async function createRandom({ random, clock, node, world, watches }: Trial): Promise<void> {
  const definition = randomDefinition(random, `watch ${watches.length + 1}`);
  const accountId = pick(random, ACCOUNTS);
  const { watchId } = await node.create(world, definition, accountId);
  watches.push({ watchId, accountId, definition, createdAt: clock.now() });
}

/** Runs rounds until nothing is left to evaluate. */
async function catchUp({ clock, node, round }: Trial): Promise<void> {
  const db = watchesIn(node.parts.database.db);
  for (let count = 0; count < CALM_ROUNDS_MAX; count += 1) {
    clock.advance(LEASE_MS);
    await round();
    const { rows } = await sqlWaiting(db);
    if (rows === 0 && count > 1) return;
  }
  throw new Error("the watches never catch up");
}

async function sqlWaiting(db: ReturnType<typeof watchesIn>): Promise<{ readonly rows: number }> {
  const { rows } = await db
    .selectFrom("watch")
    .select(({ fn }) => fn.countAll<number>().as("rows"))
    .where("state", "=", "active")
    .where((is) => is.or([is("behind_from", "is not", null), is("due_at", "is not", null)]))
    .executeTakeFirstOrThrow();
  return { rows: Number(rows) };
}

type FiringsByWatch = ReadonlyMap<string, readonly DryFiring[]>;

/** Reads the stored firings of each watch, without their positions and ids. */
async function firingsByWatch({ node }: Trial): Promise<FiringsByWatch> {
  const fired = new Map<string, DryFiring[]>();
  for (const accountId of ACCOUNTS) {
    for (const { position: _position, firingId: _firingId, watchId, ...firing } of await node.fired(accountId)) {
      fired.set(watchId, [...(fired.get(watchId) ?? []), firing]);
    }
  }
  return fired;
}

/** Does a dry run of a watch over the time since the watch was created, and returns the firings. */
async function dryFirings(
  { clock, world }: Trial,
  { definition, createdAt }: CreatedWatch,
): Promise<readonly DryFiring[]> {
  const checked = checkedDefinition(definition, world.answers, keyHolder);
  const span = { from: createdAt, to: clock.now() - SETTLED_AFTER_MS };
  const { answers, timeline } = world;
  const run = await dryRun(checked, span, { answers, timeline, turns: new LoopTurns() });
  expect(run.truncated).toBe(false);
  expect(run.firings.length).toBe(Math.min(run.firingCount, FIRINGS_SHOWN_MAX));
  return run.firings;
}

function expectEqual(watch: CreatedWatch, live: readonly DryFiring[], expected: readonly DryFiring[]): void {
  const isCut = expected.length === FIRINGS_SHOWN_MAX;
  const compared = isCut ? live.slice(0, FIRINGS_SHOWN_MAX) : live;
  expect({ watch, firings: compared }).toEqual({ watch, firings: expected });
}

/** Continues after an interlude, and expects the firings that the rules yield from the stored memory. */
async function playOn(trial: Trial, interlude: Interlude, before: FiringsByWatch): Promise<void> {
  const { clock, world, random, watches } = trial;
  const memories = await memoriesOf(trial);
  const { newest } = await world.timeline.extent();
  if (interlude === "retention") {
    for (const dataset of DATASETS) world.forgetBefore(dataset);
    // A new process is started, because the previous one may still hold contents of generations that are gone.
    trial.restart();
  }
  for (let step = 0; step < LATER_STEPS; step += 1) {
    if (interlude === "gap" && step === 0) {
      // No round runs during these changes.
      for (let count = 2 + whole(random, 3); count > 0; count -= 1) {
        clock.advance(SECOND_MS);
        logRandom(trial, pick(random, DATASETS));
      }
      world.thin(newest + 2 + whole(random, 2));
      await catchUp(trial);
    } else {
      await playStep(trial);
    }
  }
  await catchUp(trial);
  const fired = await firingsByWatch(trial);
  for (const watch of watches) {
    const stored = memories.get(watch.watchId);
    const live = (fired.get(watch.watchId) ?? []).slice((before.get(watch.watchId) ?? []).length);
    // Disabled watches no longer fire.
    const expected = stored ? await laterFirings(trial, watch, stored, live) : [];
    expect({ interlude, watch, firings: live }).toEqual({ interlude, watch, firings: expected });
    if (interlude === "nothing") expectEqual(watch, fired.get(watch.watchId) ?? [], await dryFirings(trial, watch));
  }
}

/** The memories of the active watches. */
async function memoriesOf({ node }: Trial): Promise<ReadonlyMap<string, WatchMemory>> {
  const rows = await watchesIn(node.parts.database.db)
    .selectFrom("watch")
    .selectAll()
    .where("state", "=", "active")
    .execute();
  return new Map(rows.map((row) => [row.watch_id, memoryOf(row)]));
}

async function laterFirings(
  { clock, world }: Trial,
  { watchId, definition }: CreatedWatch,
  stored: WatchMemory,
  live: readonly DryFiring[],
): Promise<readonly DryFiring[]> {
  const { answers, timeline } = world;
  const question = answers.reopen(definition.call);
  if (!question) throw new Error(`${definition.call} is not a call`);
  const shared = sharedWork(answers, { turns: new LoopTurns() });
  const { oldest, newest } = await timeline.extent();
  const expected: DryFiring[] = [];
  const add = (firing: Parameters<typeof firingMembers>[1]): void => {
    const { watchId: _, ...shown } = firingMembers({ watchId, definition, question }, firing);
    expected.push(JSON.parse(JSON.stringify(shown)) as DryFiring);
  };
  let memory = stored;
  const gap = live.find(({ message }) => message?.startsWith("The log of datasets no longer has"));
  if (oldest > 1) {
    // The round that finds the gap determines the time and the position, so both are read from the firing that reports
    // the gap.
    const at = Date.parse(gap?.firedAt ?? "");
    const position = Number(/continues at position (\d+)/.exec(gap?.message ?? "")?.[1] ?? newest);
    const standings = await timeline.standingsAt(position, question.datasets);
    const continued = continueAfterGap(memory, { position, at, standings });
    memory = continued.memory;
    add(continued.notice);
  }
  const entries = await timeline.after(memory.evaluatedPosition, 1_000, question.datasets);
  const until = clock.now() - SETTLED_AFTER_MS;
  for await (const { firings } of play(definition, memory, entries, until, shared.watchedBy(question))) {
    for (const firing of firings) add(firing);
  }
  return expected;
}

/** Expects that the firings of each account have consecutive positions and distinct ids, and counts them. */
async function expectPositions({ node, figures }: Trial): Promise<void> {
  for (const accountId of ACCOUNTS) {
    const firings: readonly WatchFiring[] = await node.fired(accountId);
    expect(firings.map(({ position }) => position)).toEqual(firings.map((_, at) => at + 1));
    expect(new Set(firings.map(({ firingId }) => firingId)).size).toBe(firings.length);
    figures.firings += firings.length;
    figures.notices += firings.filter(({ kind }) => kind === "WATCH_FIRING_KIND_NOTICE").length;
    figures.failures += firings.filter(({ kind }) => kind === "WATCH_FIRING_KIND_FAILED").length;
    figures.disabled += firings.filter(({ message }) => message?.startsWith("Disabled")).length;
  }
}

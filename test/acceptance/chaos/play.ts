import { SECOND_MS, systemClock } from "../../../src/kit/clock.js";
import { loadServices } from "../../../src/services/registry.js";
import { buildingOf } from "./building.js";
import { roundRobin, send } from "./calls.js";
import { pricesIn } from "./editions.js";
import { faultsOf, playFault } from "./faults.js";
import type { ChaosNode } from "./nodes.js";
import { createOracle, ofKnownContent, PRICES, QUAKES, WHOLE } from "./oracle.js";
import { datasetChanges, keepPolling, watchFirings } from "./pollers.js";
import { keepReading } from "./readers.js";
import { count, newReport, noteWrong, type Report } from "./report.js";
import { plannedFaults } from "./schedule.js";
import { OPERATOR_KEY, type Shape, startWorld, type World } from "./world.js";
import { type ChaosAccount, checkWrites, createAccount, keepWriting } from "./writers.js";

export interface ChaosOptions {
  readonly shape: Shape;
  readonly seed: number;
  readonly durationMs: number;
  /** Mean time between two faults. */
  readonly everyMs: number;
  /** True if a simulator serves all documents other than those of known content; if false, they get a 404. */
  readonly isWhole: boolean;
  readonly readers: number;
  readonly writers: number;
  /** Mean pause of a reader; writers and pollers pause longer. */
  readonly pauseMs: number;
  readonly say: (line: string) => void;
}

const START_MS_MAX = 600 * SECOND_MS;
const HEAL_MS_MAX = 300 * SECOND_MS;
const HOUR_MS = 3_600_000;
/** Faults of the processes and their files. They take turns, because two at the same time would undo each other. */
const ofFiles: ReadonlySet<string> = new Set(["kill", "torn", "disk"]);
/** Compressed answers have their own ETags, so answers are requested and compared uncompressed. */
const operator = { "x-service-key": OPERATOR_KEY, "accept-encoding": "identity" };

/**
 * Starts a world: the service with its upstreams and databases. Plays mixed load and faults on it, waits until every
 * fault is repaired, and checks the final state.
 */
export async function playChaos(options: ChaosOptions): Promise<Report> {
  const { shape, seed, durationMs, say } = options;
  const report = newReport();
  const world = await startWorld(shape, options.isWhole);
  try {
    await until(START_MS_MAX, "the nodes serve the first edition", () => serveEdition(world, 1));
    const targets = await exampleTargets();
    const { kinds, missing } = faultsOf(world);
    for (const sentence of missing) say(`not played: ${sentence}`);
    await playLoad(options, world, report, targets, plannedFaults({ ...options, kinds }));
    say(`${durationMs / SECOND_MS} s with the seed ${seed}`);
  } catch (error) {
    for (const node of all(world)) say(`${node.name} printed: ${node.output().slice(-3_000)}`);
    throw error;
  } finally {
    for (const { crashes } of [...world.nodes, ...world.builders])
      for (const crash of crashes) noteWrong(report, crash);
    await world.close();
  }
  return report;
}

async function playLoad(
  options: ChaosOptions,
  world: World,
  report: Report,
  targets: readonly string[],
  faults: ReturnType<typeof plannedFaults>,
): Promise<void> {
  const { seed, durationMs, pauseMs } = options;
  const oracle = createOracle(report, () => world.upstreams.edition, world.startedAt - HOUR_MS);
  const building = buildingOf(world, report);
  const next = roundRobin(world.nodes);
  const accounts: ChaosAccount[] = [];
  let isOver = false;
  const shared = { next, report, isOver: () => isOver };
  const writing = { ...shared, pauseMs: pauseMs * 10, accounts };
  const keys = (): readonly string[] => [OPERATOR_KEY, ...accounts.slice(-3).map(({ key }) => key)];
  const follower = await createAccount(writing);
  if (follower === undefined) throw new Error("no account could be created on a healthy service");
  const reading = { ...shared, oracle, targets, keys, pauseMs };
  const polling = { ...shared, pauseMs: pauseMs * 10 };
  const seen = new Map<number, string>();
  const fired = new Map<number, string>();
  const actors = [
    ...Array.from({ length: options.readers }, (_, at) => keepReading(reading, seed + at)),
    ...Array.from({ length: options.writers }, (_, at) => keepWriting(writing, seed + at)),
    keepPolling(polling, follower.key, datasetChanges, seen),
    keepPolling(polling, OPERATOR_KEY, datasetChanges, seen),
    keepPolling(polling, follower.key, watchFirings, fired),
    building.run(pauseMs * 50),
  ];
  const startedAt = performance.now();
  const repairs: Promise<void>[] = [];
  const chains = new Map<string, Promise<void>>();
  for (const fault of faults) {
    await systemClock.sleep(Math.max(0, fault.atMs - (performance.now() - startedAt)));
    // Faults of the same component run one after another; all others may overlap.
    options.say(`${Math.round((performance.now() - startedAt) / 100) / 10} s: ${fault.kind}`);
    const thing = ofFiles.has(fault.kind) ? "files" : fault.kind;
    const played = (chains.get(thing) ?? Promise.resolve()).then(() => playFault(world, building, report, fault));
    chains.set(thing, played);
    repairs.push(played);
  }
  await systemClock.sleep(Math.max(0, durationMs - (performance.now() - startedAt)));
  building.stop();
  await Promise.all(repairs);
  await until(HEAL_MS_MAX, "all nodes are up again", async () => all(world).every(({ life }) => life !== undefined));
  isOver = true;
  await Promise.all(actors);
  count(report, "requests that failed in a storm", world.upstreams.hits);
  count(report, "dataset changes", seen.size);
  count(report, "firings", fired.size);
  await checkHealed(world, report, building, accounts);
}

const all = ({ nodes, builders }: World): readonly ChaosNode[] => [...nodes, ...builders];

/**
 * Publishes another edition of the upstreams' documents and builds it without faults. Checks that every node serves
 * this edition and every write.
 */
async function checkHealed(
  world: World,
  report: Report,
  building: ReturnType<typeof buildingOf>,
  accounts: readonly ChaosAccount[],
): Promise<void> {
  world.upstreams.publish();
  await until(HEAL_MS_MAX, "the newest edition is built and served complete", async () => {
    await building.build(["us-cpi", "earthquakes"]);
    return serveEdition(world, world.upstreams.edition);
  });
  for (const node of world.nodes) await checkWrites(node, accounts, report);
  await checkEqual(world, report);
}

/** Checks that every node gives the same answers, before and after a restart. */
async function checkEqual(world: World, report: Report): Promise<void> {
  const answers = new Map<string, string>();
  const compare = async (): Promise<void> => {
    for (const node of world.nodes) {
      for (const target of ofKnownContent) {
        const { status, headers, body } = await send(node, target, operator);
        // Only answers of the same generation are compared, because the nodes may publish a newer one at any time.
        const key = `${target} ${headers["x-vigil-generation"]}`;
        const answer = `${status} ${headers["x-vigil-state"]} ${headers["etag"]} ${body}`;
        const earlier = answers.get(key) ?? answer;
        if (earlier !== answer) {
          noteWrong(
            report,
            `${node.name} ${key}: ${answer.slice(0, 300)}, elsewhere or before ${earlier.slice(0, 300)}`,
          );
        }
        answers.set(key, answer);
        count(report, "compared answers");
      }
    }
  };
  await compare();
  for (const node of world.nodes) {
    await node.kill();
    node.release();
  }
  await until(HEAL_MS_MAX, "all nodes are up after a restart", async () =>
    all(world).every(({ life }) => life !== undefined),
  );
  await compare();
}

/** True once every node answers completely from this edition of the upstreams' documents. */
async function serveEdition(world: World, edition: number): Promise<boolean> {
  for (const node of world.nodes) {
    for (const target of ofKnownContent) {
      const { status, headers, body } = await send(node, target, operator);
      if (status !== 200 || headers["x-vigil-state"] !== "ok") return false;
      if (!showsEdition(target, body, edition)) return false;
    }
  }
  return true;
}

/**
 * True if an answer shows this edition. A projection is not checked, because it comes from the same generation as the
 * whole answer, which is checked.
 */
function showsEdition(target: string, body: string, edition: number): boolean {
  if (target === QUAKES) return body.includes(`edition ${edition}"`);
  if (target !== PRICES && target !== WHOLE) return true;
  const shown = pricesIn(body, target === WHOLE, edition);
  return typeof shown === "object" && Object.values(shown).every((own) => own === edition);
}

/** The examples of all operations that answer from stored data. */
async function exampleTargets(): Promise<readonly string[]> {
  const { operations } = await loadServices();
  return operations
    .filter(({ operation }) => Object.keys(operation.fetches ?? {}).length === 0)
    .flatMap(({ path, operation }) =>
      operation.examples.map((example) => {
        const query = new URLSearchParams(Object.entries(example)).toString();
        return query === "" ? path : `${path}?${query}`;
      }),
    );
}

async function until(limitMs: number, condition: string, check: () => Promise<boolean>): Promise<void> {
  const endsAt = performance.now() + limitMs;
  while (!(await check())) {
    if (performance.now() > endsAt) throw new Error(`${condition}: not within ${limitMs / SECOND_MS} s`);
    await systemClock.sleep(200);
  }
}

import { expect } from "vitest";
import { storedExpressions } from "../../../src/app/stored-expressions.js";
import { defaultLimits } from "../../../src/jmespath/limits.js";
import { hostileDocument, hostileExpression } from "../../../src/jmespath/testing/hostile.js";
import { MINUTE_MS, SECOND_MS } from "../../../src/kit/clock.js";
import { LoopTurns } from "../../../src/kit/loop-turns.js";
import { manualClock } from "../../../src/kit/manual-clock.js";
import { type Random, seededRandom } from "../../../src/kit/random.js";
import { type WatchDefinition, watchTriggers } from "../../../src/services/watches/records.js";
import { definitionViolations } from "../../../src/services/watches/rules/definition.js";
import { IDENTITY_BYTES_MAX, MESSAGE_CHARACTERS_MAX } from "../../../src/services/watches/rules/limits.js";
import { type EvaluatingNode, evaluatingNode } from "../../../src/services/watches/store/testing/evaluating-node.js";
import {
  callOf,
  type Row,
  type ScriptedWorld,
  scriptedWorld,
} from "../../../src/services/watches/store/testing/scripted-world.js";
import { definitionOf, NOW } from "../../../src/services/watches/store/testing/watch-node.js";
import { pick } from "../../../src/services/watches/testing/random-watch.js";
import type { OpenStore } from "../stores.js";
import { type LoopHold, measuredHold } from "./loop-hold.js";

export interface HostileOptions {
  readonly seed: number;
  readonly watches: number;
  readonly rows: number;
  readonly generations: number;
  readonly fuelUnitsMax?: number;
}

export interface HostileFigures extends LoopHold {
  readonly refused: number;
  readonly failedWatches: number;
  readonly disabledWatches: number;
  readonly firings: number;
  /** Duration of the longest round. */
  readonly roundMs: number;
  readonly largestFiringBytes: number;
}

const HOSTILE = "acc_hostile";
const OTHERS = ["acc_1", "acc_2", "acc_3"];
const WATCHES_OF_OTHERS = 5;
const FIRING_BYTES_MAX = 65_536;
const CALM_ROUNDS_MAX = 300;

/**
 * Evaluates hostile watches of one account next to plain watches of other accounts, and expects that only the account
 * of the hostile watches is affected.
 */
export async function playHostile(store: OpenStore, options: HostileOptions): Promise<HostileFigures> {
  const { seed, rows, generations, fuelUnitsMax = defaultLimits.fuelUnitsMax } = options;
  const random = seededRandom(seed);
  const clock = manualClock(NOW);
  const turns = new LoopTurns();
  const world = hostileWorld(scriptedWorld(clock, storedExpressions({ projectionFuel: fuelUnitsMax }, turns)), rows);
  const node = await evaluatingNode(store.database, world, { clock });
  const first = hostileRows(rows);
  world.publish("a", first);
  const { accepted, refused } = hostileDefinitions(random, world, options.watches);
  for (const definition of accepted) await node.create(world, definition, HOSTILE);
  for (const accountId of OTHERS) {
    for (let count = 0; count < WATCHES_OF_OTHERS; count += 1) await node.create(world, { name: "Plain" }, accountId);
  }
  let [wallMs, ownMs, roundMs] = [0, 0, 0];
  const round = async (): Promise<void> => {
    clock.advance(MINUTE_MS);
    const startedAt = performance.now();
    const hold = await measuredHold(() => node.evaluate());
    roundMs = Math.max(roundMs, performance.now() - startedAt);
    wallMs = Math.max(wallMs, hold.wallMs);
    ownMs = Math.max(ownMs, hold.ownMs);
  };
  await round();
  for (let generation = 1; generation <= generations; generation += 1) {
    clock.advance(SECOND_MS);
    world.publish("a", [...first, ...hostileRows(generation, "n")]);
    await round();
    for (const accountId of OTHERS) {
      const fired = await node.fired(accountId);
      expect(fired.length).toBe(generation * WATCHES_OF_OTHERS);
      for (const firing of fired) expect(firing.kind).toBe("WATCH_FIRING_KIND_FIRED");
    }
  }
  await catchUp(node, round);
  return { refused, wallMs, ownMs, roundMs, ...(await expectTold(node, accepted)) };
}

/** Expects that the owner of the hostile watches is notified of each watch that fails or is disabled. */
async function expectTold(node: EvaluatingNode, accepted: readonly WatchDefinition[]) {
  const fired = await node.fired(HOSTILE);
  const watches = await node.inCall(({ watches: own }) => own.list("", accepted.length), HOSTILE);
  expect(watches.length).toBe(accepted.length);
  const [failedIds, disabledIds] = [new Set<string>(), new Set<string>()];
  let largestFiringBytes = 0;
  for (const firing of fired) {
    const bytes = Buffer.byteLength(JSON.stringify(firing));
    largestFiringBytes = Math.max(largestFiringBytes, bytes);
    expect(firing.message?.length ?? 0).toBeLessThanOrEqual(MESSAGE_CHARACTERS_MAX + 100);
    if (firing.kind === "WATCH_FIRING_KIND_FAILED") failedIds.add(firing.watchId);
    if (firing.message?.startsWith("Disabled after 10")) disabledIds.add(firing.watchId);
  }
  expect(largestFiringBytes).toBeLessThanOrEqual(FIRING_BYTES_MAX);
  for (const watch of watches) {
    if (watch.failuresInRow > 0) expect([watch, failedIds.has(watch.watchId)]).toEqual([watch, true]);
    expect([watch, disabledIds.has(watch.watchId)]).toEqual([watch, watch.state === "WATCH_STATE_DISABLED"]);
    expect(watch.isBehind).toBe(false);
  }
  const colliding = fired.filter(({ watchName }) => watchName === COLLIDING.name);
  expect(colliding.length).toBeGreaterThan(0);
  for (const { collidingIdentities = 0 } of colliding) expect(collidingIdentities).toBeGreaterThan(0);
  return {
    failedWatches: failedIds.size,
    disabledWatches: disabledIds.size,
    firings: fired.length,
    largestFiringBytes,
  };
}

async function catchUp({ inCall }: EvaluatingNode, round: () => Promise<void>): Promise<void> {
  for (let count = 0; count < CALM_ROUNDS_MAX; count += 1) {
    const watches = await inCall((ports) => ports.watches.list("", 1_000), HOSTILE);
    if (watches.every(({ isBehind }) => !isBehind)) return;
    await round();
  }
  throw new Error("the hostile watches never catch up");
}

const COLLIDING = definitionOf({ name: "Colliding", on: "WATCH_ON_CHANGED", identity: "'same'", call: callOf("a") });

/**
 * Generates random definitions, two that always fail, and one that gives all rows the same identity. Leaves out invalid
 * definitions.
 */
function hostileDefinitions(
  random: Random,
  { answers }: ScriptedWorld,
  count: number,
): { readonly accepted: readonly WatchDefinition[]; readonly refused: number } {
  const failing = definitionOf({ name: "Failing", condition: "abs(rows)" });
  const failingIdentity = definitionOf({ name: "Failing identity", identity: "abs(name)" });
  const all = [failing, failingIdentity, COLLIDING, ...Array.from({ length: count }, () => hostileDefinition(random))];
  const accepted = all.filter(
    (definition) =>
      definitionViolations(definition).length === 0 &&
      [definition.condition, definition.identity].every((text) => text === undefined || !answers.refusal(text)),
  );
  return { accepted, refused: all.length - accepted.length };
}

/** The triggers of watches that evaluate expressions on an answer. */
const answerTriggers = watchTriggers.filter((on) => on !== "WATCH_ON_STATE_CHANGES");

function hostileDefinition(random: Random): WatchDefinition {
  const on = pick(random, answerTriggers);
  const identity = hostileExpression(random);
  const hasIdentity = on !== "WATCH_ON_BECOMES_TRUE" && on !== "WATCH_ON_THRESHOLD_CROSSED" && random() < 0.5;
  const needsCondition = on === "WATCH_ON_BECOMES_TRUE" || on === "WATCH_ON_THRESHOLD_CROSSED" || random() < 0.7;
  return definitionOf({
    name: "Hostile",
    on,
    ...(needsCondition && { condition: hostileExpression(random) }),
    ...(hasIdentity && Buffer.byteLength(identity) <= IDENTITY_BYTES_MAX && { identity }),
    ...(on === "WATCH_ON_THRESHOLD_CROSSED" && { threshold: { above: 1 } }),
  });
}

function hostileRows(count: number, prefix = "r"): readonly Row[] {
  const { rows } = hostileDocument(count) as { readonly rows: readonly Readonly<Record<string, unknown>>[] };
  return rows.map((row) => ({ ...row, id: `${prefix}${row["id"]}` }));
}

/** Adds the large values of the hostile document to each answer of the world. */
function hostileWorld(world: ScriptedWorld, rows: number): ScriptedWorld {
  const large = hostileDocument(rows) as object;
  const { answer } = world.answers;
  const answers: ScriptedWorld["answers"] = {
    ...world.answers,
    async answer(...call) {
      const own = await answer(...call);
      return (
        own && {
          ...own,
          value: { ...large, ...(own.value as object) },
          withRows: (others) => ({ ...large, rows: others }),
        }
      );
    },
  };
  return { ...world, answers };
}

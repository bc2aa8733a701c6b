import { expect, test } from "vitest";
import { describeEachStore } from "../../../../../test/support/stores.js";
import { SECOND_MS } from "../../../../kit/clock.js";
import { LoopTurns } from "../../../../kit/loop-turns.js";
import { manualClock } from "../../../../kit/manual-clock.js";
import { seededRandom } from "../../../../kit/random.js";
import { evaluatingNode, lineOf } from "../testing/evaluating-node.js";
import { callOf, type ScriptedWorld, scriptedWorld } from "../testing/scripted-world.js";
import { NOW } from "../testing/watch-node.js";
import { watchEvaluator } from "./evaluator.js";
import { LEASE_MS } from "./store-outcomes.js";

const ROUNDS = 30;
const NODES = 2;
/** Number of watches. Their outcomes do not fit into a single transaction on SQLite. */
const WATCHES = 30;
const FAIL_EVERY = 3;

class Killed extends Error {}

const definitions = [
  { name: "new" },
  { name: "both", call: callOf("a,b"), on: "WATCH_ON_CHANGED" },
  { name: "quiet", quietSeconds: 30 },
  { name: "rows", grouping: "WATCH_GROUPING_ROW" },
  { name: "true", on: "WATCH_ON_BECOMES_TRUE", condition: "has x1" },
  { name: "count", call: callOf("b"), on: "WATCH_ON_THRESHOLD_CROSSED", condition: "count", threshold: { above: 2 } },
  { name: "state", on: "WATCH_ON_STATE_CHANGES" },
  { name: "broken", condition: "nonsense" },
] as const;

/** Publishes the change of a round. A round has the same change in every run of the test. */
function change(world: ScriptedWorld, round: number): void {
  const random = seededRandom(round);
  const ids = ["x1", "x2", "x3", "x4", "x5"].filter(() => random() < 0.5);
  const state = random() < 0.2 ? "partial" : "ok";
  world.publish(random() < 0.5 ? "a" : "b", ids, state);
}

await describeEachStore((open) => {
  /**
   * Plays all rounds and returns the firings of each watch in order. `danger` is called before and after every
   * statement and may throw.
   */
  async function play(danger: () => void): Promise<ReadonlyMap<string, readonly string[]>> {
    const store = await open();
    const clock = manualClock(NOW);
    const world = scriptedWorld(clock);
    change(world, 0);
    const first = await evaluatingNode(store.database, world, { clock });
    for (const definition of definitions) await first.create(world, definition);
    const nodes = await Promise.all(
      Array.from({ length: NODES }, async (_, at) => {
        const database = await store.openAgain();
        const db = database.db.withPlugin({
          transformQuery: ({ node }) => {
            danger();
            return node;
          },
          transformResult: async ({ result }) => {
            danger();
            return result;
          },
        });
        const { parts } = await evaluatingNode(database, world, { clock, seed: at + 1 });
        return { ...parts, database: { ...database, db } };
      }),
    );
    const turns = new LoopTurns();
    const { signal } = new AbortController();
    // Every round starts new evaluators, as if all processes had been restarted.
    const round = async (): Promise<void> => {
      await Promise.all(
        nodes.map(async (parts) => {
          try {
            await watchEvaluator(parts)({ ...world, turns, signal });
          } catch (fault) {
            const faults = fault instanceof AggregateError ? fault.errors : [fault];
            if (!faults.every((error) => error instanceof Killed)) throw fault;
          }
        }),
      );
    };
    for (let count = 1; count <= ROUNDS; count += 1) {
      clock.advance(7 * SECOND_MS);
      change(world, count);
      await round();
      clock.advance(LEASE_MS);
      await round();
    }
    for (let count = 0; count < 10; count += 1) {
      clock.advance(LEASE_MS);
      await first.evaluate();
    }
    const fired = await first.fired();
    expect(fired.map(({ position }) => position)).toEqual(fired.map((_, at) => at + 1));
    expect(new Set(fired.map(({ firingId }) => firingId)).size).toBe(fired.length);
    return new Map(
      definitions.map(({ name }) => [
        name,
        fired.flatMap((firing) =>
          firing.watchName === name
            ? [`${firing.firedAt} ${lineOf(firing)} ${JSON.stringify(firing.generations)}`]
            : [],
        ),
      ]),
    );
  }

  test("nodes that are killed at any statement produce the same firings as nodes that are never killed, and no firing twice", async () => {
    const random = seededRandom(71);
    let kills = 0;
    const expected = await play(() => undefined);
    const fired = await play(() => {
      if (random() >= 0.02) return;
      kills += 1;
      throw new Killed();
    });
    expect(Object.fromEntries(fired)).toEqual(Object.fromEntries(expected));
    for (const { name } of definitions) expect(fired.get(name)?.length).toBeGreaterThan(0);
    // A test without kills would prove nothing.
    expect(kills).toBeGreaterThan(25);
  });

  test("a store that fails at any statement of a round loses no change of any watch", async () => {
    const store = await open();
    const clock = manualClock(NOW);
    const world = scriptedWorld(clock);
    const node = await evaluatingNode(store.database, world, { clock });
    world.publish("a", []);
    for (let count = 0; count < WATCHES; count += 1) await node.create(world, { name: `watch ${count}` });
    clock.advance(LEASE_MS);
    await node.evaluate();
    clock.advance(LEASE_MS);
    let statements = 0;
    let failAt = 0;
    const db = node.parts.database.db.withPlugin({
      transformQuery: ({ node: query }) => {
        statements += 1;
        if (statements === failAt) throw new Killed();
        return query;
      },
      transformResult: async ({ result }) => result,
    });
    const evaluate = watchEvaluator({ ...node.parts, database: { ...node.parts.database, db } });
    const context = { ...world, turns: new LoopTurns(), signal: new AbortController().signal };
    const round = async (): Promise<void> => {
      clock.advance(SECOND_MS);
      statements = 0;
      await evaluate(context);
    };
    for (failAt = 1; ; failAt += FAIL_EVERY) {
      const at = failAt;
      world.publish("a", [`r${at}`]);
      const failure = await round().catch((fault: unknown) => fault);
      if (failure === undefined) break;
      expect(failure).toBeInstanceOf(Killed);
      failAt = 0;
      await round();
      failAt = at;
    }
    const rounds = (failAt - 1) / FAIL_EVERY + 1;
    expect(rounds).toBeGreaterThan(WATCHES / FAIL_EVERY);
    const fired = await node.fired();
    for (let count = 0; count < WATCHES; count += 1) {
      const own = fired.filter(({ watchName }) => watchName === `watch ${count}`);
      expect(own.map(lineOf)).toEqual(
        Array.from({ length: rounds }, (_, at) => `FIRED watch ${count} r${1 + at * FAIL_EVERY}`),
      );
    }
  });
});

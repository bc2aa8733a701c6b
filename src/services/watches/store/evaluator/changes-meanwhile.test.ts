import { expect, test } from "vitest";
import { describeEachStore } from "../../../../../test/support/stores.js";
import { SECOND_MS } from "../../../../kit/clock.js";
import { manualClock } from "../../../../kit/manual-clock.js";
import type { WatchDefinition } from "../../records.js";
import { startAtEnd } from "../../rules/start.js";
import { evaluatingNode, lineOf } from "../testing/evaluating-node.js";
import { callOf, scriptedWorld } from "../testing/scripted-world.js";
import { definitionOf, NOW } from "../testing/watch-node.js";
import { SETTLED_AFTER_MS } from "./settled.js";

/* Callers who change a watch while it is being evaluated. */

await describeEachStore((open) => {
  async function prepared() {
    const { database } = await open();
    const clock = manualClock(NOW);
    const world = scriptedWorld(clock);
    let interruption: (() => Promise<unknown>) | undefined;
    const answers: typeof world.answers = {
      ...world.answers,
      async answer(...call) {
        const work = interruption;
        interruption = undefined;
        await work?.();
        return world.answers.answer(...call);
      },
    };
    const node = await evaluatingNode(database, { ...world, answers }, { clock });
    world.publish("a", ["r1"]);
    world.publish("b", ["r1"]);
    return {
      clock,
      world,
      node,
      lines: async () => (await node.fired()).map(lineOf),
      evaluate: async () => {
        clock.advance(SETTLED_AFTER_MS);
        await node.evaluate();
      },
      /** Does this work during the next answer. */
      interrupt: (work: () => Promise<unknown>) => {
        interruption = work;
      },
      async update(watchId: string, more: Partial<WatchDefinition>, goesOn: boolean) {
        const definition = definitionOf(more);
        const datasets = answers.reopen(definition.call)?.datasets ?? [];
        const memory = await startAtEnd(world.timeline, datasets, clock.now());
        await node.inCall(({ watches }) => watches.update(watchId, { definition, datasets, memory }, goesOn));
      },
    };
  }

  test("an update during a catch-up of several outcomes ends the catch-up, and the watch asks the new question", async () => {
    const { clock, world, node, lines, evaluate, interrupt, update } = await prepared();
    const { watchId } = await node.create(world);
    await evaluate();
    await node.inCall(({ watches }) => watches.setState(watchId, "WATCH_STATE_PAUSED"));
    // Each change fires about 60 KB, so these changes fill two outcomes.
    const text = "x".repeat(3_900);
    for (let change = 0; change < 40; change += 1) {
      clock.advance(SECOND_MS);
      const rows = Array.from({ length: 18 }, (_, row) => ({ id: `r${change}-${row}`, text }));
      world.publish("a", rows);
    }
    await node.inCall(({ watches }) => watches.setState(watchId, "WATCH_STATE_ACTIVE"));
    interrupt(() => update(watchId, { name: "Other", call: callOf("b") }, false));
    await evaluate();
    await evaluate();
    expect(await lines()).toEqual([]);
    clock.advance(SECOND_MS);
    world.publish("b", ["r1", "r2"]);
    await evaluate();
    expect(await lines()).toEqual(["FIRED Other r2"]);
  });

  test("a change during whose evaluation the watch is renamed is evaluated under the new name", async () => {
    const { clock, world, node, lines, evaluate, interrupt, update } = await prepared();
    const question = { on: "WATCH_ON_BECOMES_TRUE", condition: "has r2" } as const;
    const { watchId } = await node.create(world, question);
    await evaluate();
    clock.advance(SECOND_MS);
    world.publish("a", ["r1", "r2"]);
    interrupt(() => update(watchId, { ...question, name: "Renamed" }, true));
    await evaluate();
    expect(await lines()).toEqual(["FIRED Renamed"]);
    expect(await node.find(watchId)).toMatchObject({ isBehind: false });
    clock.advance(SECOND_MS);
    world.publish("a", ["r1"]);
    await evaluate();
    expect(await lines()).toEqual(["FIRED Renamed", "RESOLVED Renamed"]);
  });

  test("the end of a quiet period during whose evaluation the watch is renamed is evaluated under the new name", async () => {
    const { clock, world, node, lines, evaluate, interrupt, update } = await prepared();
    const quietSeconds = 60;
    const { watchId } = await node.create(world, { quietSeconds });
    await evaluate();
    for (const id of ["r2", "r3"]) {
      clock.advance(SECOND_MS);
      world.publish("a", ["r1", id]);
      await node.evaluate();
    }
    clock.advance(quietSeconds * SECOND_MS);
    interrupt(() => update(watchId, { name: "Renamed", quietSeconds }, true));
    await evaluate();
    expect(await lines()).toEqual(["FIRED Rows r2", "FIRED Renamed r3"]);
  });
});

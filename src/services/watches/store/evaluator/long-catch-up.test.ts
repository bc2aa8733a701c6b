import { expect, test } from "vitest";
import { describeEachStore } from "../../../../../test/support/stores.js";
import { MINUTE_MS, SECOND_MS } from "../../../../kit/clock.js";
import { manualClock } from "../../../../kit/manual-clock.js";
import { evaluatingNode, lineOf } from "../testing/evaluating-node.js";
import { callOf, scriptedWorld } from "../testing/scripted-world.js";
import { NOW } from "../testing/watch-node.js";
import { SETTLED_AFTER_MS } from "./settled.js";

/* Catch-ups that take longer than the lease of the evaluating node, or than the time of their account. */

const MS_PER_ANSWER = 400;
const CHANGES = 100;

await describeEachStore((open) => {
  /** Two nodes on one store, and a watch that must catch up with 100 changes. Every answer takes 400 ms. */
  async function prepared(msPerMinute: number) {
    const store = await open();
    const clock = manualClock(NOW);
    const world = scriptedWorld(clock);
    let afterAnswer = async (): Promise<unknown> => undefined;
    let answers = 0;
    const slow: typeof world = {
      ...world,
      answers: {
        ...world.answers,
        async answer(...call) {
          answers += 1;
          clock.advance(MS_PER_ANSWER);
          await afterAnswer();
          return world.answers.answer(...call);
        },
      },
    };
    const options = {
      clock,
      monotonic: () => clock.now(),
      settings: { VIGIL_WATCH_MS_PER_MINUTE: String(msPerMinute) },
    };
    const node = await evaluatingNode(store.database, slow, options);
    const other = await evaluatingNode(await store.openAgain(), slow, { ...options, seed: 1 });
    world.publish("a", ["r1"]);
    world.publish("b", ["r1"]);
    const { watchId } = await node.create(world);
    await node.create(world, { name: "Other", call: callOf("b") }, "acc_b");
    clock.advance(SETTLED_AFTER_MS);
    await node.evaluate();
    await node.inCall(({ watches }) => watches.setState(watchId, "WATCH_STATE_PAUSED"));
    for (let change = 0; change < CHANGES; change += 1) {
      clock.advance(SECOND_MS);
      world.publish("a", ["r1", `n${change}`]);
    }
    await node.inCall(({ watches }) => watches.setState(watchId, "WATCH_STATE_ACTIVE"));
    const startMinute = (): void => clock.set(Math.ceil(clock.now() / MINUTE_MS) * MINUTE_MS);
    startMinute();
    answers = 0;
    return {
      clock,
      world,
      node,
      other,
      /** Advances the clock to the start of the next minute. */
      startMinute,
      answers: () => answers,
      /** Does this work after each answer. */
      afterAnswers: (work: () => Promise<unknown>) => {
        afterAnswer = work;
      },
      lines: async (accountId?: string) => (await node.fired(accountId)).map(lineOf),
      isBehind: async () => (await node.find(watchId)).isBehind,
    };
  }

  const everyChange = Array.from({ length: CHANGES }, (_, change) => `FIRED Rows n${change}`);

  test("a node that evaluates one watch for longer than its lease keeps the lease", async () => {
    const { node, other, answers, afterAnswers, lines, isBehind } = await prepared(MINUTE_MS);
    let isTrying = false;
    afterAnswers(async () => {
      if (isTrying) return;
      isTrying = true;
      await other.evaluate();
      isTrying = false;
    });
    await node.evaluate();
    expect(await lines()).toEqual(everyChange);
    expect(await isBehind()).toBe(false);
    expect(answers()).toBe(CHANGES + 1);
  });

  test("a catch-up ends when the time of its account is used up, and continues in the next minute where it ended", async () => {
    const { world, node, startMinute, answers, lines, isBehind } = await prepared(10 * SECOND_MS);
    world.publish("b", ["r1", "r2"]);
    await node.evaluate();
    expect(answers()).toBeLessThanOrEqual((10 * SECOND_MS) / MS_PER_ANSWER + 3);
    expect(await lines("acc_b")).toEqual(["FIRED Other r2"]);
    const firingsOfFirstMinute = await lines();
    expect(firingsOfFirstMinute.length).toBeGreaterThan(0);
    expect(firingsOfFirstMinute).toEqual(everyChange.slice(0, firingsOfFirstMinute.length));
    expect(await isBehind()).toBe(true);
    for (let minute = 1; minute < 6; minute += 1) {
      startMinute();
      await node.evaluate();
    }
    expect(await lines()).toEqual(everyChange);
    expect(await isBehind()).toBe(false);
  });

  test("if the end of a quiet period uses up the time of an account, the change after it is evaluated in the next minute", async () => {
    const { clock, world, node, startMinute, lines } = await prepared(MS_PER_ANSWER / 2);
    const { watchId } = await node.create(world, { call: callOf("b"), quietSeconds: 60 }, "acc_c");
    const evaluateIn = async (rows: readonly string[]): Promise<void> => {
      world.publish("b", rows);
      await node.evaluate();
    };
    clock.advance(SETTLED_AFTER_MS);
    await node.evaluate();
    startMinute();
    await evaluateIn(["r1", "r2"]);
    clock.advance(SECOND_MS);
    await evaluateIn(["r1", "r2"]);
    startMinute();
    clock.advance(SECOND_MS);
    await evaluateIn(["r1", "r2", "r3"]);
    expect(await lines("acc_c")).toEqual(["FIRED Rows r2"]);
    expect(await node.inCall(({ watches }) => watches.find(watchId), "acc_c")).toMatchObject({
      watch: { isBehind: true },
    });
    startMinute();
    await node.evaluate();
    expect(await lines("acc_c")).toEqual(["FIRED Rows r2", "FIRED Rows r3"]);
  });
});

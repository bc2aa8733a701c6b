import { expect, test } from "vitest";
import { keyHolder } from "../../../../test/support/principals.js";
import { SECOND_MS } from "../../../kit/clock.js";
import { LoopTurns } from "../../../kit/loop-turns.js";
import { manualClock } from "../../../kit/manual-clock.js";
import { callOf, scriptedWorld } from "../store/testing/scripted-world.js";
import { definitionOf, NOW } from "../store/testing/watch-node.js";
import { checkedDefinition } from "./checked-definition.js";
import { dryRun, EVALUATIONS_MAX, FIRINGS_SHOWN_MAX, type Span } from "./dry-run.js";

function prepared(msPerLook = 0) {
  const clock = manualClock(NOW);
  const world = scriptedWorld(clock);
  world.publish("a", ["r1"]);
  let looks = 0;
  const monotonic = (): number => {
    looks += 1;
    return looks * msPerLook;
  };
  const publish = (count: number): void => {
    for (let added = 1; added <= count; added += 1) {
      clock.advance(SECOND_MS);
      world.publish("a", ["r1", `n${added}`]);
    }
  };
  const run = (span: Partial<Span> = {}, more = {}) => {
    const checked = checkedDefinition(definitionOf(more), world.answers, keyHolder);
    const whole = { from: NOW, to: clock.now(), ...span };
    return dryRun(checked, whole, {
      answers: world.answers,
      timeline: world.timeline,
      turns: new LoopTurns(),
      monotonic,
    });
  };
  return { clock, world, publish, run };
}

const iso = (at: number): string => new Date(at).toISOString();

test("a dry run evaluates the start and each change of its period, and returns a firing for each new row", async () => {
  const { publish, run, clock } = prepared();
  publish(3);
  const outcome = await run();
  expect(outcome).toMatchObject({
    from: iso(NOW),
    to: iso(clock.now()),
    evaluations: 4,
    firingCount: 3,
    truncated: false,
  });
  expect(outcome.firings.map(({ firedAt, rows }) => [firedAt, rows?.map(({ id }) => id)])).toEqual([
    [iso(NOW + SECOND_MS), ["n1"]],
    [iso(NOW + 2 * SECOND_MS), ["n2"]],
    [iso(NOW + 3 * SECOND_MS), ["n3"]],
  ]);
  expect(outcome).not.toHaveProperty("cutAt");
});

test("a dry run evaluates only the changes in its period", async () => {
  const { publish, run } = prepared();
  publish(5);
  const outcome = await run({ from: NOW + 2 * SECOND_MS, to: NOW + 4 * SECOND_MS });
  expect(outcome.firings.map(({ rows }) => rows?.[0]?.id)).toEqual(["n3", "n4"]);
});

test("a dry run ends at its limit of evaluations, and the next run continues there", async () => {
  const { publish, run } = prepared();
  publish(EVALUATIONS_MAX + 10);
  const outcome = await run();
  expect(outcome).toMatchObject({ truncated: true, evaluations: EVALUATIONS_MAX, firingCount: EVALUATIONS_MAX - 1 });
  expect(outcome.firings).toHaveLength(FIRINGS_SHOWN_MAX);
  expect(outcome.to).toBe(iso(outcome.cutAt?.at ?? 0));
  const rest = await run({ from: outcome.cutAt ?? 0 });
  expect(rest).toMatchObject({ truncated: false, firingCount: 11 });
});

test("a dry run ends when its time is up", async () => {
  const { publish, run } = prepared(SECOND_MS);
  publish(30);
  expect(await run()).toMatchObject({ truncated: true, evaluations: 10 });
});

test("a dry run ends before it reads too many generations", async () => {
  const { publish, world, run } = prepared();
  publish(300);
  const { answer } = world.answers;
  const cold: typeof answer = (question, standings, now, onRead) => {
    onRead?.();
    return answer(question, standings, now);
  };
  Object.assign(world.answers, { answer: cold });
  const outcome = await run();
  expect(outcome).toMatchObject({ truncated: true });
  expect(outcome.evaluations).toBeLessThan(202);
  const rest = await run({ from: outcome.cutAt ?? 0 });
  expect(rest).toMatchObject({ truncated: false, firingCount: 300 - outcome.firingCount });
});

test("a dry run counts changes whose content is no longer kept as skipped", async () => {
  const { publish, world, run } = prepared();
  publish(3);
  world.forget("a", 3);
  expect(await run()).toMatchObject({ skippedGenerations: 1, firingCount: 2 });
});

test("if the log no longer has the start of the period, a dry run starts at the first position by which every dataset has an entry", async () => {
  const { clock, world, publish, run } = prepared();
  publish(3);
  clock.advance(SECOND_MS);
  world.publish("b", ["b1"]);
  publish(1);
  world.thin(3);
  const outcome = await run({ from: NOW }, { call: callOf("a,b") });
  expect(outcome.from).toBe(iso(NOW + 4 * SECOND_MS));
  expect(outcome.firings.map(({ rows }) => rows?.map(({ id }) => id))).toEqual([["n1"]]);
});

test("if the log no longer has the start of the period, the start of a dry run does not depend on the order of the datasets", async () => {
  const { clock, world, run } = prepared();
  for (const [dataset, rows] of [
    ["c", ["c1"]],
    ["c", ["c2"]],
    ["a", ["n1"]],
    ["b", ["b1"]],
    ["a", ["n1", "n2"]],
  ] as const) {
    clock.advance(SECOND_MS);
    world.publish(dataset, rows);
  }
  world.thin(3);
  for (const datasets of ["a,b", "b,a"]) {
    const outcome = await run({ from: NOW }, { call: callOf(datasets) });
    expect([datasets, outcome.from]).toEqual([datasets, iso(NOW + 4 * SECOND_MS)]);
    expect(outcome.firings.map(({ rows }) => rows?.map(({ id }) => id))).toEqual([["n2"]]);
  }
});

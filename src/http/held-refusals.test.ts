import { expect, test } from "vitest";
import { HELD_TICKS_MAX, HeldRefusals, PER_TICK, PROMPT_PER_SECOND, TICK_MS } from "./held-refusals.js";

const HELD_MAX = 5_000;
/** Number of refusals that fill the ticks in which a refusal can be sent: the 25th to the 100th after its arrival. */
const FULL = 76 * PER_TICK;

function holding() {
  const state = { nowMs: 0, ticking: undefined as (() => void) | undefined };
  let sent = 0;
  const refusals = new HeldRefusals({
    heldMax: HELD_MAX,
    now: () => state.nowMs,
    everyTick(callback) {
      state.ticking = callback;
      return () => {
        state.ticking = undefined;
      };
    },
  });
  return {
    state,
    refusals,
    /** Lets this many ticks pass before the timer runs. */
    pass(ticks: number) {
      state.nowMs += ticks * TICK_MS;
      state.ticking?.();
    },
    add(count: number) {
      for (let refusal = 0; refusal < count; refusal += 1) refusals.add(() => (sent += 1));
    },
    /** The number of refusals sent since the last check. */
    sent() {
      const count = sent;
      sent = 0;
      return count;
    },
  };
}

test("the first refusals of each second are sent immediately", () => {
  const { state, add, sent } = holding();
  for (const second of [0, 1, 2]) {
    state.nowMs = second * 1_000;
    add(PROMPT_PER_SECOND);
    expect(sent()).toBe(PROMPT_PER_SECOND);
  }
  expect(state.ticking).toBeUndefined();
});

test("after the first refusals of a second, further ones are held for at least half a second, and each tick sends a limited number", () => {
  const { state, add, pass, sent } = holding();
  add(PROMPT_PER_SECOND + 3 * PER_TICK - 10);
  expect(sent()).toBe(PROMPT_PER_SECOND);
  for (let tick = 1; tick < 25; tick += 1) pass(1);
  expect(sent()).toBe(0);
  const perTick = [1, 2, 3].map(() => {
    pass(1);
    return sent();
  });
  expect(perTick).toEqual([PER_TICK, PER_TICK, PER_TICK - 10]);
  expect(state.ticking).toBeUndefined();
});

test("a refusal that arrives while the ticks run is also held for at least half a second", () => {
  const { add, pass, sent } = holding();
  add(PROMPT_PER_SECOND + 1);
  for (let tick = 0; tick < 20; tick += 1) pass(1);
  expect(sent()).toBe(PROMPT_PER_SECOND);
  add(PER_TICK);
  for (let tick = 0; tick < 24; tick += 1) pass(1);
  // This is the very first held refusal, which was held for 25 ticks.
  expect(sent()).toBe(1);
  pass(1);
  expect(sent()).toBe(PER_TICK);
});

test("no refusal is held for more than two seconds, even if all ticks are full", () => {
  const { state, add, pass, sent } = holding();
  add(PROMPT_PER_SECOND + FULL + 2 * PER_TICK);
  sent();
  const perTick = Array.from({ length: HELD_TICKS_MAX }, () => {
    pass(1);
    return sent();
  });
  expect(perTick.slice(0, 24)).toEqual(Array(24).fill(0));
  // Once all ticks are full, further refusals fill the last tick a second time, and then the first tick.
  expect(perTick.slice(24)).toEqual([2 * PER_TICK, ...Array(74).fill(PER_TICK), 2 * PER_TICK]);
  expect(state.ticking).toBeUndefined();
});

test("a late timer sends the refusals of all ticks that have passed", () => {
  const { state, add, pass, sent } = holding();
  add(PROMPT_PER_SECOND + 10 * PER_TICK);
  sent();
  pass(30);
  expect(sent()).toBe(6 * PER_TICK);
  pass(100);
  expect(sent()).toBe(4 * PER_TICK);
  expect(state.ticking).toBeUndefined();
});

test("refusals are sent immediately while too many are held", () => {
  const { add, sent } = holding();
  add(PROMPT_PER_SECOND + HELD_MAX);
  expect(sent()).toBe(PROMPT_PER_SECOND);
  add(3);
  expect(sent()).toBe(3);
});

test("sendAll sends all held refusals and stops the ticks", () => {
  const { state, refusals, add, sent } = holding();
  add(PROMPT_PER_SECOND + 100);
  refusals.sendAll();
  expect(sent()).toBe(PROMPT_PER_SECOND + 100);
  expect(state.ticking).toBeUndefined();
});

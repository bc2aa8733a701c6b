import { expect, test } from "vitest";
import { TurnAge } from "./turn-age.js";

function manualAge() {
  const state = { nowMs: 0, ends: [] as (() => void)[] };
  const age = new TurnAge({ now: () => state.nowMs, defer: (callback) => state.ends.push(callback) });
  return {
    /**
     * Reads the delay many times within one turn of the event loop. Returns the delay at the start of the turn, and the
     * delay after each further wait in `times`, in ms.
     */
    turn(...times: readonly number[]): readonly number[] {
      for (let reading = 0; reading < 63; reading += 1) void age.delayMs;
      const delays = [0, ...times].map((ms) => {
        state.nowMs += ms;
        return age.delayMs;
      });
      for (const end of state.ends.splice(0)) end();
      return delays;
    },
    /** Reads the delay a few times in a long turn. */
    fewInTurn(ms: number): number {
      void age.delayMs;
      state.nowMs += ms;
      const { delayMs } = age;
      for (const end of state.ends.splice(0)) end();
      return delayMs;
    },
  };
}

test("the delay grows within a turn and starts over in the next one", () => {
  const { turn } = manualAge();
  turn(1_000);
  expect(turn(10, 20)).toEqual([0, 10, 30]);
  expect(turn(5)).toEqual([0, 5]);
});

test("after a shorter turn, the delay is half the age of the turn, but at least the shorter turn's length", () => {
  const { turn } = manualAge();
  expect(turn(80)).toEqual([0, 40]);
  expect(turn(60, 40, 100)).toEqual([0, 60, 80, 100]);
  turn(1);
  expect(turn(80)).toEqual([0, 40]);
});

test("a long turn with only a few readings has no delay", () => {
  const { fewInTurn } = manualAge();
  fewInTurn(1_000);
  expect(fewInTurn(1_000)).toBe(0);
});

import { expect, test } from "vitest";
import { GATHERED_BYTES_MAX, GATHERED_MAX, GATHERED_MIN, GatheredSends } from "./gathered-sends.js";

function gathering() {
  const state = { isTurnBusy: false };
  const sent: number[] = [];
  const deferred: (() => void)[] = [];
  const sends = new GatheredSends({
    isTurnBusy: () => state.isTurnBusy,
    defer: (callback) => deferred.push(callback),
  });
  const add = (count: number, bytes = 1): void => {
    for (let answer = 1; answer <= count; answer += 1) sends.add(() => sent.push(answer), bytes);
  };
  return {
    state,
    add,
    /** The answers sent since the last check. */
    sent: () => sent.splice(0),
    endTurn() {
      for (const callback of deferred.splice(0)) callback();
    },
  };
}

/** Creates a `GatheredSends` that gathers the answers of the next turn: its last turn had `GATHERED_MIN` answers. */
function afterFullTurn() {
  const sends = gathering();
  sends.add(GATHERED_MIN);
  sends.endTurn();
  sends.sent();
  return sends;
}

test("after a turn with many answers, the answers of the next turn are sent at its end, in order", () => {
  const { add, sent, endTurn } = afterFullTurn();
  add(2);
  expect(sent()).toEqual([]);
  endTurn();
  expect(sent()).toEqual([1, 2]);
});

test("after a turn with few answers, the answers of the next turn are sent immediately", () => {
  const { add, sent, endTurn } = gathering();
  for (let turn = 0; turn < 3; turn += 1) {
    add(GATHERED_MIN - 1);
    expect(sent()).toHaveLength(GATHERED_MIN - 1);
    endTurn();
  }
  expect(sent()).toEqual([]);
});

test("in a turn with many requests, gathered answers are sent as soon as they reach the maximum number", () => {
  const { add, sent, endTurn } = afterFullTurn();
  add(GATHERED_MAX + 1);
  expect(sent()).toHaveLength(GATHERED_MAX);
  endTurn();
  expect(sent()).toEqual([GATHERED_MAX + 1]);
});

test("an answer is sent immediately if other work is already due at the end of the turn", () => {
  const { state, add, sent, endTurn } = afterFullTurn();
  state.isTurnBusy = true;
  add(1);
  expect(sent()).toEqual([1]);
  endTurn();
  expect(sent()).toEqual([]);
});

test("an answer with a large body is sent immediately", () => {
  const { add, sent } = afterFullTurn();
  add(1, GATHERED_BYTES_MAX);
  expect(sent()).toEqual([]);
  add(1, GATHERED_BYTES_MAX + 1);
  expect(sent()).toEqual([1]);
});

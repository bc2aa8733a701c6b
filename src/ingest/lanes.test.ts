import { expect, test } from "vitest";
import { lanesOf } from "./lanes.js";

interface Waiting {
  readonly key: string;
  readonly lane: string;
}

const request = (key: string, lane = "one"): Waiting => ({ key, lane });
const requests = (lane: string, count: number): Waiting[] =>
  Array.from({ length: count }, (_, index) => request(`${lane}${index}`, lane));

const laneOf = ({ lane }: Waiting): string => lane;

test("lanes take turns in the order of their requests", () => {
  const lanes = lanesOf([...requests("a", 3), ...requests("b", 1), ...requests("c", 2)], laneOf);
  const keys = Array.from({ length: 7 }, () => {
    const turn = lanes.next();
    turn?.end();
    return turn?.request.key;
  });
  expect(keys).toEqual(["a0", "b0", "c0", "a1", "c1", "a2", undefined]);
});

test("a lane whose first request does not end gets no second turn until the other lanes are done", () => {
  const lanes = lanesOf([...requests("slow", 5), ...requests("quick", 3)], laneOf);
  const keys: string[] = [];
  for (let turn = lanes.next(); turn; turn = lanes.next()) {
    keys.push(turn.request.key);
    if (turn.request.lane === "quick") turn.end();
  }
  expect(keys).toEqual(["slow0", "quick0", "quick1", "quick2", "slow1", "slow2", "slow3", "slow4"]);
});

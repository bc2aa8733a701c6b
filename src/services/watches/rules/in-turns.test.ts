import { expect, test } from "vitest";
import { inTurns } from "./in-turns.js";

test("the groups take turns, each in the order of its items", () => {
  expect(inTurns(["a1", "a2", "a3", "b1", "c1", "c2"], ([group = ""]) => group)).toEqual([
    "a1",
    "b1",
    "c1",
    "a2",
    "c2",
    "a3",
  ]);
});

import { expect, test } from "vitest";
import { inTurns } from "./in-turns.js";

test("inTurns lets the groups take turns and keeps the order of items within a group", () => {
  expect(inTurns(["a1", "a2", "a3", "b1", "c1", "c2"], ([group = ""]) => group)).toEqual([
    "a1",
    "b1",
    "c1",
    "a2",
    "c2",
    "a3",
  ]);
});

import { expect, test } from "vitest";
import { nearest, suggestion } from "./nearest.js";

const names = ["serve", "demo", "doctor", "datasets", "VIGIL_PORT", "VIGIL_HOST"];

test.each([
  ["srve", "serve"],
  ["sevre", "serve"],
  ["dataset", "datasets"],
  ["Doctor", "doctor"],
  ["VIGIL_PROT", "VIGIL_PORT"],
  ["VIGIL_PRT", "VIGIL_PORT"],
  ["", undefined],
  ["explain", undefined],
  ["x".repeat(1_000), undefined],
])("the name closest to %s is %s", (typed, name) => {
  expect(nearest(typed, names)).toBe(name);
});

test("a suggestion is empty when no name is close", () => {
  expect(suggestion("srve", names)).toBe("; did you mean serve?");
  expect(suggestion("restart", names)).toBe("");
});

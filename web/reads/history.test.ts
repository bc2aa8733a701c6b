import { expect, test } from "vitest";
import { changesText, servedAt } from "./history.js";

const entries = [
  { kind: "generation", at: 300, generation: 3 },
  { kind: "failure", at: 250, error: "timed out" },
  { kind: "generation", at: 200, generation: 2 },
];

test.each([
  [1_000, 3],
  [300, 3],
  [299, 2],
  [199, undefined],
])("at %d generation %s was served", (at, generation) => expect(servedAt(entries, at)).toBe(generation));

test("sums changes over the parts", () => {
  const changes = { a: { added: 1, changed: 0, removed: 2 }, b: { added: 4, changed: 0, removed: 0 } };
  expect(changesText({ generation: 2, changes })).toBe("5 added, 2 removed");
  expect(changesText({ generation: 2, changes: { a: { added: 0, changed: 0, removed: 0 } } })).toBe("nothing");
  expect(changesText({})).toBe("");
  expect(changesText({ generation: 1, changes })).toBe("the first");
});

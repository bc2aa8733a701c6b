import { expect, test } from "vitest";
import { changesText, type HistoryEntry, servedAt } from "./history.js";

const generation = (number: number): HistoryEntry => ({
  kind: "generation",
  at: 100 * number,
  generation: number,
  builtAt: 100 * number,
  newestAt: null,
  contentHash: "",
  bodyBytes: 1,
  records: {},
  changes: null,
});
const entries: readonly HistoryEntry[] = [
  generation(3),
  { kind: "failed-run", at: 250, run: 9, outcome: "failed", error: "timed out", generation: 2 },
  generation(2),
  { kind: "failed-run", at: 150, run: 1, outcome: "failed", error: "timed out", generation: null },
];

test.each([
  [1_000, 3],
  [300, 3],
  [299, 2],
  [249, 2],
  [199, undefined],
  [149, undefined],
])("at %d, generation %s was served", (at, generation) => expect(servedAt(entries, at)).toBe(generation));

test("changesText sums the changes of all parts, and returns special texts for no changes and for generation 1", () => {
  const changes = { a: { added: 1, changed: 0, removed: 2 }, b: { added: 4, changed: 0, removed: 0 } };
  expect(changesText({ generation: 2, changes })).toBe("5 added, 2 removed");
  expect(changesText({ generation: 2, changes: { a: { added: 0, changed: 0, removed: 0 } } })).toBe("nothing");
  expect(changesText({ generation: 2, changes: null })).toBe("");
  expect(changesText({ generation: 1, changes })).toBe("the first");
});

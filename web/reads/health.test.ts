import { expect, test } from "vitest";
import type { DataState, DatasetHealth } from "../../src/sdk/index.js";
import { inOrderOfNeed, stateCounts, summaryText } from "./health.js";

const dataset = (name: string, state: DataState, error: string | null = null): DatasetHealth => ({
  name,
  state,
  stateReasons: [],
  generation: 1,
  builtAt: 1,
  checkedAt: 1,
  newestAt: 1,
  attemptedAt: 1,
  outcome: "published",
  error,
  failuresInRow: 0,
  nextAt: 1,
  parts: [],
});

test("datasets are sorted by state, worst first; within a state, failing ones come first; ties are sorted by name", () => {
  const datasets = [
    dataset("d", "ok"),
    dataset("c", "ok", "timed out"),
    dataset("b", "stale"),
    dataset("a", "ok"),
    dataset("e", "absent"),
    dataset("f", "unreadable"),
    dataset("g", "partial"),
  ];
  expect(inOrderOfNeed(datasets).map(({ name }) => name)).toEqual(["f", "e", "b", "g", "c", "a", "d"]);
});

test("states are counted, worst first, and states without datasets are left out", () => {
  expect(stateCounts([dataset("a", "ok"), dataset("b", "stale"), dataset("c", "ok")])).toEqual([
    ["stale", 1],
    ["ok", 2],
  ]);
});

test.each([
  [[], "No dataset is built here."],
  [[dataset("a", "ok")], "The only dataset is complete and fresh."],
  [[dataset("a", "ok"), dataset("b", "ok")], "All 2 datasets are complete and fresh."],
  [[dataset("a", "ok"), dataset("b", "stale")], "1 of 2 datasets needs a look before you rely on it."],
  [[dataset("a", "absent"), dataset("b", "stale")], "2 of 2 datasets need a look before you rely on them."],
] as const)("the summary of %j is: %s", (datasets, text) => expect(summaryText(datasets)).toBe(text));

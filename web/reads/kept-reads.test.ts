import { expect, test } from "vitest";
import { dueKeys, keptReads } from "./kept-reads.js";

test("newer reads replace older ones, and reads that are no longer wanted are dropped", () => {
  const kept = keptReads(
    new Map([
      ["a", 1],
      ["b", 1],
      ["c", 1],
    ]),
    [
      ["a", 2],
      ["d", 2],
    ],
    new Set(["a", "b", "d"]),
  );
  expect([...kept]).toEqual([
    ["b", 1],
    ["a", 2],
    ["d", 2],
  ]);
});

test("keys that were never read are read first, then those with the oldest reads", () => {
  const kept = new Map([
    ["old", 1],
    ["gone", 1],
    ["new", 1],
  ]);
  expect(dueKeys(kept, new Set(["new", "old", "missing"]), 2)).toEqual(["missing", "old"]);
  expect(dueKeys(new Map(), new Set(), 2)).toEqual([]);
});

test("repeated reads reach every key equally often", () => {
  const keys = new Set(Array.from({ length: 7 }, (_, at) => String(at)));
  let kept: ReadonlyMap<string, number> = new Map();
  const counts = new Map<string, number>();
  for (let turn = 0; turn < 14; turn += 1) {
    const due = dueKeys(kept, keys, 2);
    for (const key of due) counts.set(key, (counts.get(key) ?? 0) + 1);
    kept = keptReads(
      kept,
      due.map((key) => [key, turn] as const),
      keys,
    );
  }
  expect(new Set(counts.values())).toEqual(new Set([4]));
});

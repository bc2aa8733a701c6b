import { expect, test } from "vitest";
import type { AnyDataset } from "../contract/product.js";
import { MINUTE_MS } from "../kit/clock.js";
import { manualClock } from "../kit/manual-clock.js";
import type { DatasetStatus, FinishedRun } from "../snapshots/generation.js";
import { recordLostRun } from "./record-lost-run.js";

const NOW = Date.UTC(2026, 10, 22);
const dataset = { name: "news", cadenceMs: 15 * MINUTE_MS } as AnyDataset;

async function recordedAfter(before: readonly DatasetStatus[]): Promise<FinishedRun> {
  const runs: FinishedRun[] = [];
  const store = {
    statuses: async () => [...before],
    recordRun: async (run: FinishedRun) => {
      runs.push(run);
    },
  };
  await recordLostRun({ store, clock: manualClock(NOW), random: () => 0.5 }, dataset, "the thread was blocked");
  const [run] = runs;
  if (!run) throw new Error("no run was recorded");
  return run;
}

test("the lost first run of a dataset is recorded as failed, and repeated a minute later", async () => {
  const { status, reports } = await recordedAfter([]);
  expect(reports).toEqual([]);
  expect(status).toEqual({
    dataset: "news",
    attemptedAt: NOW,
    outcome: "failed",
    error: "the thread was blocked",
    checkedAt: null,
    nextAt: NOW + MINUTE_MS,
    failuresInRow: 1,
    parts: {},
  });
});

test("a lost run keeps the status of the parts, and every further failure lengthens the wait", async () => {
  const feeds = { state: "fresh", confirmedAt: NOW - 1, error: null, validators: {} } as const;
  const earlier: DatasetStatus = {
    dataset: "news",
    attemptedAt: NOW - 1,
    outcome: "failed",
    error: "another",
    checkedAt: NOW - 2,
    nextAt: NOW,
    failuresInRow: 2,
    parts: { feeds },
  };
  const { status } = await recordedAfter([{ ...earlier, dataset: "other" }, earlier]);
  expect(status).toMatchObject({ failuresInRow: 3, nextAt: NOW + 4 * MINUTE_MS, checkedAt: NOW - 2, parts: { feeds } });
});

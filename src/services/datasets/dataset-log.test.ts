import { expect, test } from "vitest";
import { datasetLog } from "./dataset-log.js";

const change = { position: 1, dataset: "us-cpi", state: "ok", changedAt: "2026-11-23T13:30:02.114Z" } as const;

test.each([
  [{}, "us-cpi ok"],
  [
    { previousState: "ok", generation: 18, newestAt: "2026-10-31T00:00:00.000Z" },
    "us-cpi ok, generation 18, newest 2026-10-31",
  ],
  [{ previousState: "stale", generation: 18 }, "us-cpi ok (was stale), generation 18"],
] as const)("a change of a dataset is printed as one line: %j", (members, line) => {
  expect(datasetLog.line?.({ ...change, ...members })).toBe(`2026-11-23T13:30:02.114Z  ${line}`);
});

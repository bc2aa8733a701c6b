import { expect, test } from "vitest";
import { datasetTable } from "./dataset-table.js";

const NOW = Date.UTC(2026, 10, 18, 12);

test("each dataset has a row with its state, last check, newest data and last error, in the order of the list", () => {
  const rows = [
    {
      name: "us-treasury-yields",
      state: "stale",
      generation: 12,
      records: 8_912,
      checkedAt: NOW - 3 * 86_400_000,
      newestAt: Date.UTC(2026, 10, 13),
      error: "treasury: unavailable: 503",
    },
    {
      name: "us-cpi",
      state: "absent",
      generation: null,
      records: 0,
      checkedAt: null,
      newestAt: null,
      error: null,
    },
  ];
  expect(datasetTable(rows, NOW).split("\n")).toEqual([
    "dataset             state   generation  records  checked  newest      error",
    "------------------  ------  ----------  -------  -------  ----------  --------------------------",
    "us-treasury-yields  stale   12          8912     3 d      2026-11-13  treasury: unavailable: 503",
    "us-cpi              absent  -           0        never    -",
  ]);
});

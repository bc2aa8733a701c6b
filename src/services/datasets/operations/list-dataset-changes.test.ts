import { describe, expect, test } from "vitest";
import { keyHolder } from "../../../../test/support/principals.js";
import type { ChangeFilters } from "../ports.js";
import type { DatasetChange } from "../records.js";
import { listDatasetChanges } from "./list-dataset-changes.js";

const log = { oldest: 3, newest: 6, snapshotGeneration: 0 };
const changes = [3, 4, 6].map(
  (position): DatasetChange => ({ position, dataset: "a", state: "ok", changedAt: "2026-11-23T00:00:00.000Z" }),
);

/** A poll over these changes. Cursors are plain positions. */
function poll(cursor: string, pageSize = 50, filters: ChangeFilters = { dataset: [], state: [] }) {
  return listDatasetChanges.run(
    { cursor, pageSize, ...filters },
    {
      principal: keyHolder,
      ports: {
        reading: {
          states: async () => ({ position: log.newest, datasets: [] }),
          changesAfter: async (position, { dataset }, changesMax) => {
            const later = changes.filter((change) => position !== undefined && change.position > position);
            const page = later.filter(() => dataset.length === 0).slice(0, changesMax);
            return { log, changes: page, upTo: page.length === changesMax ? (page.at(-1)?.position ?? 0) : log.newest };
          },
        },
        cursors: {
          open: async (text) => ({ position: Number(text), snapshotGeneration: 0 }),
          sign: async ({ position }) => String(position),
        },
      },
    },
  );
}
const required = { changes: [], nextCursor: "", pollState: "DATASET_POLL_STATE_SNAPSHOT_REQUIRED" };

describe("list-dataset-changes", () => {
  test("a poll with an empty cursor begins at the end of the log", async () => {
    expect(await poll("")).toEqual({ changes: [], nextCursor: "6", pollState: "DATASET_POLL_STATE_CURRENT" });
  });

  test("a poll continues where the previous poll ended", async () => {
    expect(await poll("2", 2)).toMatchObject({ changes: changes.slice(0, 2), nextCursor: "4" });
    expect(await poll("4", 2)).toMatchObject({ changes: changes.slice(2), nextCursor: "6" });
  });

  test("the next cursor is the end of the log if the filters admit no change", async () => {
    expect(await poll("2", 2, { dataset: ["b"], state: [] })).toMatchObject({ changes: [], nextCursor: "6" });
  });

  test("a poll requires listing the states again if the log does not reach back to the cursor", async () => {
    expect(await poll("2")).toMatchObject({ pollState: "DATASET_POLL_STATE_CURRENT" });
    expect(await poll("1")).toEqual(required);
  });

  test("a poll requires listing the states again if the cursor is beyond the end of the log, as after a restored backup", async () => {
    expect(await poll("7")).toEqual(required);
  });
});

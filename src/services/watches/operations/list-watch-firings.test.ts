import { expect, test } from "vitest";
import { keyHolder } from "../../../../test/support/principals.js";
import type { WatchFiring } from "../records.js";
import { listWatchFirings } from "./list-watch-firings.js";

const log = { oldest: 3, newest: 6, snapshotGeneration: 0 };
/** Firings with only the member that the operation reads. */
const firings = [3, 4, 6].map((position) => ({ position }) as WatchFiring);

/** Calls `list-watch-firings` on these firings. The cursors are plain positions, without a signature. */
function poll(cursor: string, pageSize = 50) {
  return listWatchFirings.run(
    { cursor, pageSize, watchId: [], kind: [] },
    {
      principal: keyHolder,
      ports: {
        reading: {
          cursors: {
            open: async (text) => ({ position: Number(text), snapshotGeneration: 0 }),
            sign: async ({ position }) => String(position),
          },
          after: async (position, _filters, firingsMax) => {
            const from = position === "oldest" ? log.oldest - 1 : position;
            const page = firings.filter((firing) => firing.position > from).slice(0, firingsMax);
            return { log, from, firings: page, upTo: page.length === firingsMax ? (page.at(-1)?.position ?? 0) : 6 };
          },
        },
      },
    },
  );
}

test("without a cursor, polling begins with the oldest firing; each further poll continues where the last one ended", async () => {
  const first = await poll("", 2);
  expect(first).toMatchObject({ firings: firings.slice(0, 2), nextCursor: "4" });
  expect(await poll(first.nextCursor, 2)).toMatchObject({ firings: firings.slice(2), nextCursor: "6" });
});

test.each(["1", "7"])("the position %s is not in the log, so the poll answers SNAPSHOT_REQUIRED", async (cursor) => {
  expect(await poll(cursor)).toEqual({
    firings: [],
    nextCursor: "",
    pollState: "WATCH_POLL_STATE_SNAPSHOT_REQUIRED",
  });
});

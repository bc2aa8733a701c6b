import { Type } from "typebox";
import { accountRead } from "../../../contract/account-read.js";
import { isRetained } from "../../../contract/change-log.js";
import { firingReading } from "../ports.js";
import { cursor, firingFilters, pageSize } from "../query-fields.js";
import { WatchFiring } from "../records.js";
import { SNAPSHOT_GENERATION } from "../rules/cursors.js";

const pollStates = ["WATCH_POLL_STATE_CURRENT", "WATCH_POLL_STATE_SNAPSHOT_REQUIRED"] as const;
const [CURRENT, SNAPSHOT_REQUIRED] = pollStates;

export const listWatchFirings = accountRead({
  rpc: "list-watch-firings",
  summary: "Firings of watches after a cursor",
  description:
    "The firings of all watches of the account, each once and in the order of the log, which is kept for 90 days. A page with filters can be shorter than `pageSize`, or empty, although more firings follow. To get the later firings, continue with `nextCursor`, which is valid with other filters too. `WATCH_POLL_STATE_SNAPSHOT_REQUIRED` means that the cursor is older than the log or, after a restore from a backup, newer than the log. The answer then has no firings and an empty `nextCursor`; start without a cursor.",
  access: { scope: "watches:read" },
  needsPlan: true,
  uses: { reading: firingReading },
  query: { cursor, ...firingFilters, pageSize },
  response: Type.Object(
    {
      firings: Type.Array(WatchFiring, { description: "Firings in the order of the log" }),
      nextCursor: Type.String({
        description: "Cursor of the next poll; empty in the state `WATCH_POLL_STATE_SNAPSHOT_REQUIRED`",
      }),
      pollState: Type.Enum([...pollStates], {
        description:
          "CURRENT: the log has every firing after the cursor; SNAPSHOT_REQUIRED: it does not, so start without a cursor",
      }),
    },
    { title: "ListWatchFiringsResponse" },
  ),
  examples: [{}, { kind: "fired,resolved", page_size: "10" }],
  async run({ cursor, watchId, kind, pageSize }, { ports: { reading } }) {
    const start = cursor === "" ? "oldest" : (await reading.cursors.open(cursor)).position;
    const { log, from, firings, upTo } = await reading.after(start, { watchId, kind }, pageSize);
    // A position above `log.newest` is from a cursor that was issued before the store was restored from a backup.
    if (!isRetained(from, log)) return { firings: [], nextCursor: "", pollState: SNAPSHOT_REQUIRED };
    const nextCursor = await reading.cursors.sign({ position: upTo, snapshotGeneration: SNAPSHOT_GENERATION });
    return { firings: [...firings], nextCursor, pollState: CURRENT };
  },
});

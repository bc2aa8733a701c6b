import { Type } from "typebox";
import { accountRead } from "../../../contract/account-read.js";
import { isRetained } from "../../../contract/change-log.js";
import { datasetCursorDesk, datasetReading } from "../ports.js";
import { changeFilters, cursor, pageSize } from "../query-fields.js";
import { DatasetChange, pollStates } from "../records.js";

const [CURRENT, SNAPSHOT_REQUIRED] = pollStates;

export const listDatasetChanges = accountRead({
  rpc: "list-dataset-changes",
  summary: "Changes of datasets after a cursor",
  description:
    "The datasets that have a new generation or a new state since the cursor: every change once, in the order of the log, which is the same for all callers. A page with filters can be shorter than `pageSize`, or empty, although more changes follow. Continue with `nextCursor`; it does not expire while the log retains its position, and it is valid with other filters too. `DATASET_POLL_STATE_SNAPSHOT_REQUIRED`, with no changes and an empty `nextCursor`, means that the log no longer reaches back to the cursor, or that a backup was restored after the cursor was issued. Call `list-dataset-states` and continue with its `pollCursor`.",
  access: { scope: "read" },
  needsPlan: true,
  failures: ["validation"],
  uses: { reading: datasetReading, cursors: datasetCursorDesk },
  query: { cursor, ...changeFilters, pageSize },
  response: Type.Object(
    {
      changes: Type.Array(DatasetChange, { description: "Changes in the order of the log" }),
      nextCursor: Type.String({
        description: "Cursor of the next poll; empty if `pollState` is not `DATASET_POLL_STATE_CURRENT`",
      }),
      pollState: Type.Enum([...pollStates], {
        description: "CURRENT if the log still has every change after the cursor",
      }),
    },
    { title: "ListDatasetChangesResponse" },
  ),
  examples: [{}, { dataset: "us-cpi,earthquakes", state: "stale,absent", page_size: "10" }],
  async run({ cursor, dataset, state, pageSize }, { ports: { reading, cursors } }) {
    const start = cursor === "" ? undefined : await cursors.open(cursor);
    const { log, changes, upTo } = await reading.changesAfter(start?.position, { dataset, state }, pageSize);
    const position = start?.position ?? log.newest;
    // The log no longer has every change after the cursor, or the cursor lies beyond the newest change, because a
    // backup was restored after the cursor was issued.
    if (!isRetained(position, log)) {
      return { changes: [], nextCursor: "", pollState: SNAPSHOT_REQUIRED };
    }
    const nextCursor = await cursors.sign({ position: upTo, snapshotGeneration: log.snapshotGeneration });
    return { changes: [...changes], nextCursor, pollState: CURRENT };
  },
});

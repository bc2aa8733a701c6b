import { Type } from "typebox";
import { accountRead } from "../../../contract/account-read.js";
import { companyReading, cursorDesk } from "../changes/company-reading.js";
import { pollUse } from "../changes/page-at-boundary.js";
import { pollStanding } from "../changes/poll-position.js";
import { cursorField, pageSize } from "../changes/query-fields.js";
import { CompanyMaterialImpact, pollStates } from "../event-records.js";

export const listCompanyEventChanges = accountRead({
  rpc: "list-company-event-changes",
  summary: "Changes of material impacts after a cursor",
  description:
    "Every change of an impact after the cursor, each once and in the order of the log; an impact that changed twice appears twice. `nextCursor` is valid for a day. `COMPANY_EVENT_POLL_STATE_SNAPSHOT_REQUIRED`: the companies of the account have changed since the cursor was issued; changes are still delivered, and none is skipped. If `nextCursor` is empty, the cursor is older than the log, which covers 90 days, or, after a restore from a backup, newer than the log. The answer then has no changes; list again.",
  access: { scope: "company_monitoring:read" },
  needsPlan: true,
  uses: { reading: companyReading, cursors: cursorDesk },
  query: {
    cursor: { ...cursorField("`snapshot.pollCursor` of a list, or `nextCursor` of the previous poll"), required: true },
    pageSize,
  },
  response: Type.Object(
    {
      impacts: Type.Array(CompanyMaterialImpact, { description: "Changed impacts in the order of the log" }),
      nextCursor: Type.String({
        description: "Cursor of the next poll; empty if the log does not have all changes after `cursor`",
      }),
      pollState: Type.Enum([...pollStates], { description: "Whether the snapshot of the cursor is still current" }),
    },
    { title: "ListCompanyEventChangesResponse" },
  ),
  examples: [{ cursor: `cmc1.${"A".repeat(16)}.${"A".repeat(43)}` }],
  async run({ cursor, pageSize }, { ports: { reading, cursors } }) {
    const start = await cursors.open(cursor, pollUse);
    const { log, changes } = await reading.changesAfter(start.watermark, pageSize);
    const { state, isRetained } = pollStanding(start, log);
    if (!isRetained) return { impacts: [], nextCursor: "", pollState: state };
    const [last] = changes.slice(-1);
    const isFull = changes.length === pageSize;
    const nextCursor = await cursors.sign(pollUse, {
      snapshotGeneration: log.snapshotGeneration,
      snapshotAsOf: start.snapshotAsOf,
      // After a page that is not full, the next poll starts at the end of the log.
      watermark: isFull && last !== undefined ? last.position : log.newest,
    });
    return { impacts: changes.map(({ impact }) => impact), nextCursor, pollState: state };
  },
});

import { stream } from "../../../contract/stream.js";
import { companyEventLog } from "../changes/company-event-log.js";
import { impactFilters } from "../changes/query-fields.js";

export const streamCompanyEventChanges = stream({
  rpc: "stream-company-event-changes",
  summary: "Changes of material impacts as they happen",
  description:
    "The changes that `list-company-event-changes` returns, from the same log and with the same positions. A client that switches between the two operations neither misses nor repeats a change. `snapshot_required` means that the companies of the account have changed since the cursor was issued or the stream was opened; changes are still delivered, and none is skipped.",
  log: companyEventLog,
  filters: impactFilters,
});

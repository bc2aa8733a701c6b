import { Type } from "typebox";
import { accountRead } from "../../../contract/account-read.js";
import { enumNames } from "../../../contract/query-field.js";
import { companyReading, cursorDesk } from "../changes/company-reading.js";
import { pageAtBoundary } from "../changes/page-at-boundary.js";
import { cursorField, pageSize } from "../changes/query-fields.js";
import { SnapshotBoundary } from "../event-records.js";
import { coverageStates, lifecycles, MonitoredCompany } from "../records.js";

export const listMonitoredCompanies = accountRead({
  rpc: "list-monitored-companies",
  summary: "Companies of the account",
  description:
    "Companies in the order of their creation (their ids ascend), including those removed in the last 90 days. All pages show the state as of the first page, regardless of later writes. `snapshot.pollCursor` continues with the changes after that moment.",
  access: { scope: "company_monitoring:read" },
  needsPlan: true,
  uses: { reading: companyReading, cursors: cursorDesk },
  query: {
    lifecycle: enumNames("Only companies in these states", lifecycles, "MONITORED_COMPANY_LIFECYCLE_"),
    coverage: enumNames("Only companies with this coverage", coverageStates, "COMPANY_COVERAGE_STATE_"),
    pageSize,
    cursor: cursorField("`nextCursor` of the previous page, valid for a day after the first page"),
  },
  response: Type.Object(
    {
      companies: Type.Array(MonitoredCompany, { description: "One page of companies" }),
      nextCursor: Type.String({ description: "Send it as `cursor` for the next page; empty on the last page" }),
      snapshot: SnapshotBoundary,
    },
    { title: "ListMonitoredCompaniesResponse" },
  ),
  examples: [{}, { lifecycle: "active", page_size: "10" }],
  async run({ lifecycle, coverage, pageSize, cursor }, { ports }) {
    const filters = { lifecycle, coverage };
    const { rows, ...page } = await pageAtBoundary(
      { surface: "list-monitored-companies", filters, cursor, pageSize },
      ports,
      (bounds) => ports.reading.companies(filters, bounds),
      ({ companyId }) => companyId,
    );
    return { companies: [...rows], ...page };
  },
});

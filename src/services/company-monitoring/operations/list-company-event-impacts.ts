import { Type } from "typebox";
import { accountRead } from "../../../contract/account-read.js";
import { companyReading, cursorDesk } from "../changes/company-reading.js";
import { pageAtBoundary } from "../changes/page-at-boundary.js";
import { cursorField, impactFilters, pageSize } from "../changes/query-fields.js";
import { CompanyMaterialImpact, SnapshotBoundary } from "../event-records.js";

export const listCompanyEventImpacts = accountRead({
  rpc: "list-company-event-impacts",
  summary: "Material impacts on the companies of the account",
  description:
    "The current revision of each impact, newest first. All pages show the state as of the first page, regardless of later writes. `snapshot.pollCursor` continues with the changes after that moment.",
  access: { scope: "company_monitoring:read" },
  needsPlan: true,
  uses: { reading: companyReading, cursors: cursorDesk },
  query: {
    ...impactFilters,
    pageSize,
    cursor: cursorField("`nextCursor` of the previous page, valid for a day after the first page"),
  },
  response: Type.Object(
    {
      impacts: Type.Array(CompanyMaterialImpact, { description: "One page of impacts" }),
      nextCursor: Type.String({ description: "Send it as `cursor` for the next page; empty on the last page" }),
      snapshot: SnapshotBoundary,
    },
    { title: "ListCompanyEventImpactsResponse" },
  ),
  examples: [{}, { direction: "negative", lifecycle: "admitted,corrected" }],
  async run({ companyId, direction, lifecycle, pageSize, cursor }, { ports }) {
    const filters = { companyId, direction, lifecycle };
    const { rows, ...page } = await pageAtBoundary(
      { surface: "list-company-event-impacts", filters, cursor, pageSize },
      ports,
      (bounds) => ports.reading.impacts(filters, bounds),
      ({ impactId }) => impactId,
    );
    return { impacts: [...rows], ...page };
  },
});

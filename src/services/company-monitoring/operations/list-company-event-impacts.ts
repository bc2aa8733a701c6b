import { Type } from "typebox";
import { accountRead } from "../../../contract/account-read.js";
import { enumNames, texts } from "../../../contract/query-field.js";
import { companyReading, cursorDesk } from "../changes/company-reading.js";
import { pageAtBoundary } from "../changes/page-at-boundary.js";
import { cursorField, pageSize } from "../changes/query-fields.js";
import { CompanyMaterialImpact, impactDirections, impactLifecycles, SnapshotBoundary } from "../event-records.js";
import { idPattern } from "../rules/ids.js";

const COMPANIES_MAX = 100;
/** Enough for the maximum number of ids with their commas. */
const COMPANIES_CHARACTERS_MAX = 4_000;

export const listCompanyEventImpacts = accountRead({
  rpc: "list-company-event-impacts",
  summary: "Material impacts on the companies of the account",
  description:
    "The current revision of each impact, newest first. All pages show the state at the boundary of the first page, regardless of later writes. `snapshot.pollCursor` continues with the changes after it.",
  access: { scope: "company_monitoring:read" },
  needsPlan: true,
  uses: { reading: companyReading, cursors: cursorDesk },
  query: {
    companyId: texts("Only impacts on these companies", {
      pattern: idPattern("company"),
      itemsMax: COMPANIES_MAX,
      charactersMax: COMPANIES_CHARACTERS_MAX,
      isSet: true,
    }),
    direction: enumNames("Only impacts in these directions", impactDirections, "MATERIAL_IMPACT_DIRECTION_"),
    lifecycle: enumNames("Only impacts in these states", impactLifecycles, "MATERIAL_IMPACT_LIFECYCLE_"),
    pageSize,
    cursor: cursorField("`nextCursor` of the page before, valid for a day after the first page"),
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

import { Type } from "typebox";
import type { ChangeLog } from "../../../contract/change-log.js";
import { cutText } from "../../../kit/cut-text.js";
import { CompanyMaterialImpact } from "../event-records.js";
import { shortName } from "../rules/short-name.js";
import { facetsOf } from "./impact-facets.js";

/** Maximum number of characters of a rationale that are shown in one line. */
const RATIONALE_CHARACTERS_MAX = 160;

/** One change of an impact, as streams and webhooks deliver it. */
const CompanyEventChange = Type.Object(
  {
    position: Type.Integer({ minimum: 1, description: "Position in the log of the account" }),
    impact: CompanyMaterialImpact,
  },
  { title: "CompanyEventChange", description: "A revision of a material impact at its position in the log." },
);

/** The log of the changes of an account's impacts. Clients poll the log with `list-company-event-changes`. */
export const companyEventLog: ChangeLog<typeof CompanyEventChange> = {
  event: "company_event.changed",
  description: "A material impact on a monitored company was admitted, corrected or retracted.",
  scope: "company_monitoring:read",
  isPerAccount: true,
  entry: CompanyEventChange,
  subject: "companyId",
  facets: {
    companyId: undefined,
    direction: ["positive", "negative", "mixed"],
    lifecycle: ["admitted", "corrected", "retracted"],
  },
  line({ impact }) {
    const { changedAt, impactId, companyId, magnitude, rationale, canonicalUrl } = impact;
    const { lifecycle, direction } = facetsOf(impact);
    const size = shortName(magnitude, "MATERIAL_IMPACT_MAGNITUDE_");
    const what = `${lifecycle} ${direction} ${size} ${impactId} on ${companyId}`;
    return `${changedAt}  ${what}, ${canonicalUrl}: ${cutText(rationale, RATIONALE_CHARACTERS_MAX)}`;
  },
};

import { Type } from "typebox";
import { accountRead } from "../../../contract/account-read.js";
import { failure } from "../../../contract/failures.js";
import { companyReading } from "../changes/company-reading.js";
import { CompanyEvidenceReference, CompanyMaterialImpact, MaterialEvent } from "../event-records.js";
import { requiredId } from "../rules/id-field.js";
import { EVIDENCE_MAX } from "../rules/limits.js";

export const getCompanyMaterialEvent = accountRead({
  rpc: "get-company-material-event",
  summary: "The event of an impact, with its evidence",
  description: `The event, the current revision of the impact, and the first ${EVIDENCE_MAX} references to evidence.`,
  access: { scope: "company_monitoring:read" },
  needsPlan: true,
  failures: ["itemNotFound"],
  uses: { reading: companyReading },
  query: { impactId: requiredId("impact", "Id of the impact") },
  response: Type.Object(
    {
      event: MaterialEvent,
      impact: CompanyMaterialImpact,
      evidence: Type.Array(CompanyEvidenceReference, {
        maxItems: EVIDENCE_MAX,
        description: "References, the most authoritative first",
      }),
      evidenceTotalCount: Type.Integer({ minimum: 0, description: "Number of references that exist" }),
      evidenceTruncated: Type.Boolean({ description: "True if there are more references than are served" }),
    },
    { title: "GetCompanyMaterialEventResponse" },
  ),
  examples: [{ impact_id: "cm_impact_00000000000000000000000000" }],
  async run({ impactId }, { ports }) {
    const detail = await ports.reading.event(impactId, EVIDENCE_MAX);
    if (!detail) throw failure("itemNotFound", { what: "impact", code: "NOT_FOUND" });
    const { event, impact, evidence, evidenceTotalCount } = detail;
    return {
      event,
      impact,
      evidence: [...evidence],
      evidenceTotalCount,
      evidenceTruncated: evidenceTotalCount > evidence.length,
    };
  },
});

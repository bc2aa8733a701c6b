import { Type } from "typebox";
import { accountRead } from "../../../contract/account-read.js";
import { companyNotFound } from "../portfolio/failures.js";
import { companyDirectory } from "../ports.js";
import { CompanyCoverage, CompanyId } from "../records.js";
import { requiredId } from "../rules/id-field.js";

export const getCompanyCoverage = accountRead({
  rpc: "get-company-coverage",
  summary: "Coverage of one company",
  description:
    "The company's state of coverage, and each provider's newest scan. A company that was never scanned has the state AWAITING_FIRST_SCAN and no providers. A request for a removed company is answered with 404.",
  access: { scope: "company_monitoring:read" },
  needsPlan: true,
  failures: ["itemNotFound"],
  uses: { directory: companyDirectory },
  query: { companyId: requiredId("company", "Id of the company") },
  response: Type.Object({ companyId: CompanyId, coverage: CompanyCoverage }, { title: "GetCompanyCoverageResponse" }),
  examples: [{ company_id: "cm_company_00000000000000000000000000" }],
  async run({ companyId }, { ports: { directory } }) {
    const coverage = await directory.coverage(companyId);
    if (!coverage) throw companyNotFound();
    return { companyId, coverage };
  },
});

import { Type } from "typebox";
import { write } from "../../../contract/write.js";
import { exampleCompanyId } from "../example-company.js";
import { claimLimitReached, claimNotFound, companyNotFound, customerReferenceConflict } from "../portfolio/failures.js";
import { patchedCompany } from "../portfolio/patched-company.js";
import { servedCompany } from "../portfolio/served-company.js";
import { portfolio } from "../ports.js";
import { CompanyId, MonitoredCompany, MonitoredCompanyPatch } from "../records.js";
import { normalPatch } from "../rules/normal/normal-patch.js";
import { refusals } from "../rules/normal/refusals.js";

export const updateMonitoredCompany = write({
  rpc: "update-monitored-company",
  summary: "Change a monitored company",
  description:
    "Changes name, domicile, customer reference and claims. A new name becomes an alias claim as well. A patch that makes no difference leaves the snapshot generation as it is. Failures: 404 NOT_FOUND for an unknown or removed company, 404 CLAIM_NOT_FOUND for a claim that the company does not have, 409 CUSTOMER_REFERENCE_CONFLICT, 422 CLAIM_LIMIT_REACHED above 81 claims.",
  access: { scope: "company_monitoring:write" },
  limit: { name: "company-update", callsMax: 30 },
  repeats: "replayed",
  isTransaction: true,
  failures: ["itemNotFound", "conflict", "limitReached"],
  uses: { portfolio },
  request: Type.Object(
    { companyId: CompanyId, patch: MonitoredCompanyPatch },
    { title: "UpdateMonitoredCompanyRequest" },
  ),
  example: {
    companyId: exampleCompanyId,
    patch: { addClaims: [{ type: "COMPANY_CLAIM_TYPE_ALIAS", value: "Exemplar" }] },
  },
  response: Type.Object({ company: MonitoredCompany }, { title: "UpdateMonitoredCompanyResponse" }),
  async run({ companyId, patch: input }, { ports }) {
    const refused = refusals();
    const patch = normalPatch(input, refused);
    refused.check();
    const turn = await ports.portfolio.turn();
    const company = await turn.find(companyId);
    if (!company || company.lifecycle === "removed") throw companyNotFound();
    const patched = patchedCompany(company, patch, turn.newClaimId, turn.now);
    if (patched.outcome === "claim not found") throw claimNotFound();
    if (patched.outcome === "too many claims") throw claimLimitReached();
    if (patched.outcome === "unchanged") return { body: { company: servedCompany(company, turn.now) } };
    const { customerReference } = patched.company;
    const holders = await turn.findByReferences(customerReference === undefined ? [] : [customerReference]);
    if ([...holders.values()].some((holder) => holder.companyId !== companyId)) throw customerReferenceConflict();
    await turn.replace(company, patched.company);
    return { body: { company: servedCompany(patched.company, turn.now) } };
  },
});

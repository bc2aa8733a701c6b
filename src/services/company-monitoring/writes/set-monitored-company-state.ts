import { Type } from "typebox";
import { write } from "../../../contract/write.js";
import { exampleCompanyId } from "../example-company.js";
import type { Company } from "../portfolio/company.js";
import { expiredCoverage } from "../portfolio/expired-coverage.js";
import { companyNotFound, removedIsTerminal } from "../portfolio/failures.js";
import { servedCompany } from "../portfolio/served-company.js";
import { portfolio } from "../ports.js";
import { CompanyId, lifecycles, MonitoredCompany } from "../records.js";
import { type CompanyLifecycle, lifecycleOf, mayBecome } from "../rules/lifecycle.js";

export const setMonitoredCompanyState = write({
  rpc: "set-monitored-company-state",
  summary: "Pause, resume or remove a monitored company",
  description:
    "Pausing cancels pending scans. Activating queues a scan. Removing deletes the claims, frees the customer reference and is final; a later request for another state is refused with 409 REMOVED_COMPANY_IS_TERMINAL. Setting the current state succeeds without a change. snapshotRequired is true after a change, because the change begins a new snapshot generation and polling clients need a new snapshot.",
  access: { scope: "company_monitoring:write" },
  limit: { name: "company-state", callsMax: 30 },
  repeats: "replayed",
  isTransaction: true,
  failures: ["itemNotFound", "conflict"],
  uses: { portfolio },
  request: Type.Object(
    {
      companyId: CompanyId,
      targetLifecycle: Type.Enum([...lifecycles], { description: "The state to set" }),
    },
    { title: "SetMonitoredCompanyStateRequest" },
  ),
  example: { companyId: exampleCompanyId, targetLifecycle: "MONITORED_COMPANY_LIFECYCLE_PAUSED" },
  response: Type.Object(
    {
      company: MonitoredCompany,
      snapshotRequired: Type.Boolean({ description: "The snapshot generation has changed" }),
    },
    { title: "SetMonitoredCompanyStateResponse" },
  ),
  async run({ companyId, targetLifecycle }, { ports }) {
    const target = lifecycleOf(targetLifecycle);
    const turn = await ports.portfolio.turn();
    const company = await turn.find(companyId);
    if (!company) throw companyNotFound();
    if (!mayBecome(company.lifecycle, target)) throw removedIsTerminal();
    if (company.lifecycle === target) {
      return { body: { company: servedCompany(company, turn.now), snapshotRequired: false } };
    }
    const after = inState(company, target, turn.now);
    await turn.replace(company, after);
    return { body: { company: servedCompany(after, turn.now), snapshotRequired: true } };
  },
});

/** Returns the company in another state. A removed company loses its claims and its reference. */
function inState(company: Company, lifecycle: CompanyLifecycle, now: number): Company {
  const changed = {
    ...company,
    ...(lifecycle !== "active" && expiredCoverage(company, now)),
    lifecycle,
    updatedAt: now,
  };
  return lifecycle === "removed" ? { ...changed, claims: [], customerReference: undefined } : changed;
}

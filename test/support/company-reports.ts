import { OPERATOR_ACCOUNT } from "../../src/contract/access/principal.js";
import { MINUTE_MS } from "../../src/kit/clock.js";
import type { Finding } from "../../src/services/company-monitoring/scan/finding.js";
import { admissionJob } from "../../src/services/company-monitoring/store/admission/admission-job.js";
import { storeFindings } from "../../src/services/company-monitoring/store/scan/store-findings.js";
import { companiesIn } from "../../src/services/company-monitoring/store/tables.js";
import { runJob } from "./run-job.js";
import { json, type Stack } from "./stack.js";

/**
 * Stores news reports, as a scan does, about a company that the operator monitors. Then runs `admissionJob`. `titles`
 * maps each publisher to the title of its report.
 */
export async function reportOn(stack: Stack, name: string, titles: Readonly<Record<string, string>>): Promise<void> {
  const companyId = await companyIdOf(stack, name);
  const findings = Object.entries(titles).map(([publisher, title], at): { companyId: string; finding: Finding } => {
    const link = `https://news.example/${stack.clock.now()}/${at}`;
    const finding: Finding = {
      provider: "MONITORING_PROVIDER_NEWS",
      sourceId: link,
      canonicalUrl: link,
      publisher,
      origin: publisher,
      authorityTier: "EVIDENCE_AUTHORITY_TIER_INDEPENDENT_AUTHORITATIVE",
      title,
      excerpt: `What ${publisher} writes of <b>${name}</b>.`,
      publishedAt: stack.clock.now() - MINUTE_MS,
      attribution: 0.97,
      matchedBy: "name in title",
    };
    return { companyId, finding };
  });
  await stack.service.database.db
    .transaction()
    .execute((on) => storeFindings(companiesIn(on), OPERATOR_ACCOUNT, findings, stack.clock.now()));
  await runJob(stack, admissionJob);
}

async function companyIdOf(stack: Stack, name: string): Promise<string> {
  const answer = await stack.get("/api/company-monitoring/v1/list-monitored-companies?page_size=100");
  const { companies } = json(answer) as { companies: readonly { companyId: string; name: string }[] };
  const { companyId } = companies.find((company) => company.name === name) ?? {};
  if (companyId === undefined) throw new Error(`${name} is not monitored`);
  return companyId;
}

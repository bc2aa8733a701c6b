import { OPERATOR_ACCOUNT, type Principal } from "../../../../contract/access/principal.js";
import type { StoreParts } from "../../../../database/service-store.js";
import { MINUTE_MS } from "../../../../kit/clock.js";
import type { CompanyEvidenceReference, CompanyMaterialImpact, MaterialEvent } from "../../event-records.js";
import { createCompany } from "../../portfolio/create-company.js";
import { newId } from "../../rules/ids.js";
import { normalCompany } from "../../rules/normal/normal-company.js";
import { refusals } from "../../rules/normal/refusals.js";
import { appendImpact } from "../impact-log.js";
import { portfolioOf } from "../portfolio-store.js";
import { type CompanyDatabase, companiesIn } from "../tables.js";

const companies = [
  { name: "Northlight Shipping", domicileCountry: "DOMICILE_COUNTRY_NO", domains: ["northlight.example"] },
  { name: "Tessel Semiconductors", domicileCountry: "DOMICILE_COUNTRY_TW", domains: ["tessel.example"] },
  { name: "Harvestline Foods", domicileCountry: "DOMICILE_COUNTRY_US", domains: ["harvestline.example"] },
  { name: "Ridgeway Energy", domicileCountry: "DOMICILE_COUNTRY_DE", domains: ["ridgeway.example"] },
  { name: "Adara Pharma", domicileCountry: "DOMICILE_COUNTRY_IN", domains: ["adara.example"] },
] as const;

const stories = [
  {
    title: "Simulated: a port strike delays deliveries",
    category: "labour",
    direction: "NEGATIVE",
    magnitude: "MEDIUM",
  },
  { title: "Simulated: a supply contract is extended", category: "contract", direction: "POSITIVE", magnitude: "HIGH" },
  { title: "Simulated: a product is recalled", category: "recall", direction: "NEGATIVE", magnitude: "HIGH" },
  { title: "Simulated: a plant changes its owner", category: "ownership", direction: "MIXED", magnitude: "LOW" },
] as const;

/** Most impacts; further steps revise them in turn. */
const IMPACTS_MAX = 8;

const operator: Principal = {
  kind: "key",
  actor: "simulator",
  accountId: OPERATOR_ACCOUNT,
  scopes: new Set(),
  plan: "enterprise",
  planState: "active",
  isOperator: true,
};

/**
 * Plays one step of the demo: the first creates five companies of the operator's account, and each adds an impact or
 * revises the one that has not changed for the longest.
 */
export async function playStep(parts: StoreParts): Promise<void> {
  await parts.database.db.transaction().execute(async (on) => {
    const call = { principal: operator, actor: operator.actor, address: "", db: on };
    const turn = await portfolioOf(parts, call).turn();
    const ids: string[] = [];
    for (const [at, company] of companies.entries()) {
      const input = { ...company, domains: [...company.domains], customerReference: `demo-${at + 1}` };
      const request = { kind: "create", requestId: `demo ${at + 1}` } as const;
      const creation = await createCompany(turn, normalCompany(input, "company", refusals()), request);
      if (!("company" in creation) || creation.company.lifecycle !== "active") continue;
      ids.push(creation.company.companyId);
    }
    const db = companiesIn(on);
    const current = await db
      .selectFrom("company_impact")
      .select("body")
      .where("account_id", "=", OPERATOR_ACCOUNT)
      .where("visible_to", "is", null)
      .orderBy("visible_from")
      .limit(IMPACTS_MAX)
      .execute();
    const [oldest] = current;
    const companyId = ids[current.length % Math.max(ids.length, 1)];
    if (current.length < IMPACTS_MAX && companyId !== undefined) await admit(db, parts, companyId, current.length);
    else if (oldest) {
      // Written by `appendImpact`.
      const impact = revised(JSON.parse(oldest.body) as CompanyMaterialImpact, turn.now);
      await appendImpact(db, OPERATOR_ACCOUNT, impact, turn.now);
    }
  });
}

/** Adds an event with its evidence, and its impact on a company. */
async function admit(db: CompanyDatabase, parts: StoreParts, companyId: string, number: number): Promise<void> {
  const now = parts.clock.now();
  const story = stories[number % stories.length] ?? stories[0];
  const eventId = newId("event", now, parts.randomBytes);
  const occurredAt = new Date(now - MINUTE_MS).toISOString();
  const canonicalUrl = `https://news.example/stories/${number + 1}`;
  const event: MaterialEvent = {
    eventId,
    revision: 1,
    title: story.title,
    summary: "A story of the demo, which never happened.",
    category: story.category,
    canonicalUrl,
    lifecycle: "MATERIAL_IMPACT_LIFECYCLE_ADMITTED",
    occurredAt,
  };
  const evidence: CompanyEvidenceReference = {
    evidenceId: newId("evidence", now, parts.randomBytes),
    canonicalUrl,
    provider: "MONITORING_PROVIDER_NEWS",
    publisher: "Demo Wire",
    sourceId: `demo-${number + 1}`,
    authorityTier: "EVIDENCE_AUTHORITY_TIER_INDEPENDENT_AUTHORITATIVE",
    excerpt: story.title,
    publishedAt: occurredAt,
  };
  await db
    .insertInto("company_event")
    .values({ account_id: OPERATOR_ACCOUNT, event_id: eventId, body: JSON.stringify(event) })
    .execute();
  await db
    .insertInto("company_evidence")
    .values({
      account_id: OPERATOR_ACCOUNT,
      event_id: eventId,
      ordinal: 0,
      evidence_id: evidence.evidenceId,
      body: JSON.stringify(evidence),
    })
    .execute();
  const impact: CompanyMaterialImpact = {
    impactId: newId("impact", now, parts.randomBytes),
    impactRevision: 1,
    companyId,
    eventId,
    eventRevision: 1,
    canonicalUrl,
    direction: `MATERIAL_IMPACT_DIRECTION_${story.direction}`,
    magnitude: `MATERIAL_IMPACT_MAGNITUDE_${story.magnitude}`,
    channels: ["MATERIAL_IMPACT_CHANNEL_REPUTATION"],
    lifecycle: "MATERIAL_IMPACT_LIFECYCLE_ADMITTED",
    confidence: { attribution: 0.95, occurrenceTruth: 0.9, materialImpact: 0.8, overall: 0.8 },
    rationale: "Written by the demo.",
    occurredAt,
    changedAt: new Date(now).toISOString(),
    isCurrent: true,
    evidenceReferenceCount: 1,
    evidenceTotalCount: 1,
    evidenceTruncated: false,
  };
  await appendImpact(db, OPERATOR_ACCOUNT, impact, now);
}

function revised(impact: CompanyMaterialImpact, now: number): CompanyMaterialImpact {
  return {
    ...impact,
    impactRevision: impact.impactRevision + 1,
    lifecycle: "MATERIAL_IMPACT_LIFECYCLE_CORRECTED",
    changedAt: new Date(now).toISOString(),
  };
}

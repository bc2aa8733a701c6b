// Stores the event that the examples of company monitoring show.
import { takeTurn } from "../dist/services/company-monitoring/store/account-turn.js";
import { appendImpact } from "../dist/services/company-monitoring/store/impact-log.js";
import { companiesIn } from "../dist/services/company-monitoring/store/tables.js";

const ACCOUNT = "operator";
const DIGITS = "01K0EXAMP1E000000000000000";
export const IMPACT_ID = `cm_impact_${DIGITS}`;
const EVENT_ID = `cm_event_${DIGITS}`;
const SOURCE = "https://news.example/recall";

/** An impact on this company, in the form in which the service returns impacts. */
export function exampleImpact(companyId, at) {
  const instant = new Date(at).toISOString();
  return {
    impactId: IMPACT_ID,
    impactRevision: 1,
    companyId,
    eventId: EVENT_ID,
    eventRevision: 1,
    canonicalUrl: SOURCE,
    direction: "MATERIAL_IMPACT_DIRECTION_NEGATIVE",
    magnitude: "MATERIAL_IMPACT_MAGNITUDE_MEDIUM",
    channels: ["MATERIAL_IMPACT_CHANNEL_REPUTATION"],
    lifecycle: "MATERIAL_IMPACT_LIFECYCLE_ADMITTED",
    confidence: { attribution: 0.95, occurrenceTruth: 0.9, materialImpact: 0.8, overall: 0.8 },
    rationale: "Two independent publishers report the recall.",
    occurredAt: instant,
    changedAt: instant,
    isCurrent: true,
    evidenceReferenceCount: 1,
    evidenceTotalCount: 1,
    evidenceTruncated: false,
  };
}

/** Adds an event with one impact on this company and one reference to evidence. */
export async function addExampleEvent({ database }, companyId, at) {
  const impact = exampleImpact(companyId, at);
  const { changedAt: instant } = impact;
  const event = {
    eventId: EVENT_ID,
    revision: 1,
    title: "Recall of a product",
    summary: "The company recalls a product.",
    category: "recall",
    canonicalUrl: SOURCE,
    lifecycle: impact.lifecycle,
    occurredAt: instant,
  };
  const reference = {
    evidenceId: `cm_evidence_${DIGITS}`,
    canonicalUrl: SOURCE,
    provider: "MONITORING_PROVIDER_NEWS",
    publisher: "News",
    sourceId: "recall",
    authorityTier: "EVIDENCE_AUTHORITY_TIER_INDEPENDENT_AUTHORITATIVE",
    excerpt: "The company recalls a product.",
    publishedAt: instant,
  };
  const of = { account_id: ACCOUNT, event_id: EVENT_ID };
  await database.db.transaction().execute(async (transaction) => {
    const db = companiesIn(transaction);
    await takeTurn(db, ACCOUNT);
    await appendImpact(db, ACCOUNT, impact, at);
    await db
      .insertInto("company_event")
      .values({ ...of, body: JSON.stringify(event) })
      .execute();
    await db
      .insertInto("company_evidence")
      .values({ ...of, ordinal: 0, evidence_id: reference.evidenceId, body: JSON.stringify(reference) })
      .execute();
  });
}

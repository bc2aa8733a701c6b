import type { Finding } from "../../scan/finding.js";

let count = 0;

/** Creates a news finding with default values for all members that are not passed in. */
export function finding(more: Partial<Finding> = {}): Finding {
  count += 1;
  return {
    provider: "MONITORING_PROVIDER_NEWS",
    sourceId: `https://news.example/${count}`,
    canonicalUrl: `https://news.example/${count}`,
    publisher: "Wire A",
    origin: "wire-a",
    authorityTier: "EVIDENCE_AUTHORITY_TIER_INDEPENDENT_AUTHORITATIVE",
    title: "Fire breaks out at the Orrin refinery",
    excerpt: "",
    publishedAt: Date.UTC(2026, 10, 22),
    attribution: 0.95,
    matchedBy: "name in title",
    ...more,
  };
}

/** The first revision of an impact. */
export const revision = {
  impactId: "cm_impact_1",
  eventId: "cm_event_1",
  companyId: "cm_company_1",
  number: 1,
  lifecycle: "MATERIAL_IMPACT_LIFECYCLE_ADMITTED",
  now: Date.UTC(2026, 10, 22, 1),
} as const;

import type { Feed, FeedEntry } from "../../../contract/feed.js";
import type { CompanyMaterialImpact } from "../event-records.js";
import { shortName } from "../rules/short-name.js";

/** One change of an impact, with the names by which readers know the company and the event. */
export interface ImpactChange {
  readonly impact: CompanyMaterialImpact;
  /** Undefined if the company was removed. */
  readonly companyName: string | undefined;
  readonly eventTitle: string;
}

/** The newest changes of the impacts of an account, newest first. */
export interface ImpactFeedSource {
  readonly accountId: string;
  /** Time of the newest write of the account, epoch ms. */
  readonly updatedAt: number;
  readonly changes: readonly ImpactChange[];
  readonly isSimulated: boolean;
}

/** The feed of an account: one entry for each revision of an impact, so that corrections and retractions are news too. */
export function impactFeed({ accountId, updatedAt, changes, isSimulated }: ImpactFeedSource): Feed {
  const entries = changes.map(entryOf);
  return {
    id: `urn:vigil:company-impacts:${accountId}`,
    title: "Events with a material impact on monitored companies",
    description: "Impacts, their corrections and retractions, newest first",
    updatedAt: entries[0]?.at ?? updatedAt,
    isSimulated,
    entries,
  };
}

function entryOf({ impact, companyName, eventTitle }: ImpactChange): FeedEntry {
  const lifecycle = shortName(impact.lifecycle, "MATERIAL_IMPACT_LIFECYCLE_");
  const direction = shortName(impact.direction, "MATERIAL_IMPACT_DIRECTION_");
  const magnitude = shortName(impact.magnitude, "MATERIAL_IMPACT_MAGNITUDE_");
  return {
    id: `urn:vigil:impact:${impact.impactId}:${impact.impactRevision}`,
    title: `${lifecycle === "admitted" ? "" : `${lifecycle}: `}${companyName ?? impact.companyId}: ${eventTitle}`,
    text: [
      `${direction} impact of ${magnitude} magnitude, ${lifecycle}, revision ${impact.impactRevision}`,
      `confidence: ${impact.confidence.overall}`,
      `reason: ${impact.rationale}`,
      `event: ${impact.occurredAt}`,
      `evidence: ${impact.evidenceTotalCount} sources`,
    ].join("\n"),
    link: impact.canonicalUrl,
    at: Date.parse(impact.changedAt),
  };
}

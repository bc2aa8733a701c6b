import type { Feed, FeedEntry } from "../../../contract/feed.js";
import type { CompanyMaterialImpact } from "../event-records.js";
import { readableName } from "../rules/short-name.js";

/** One change of an impact, with the company's name and the event's title for readers. */
export interface ImpactChange {
  readonly impact: CompanyMaterialImpact;
  /** Undefined for a company that was removed so long ago that it has left the lists. */
  readonly companyName: string | undefined;
  readonly eventTitle: string;
}

/** The latest changes of an account's impacts, newest first. */
export interface ImpactFeedSource {
  readonly accountId: string;
  /** Time of the account's latest write, epoch ms. */
  readonly updatedAt: number;
  readonly changes: readonly ImpactChange[];
  readonly isSimulated: boolean;
}

/**
 * Returns the feed of an account. Each revision of an impact is an entry, so that corrections and retractions appear
 * too.
 */
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
  const lifecycle = readableName(impact.lifecycle, "MATERIAL_IMPACT_LIFECYCLE_");
  const direction = readableName(impact.direction, "MATERIAL_IMPACT_DIRECTION_");
  const magnitude = readableName(impact.magnitude, "MATERIAL_IMPACT_MAGNITUDE_");
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

import type { DigestItem, ThreatLevel, TitleClass } from "../../digest-records.js";

type Threat = NonNullable<DigestItem["threat"]>;

const servedLevels: Readonly<Record<ThreatLevel, Threat["level"]>> = {
  info: "THREAT_LEVEL_UNSPECIFIED",
  low: "THREAT_LEVEL_LOW",
  medium: "THREAT_LEVEL_MEDIUM",
  high: "THREAT_LEVEL_HIGH",
  critical: "THREAT_LEVEL_CRITICAL",
};

/**
 * The threat as it is served. `info` is no level, but its category may still be known ("Vaccine trial of 1955
 * remembered": health); where nothing was recognised at all, nothing is served.
 */
export function servedThreat(
  { level, category, confidence }: Omit<TitleClass, "reason">,
  applied: ThreatLevel,
): Threat | undefined {
  if (applied === "info" && category === "general") return undefined;
  return { level: servedLevels[applied], category, confidence, source: applied === level ? "keyword" : "entities" };
}

export function isAlert(level: ThreatLevel): boolean {
  return level === "critical" || level === "high";
}

/** Publishers of the first two tiers that make a story of diplomacy a high one. */
const LIFTING_PUBLISHERS = 3;

/** The level of a story: as classified, or high where enough reliable publishers write of the same diplomacy. */
export function appliedLevel(
  classified: ThreatLevel,
  { isDiplomacy, reliablePublishers }: { readonly isDiplomacy: boolean; readonly reliablePublishers: number },
): ThreatLevel {
  return isDiplomacy && reliablePublishers >= LIFTING_PUBLISHERS && !isAlert(classified) ? "high" : classified;
}

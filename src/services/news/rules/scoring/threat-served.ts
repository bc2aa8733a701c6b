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
 * Returns the threat as served. Undefined if the applied level is `info` and the category `general`, as for a title in
 * which the classifier recognised nothing. A title of level `info` with another category ("Vaccine trial of 1955
 * remembered": health) is served with an unspecified level.
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

/**
 * A title about diplomacy is raised to the level `high` if at least this many publishers of tiers 1 and 2 use the two
 * names of its entity bucket.
 */
const LIFTING_PUBLISHERS = 3;

/**
 * Returns the classified level, raised to high if the title is about diplomacy and enough reliable publishers use the
 * two names of its entity bucket.
 */
export function appliedLevel(
  classified: ThreatLevel,
  { isDiplomacy, reliablePublishers }: { readonly isDiplomacy: boolean; readonly reliablePublishers: number },
): ThreatLevel {
  return isDiplomacy && reliablePublishers >= LIFTING_PUBLISHERS && !isAlert(classified) ? "high" : classified;
}

import { numberCell, oneOf, readCsv } from "../../../kit/csv-table.js";
import { ownFile } from "../../../kit/own-file.js";
import type { CompanyEvidenceReference, CompanyMaterialImpact } from "../event-records.js";
import { type EventCategory, type EventDirection, eventCategories } from "./event-class.js";
import type { Evidence } from "./evidence.js";
import { byTime, type Occurrence } from "./occurrence.js";

/** The assessment of an occurrence: its meaning for the company and the confidence in it. */
export interface Assessment {
  readonly category: EventCategory | "none";
  readonly direction: EventDirection;
  readonly magnitude: "LOW" | "MEDIUM" | "HIGH";
  readonly channels: readonly ("REPUTATION" | "FINANCES")[];
  readonly confidence: CompanyMaterialImpact["confidence"];
  /** One finding per origin and text, most authoritative first. Withdrawn findings are excluded. */
  readonly evidence: readonly Evidence[];
  /** Number of findings that repeat a finding in `evidence`. */
  readonly syndicatedCount: number;
  /** Number of withdrawn findings and of the findings that withdraw them. */
  readonly withdrawnCount: number;
  readonly correctionCount: number;
  readonly hasPrimary: boolean;
}

type Tier = CompanyEvidenceReference["authorityTier"];

/** Probability that a report of a single origin is true, by the tier of the report. */
const truthByTier: Readonly<Record<Tier, number>> = {
  EVIDENCE_AUTHORITY_TIER_PRIMARY_VERIFIED: 0.95,
  EVIDENCE_AUTHORITY_TIER_INDEPENDENT_AUTHORITATIVE: 0.7,
  EVIDENCE_AUTHORITY_TIER_ORDINARY: 0.5,
};
const TRUTH_MAX = 0.99;
/**
 * `STRONG_SIGNS` is the amount by which each unit of strength above 1 raises the material impact of a category.
 * `WEAK_SIGNS` is the amount by which each unit below 1 lowers it.
 */
const [STRONG_SIGNS, WEAK_SIGNS] = [0.05, 0.2];
const MATERIAL_MAX = 0.99;
const [HIGH_MIN, MEDIUM_MIN] = [0.9, 0.78];
/** If at least this share of the evidence, weighted by authority, has one direction, the impact has that direction. */
const DIRECTION_RATIO = 0.6;

const CHANNELS = ["REPUTATION|FINANCES", "REPUTATION", "FINANCES"] as const;
const rules = new Map(
  readCsv(ownFile("data/impact-rules.csv"), {
    category: oneOf(eventCategories),
    material: numberCell(0, 1),
    channels: oneOf(CHANNELS),
  }).map((row) => [row.category, row]),
);

/** Judges an occurrence. A pure function of the set of its evidence. */
export function assess(occurrence: Occurrence): Assessment {
  const { counted, withdrawn } = withoutWithdrawn(occurrence);
  const independent = independentOf(counted);
  const corrections = counted.filter(({ stance }) => stance === "corrects");
  const category = categoryOf(counted);
  const ofCategory = independent.filter(({ eventClass }) => eventClass.category === category);
  const strength = Math.max(0, ...ofCategory.map(({ eventClass }) => eventClass.strength));
  const rule = category === "none" ? undefined : rules.get(category);
  const materialImpact = rule ? rounded(materialOf(rule.material, strength)) : 0;
  const attribution = rounded(Math.max(0, ...independent.map(({ finding }) => finding.attribution)));
  const occurrenceTruth = rounded(truthOf(independent));
  return {
    category,
    direction: directionOf(ofCategory, corrections),
    magnitude: materialImpact >= HIGH_MIN ? "HIGH" : materialImpact >= MEDIUM_MIN ? "MEDIUM" : "LOW",
    channels: (rule?.channels.split("|") ?? []).flatMap((name) =>
      name === "REPUTATION" || name === "FINANCES" ? [name] : [],
    ),
    confidence: {
      attribution,
      occurrenceTruth,
      materialImpact,
      overall: Math.min(attribution, occurrenceTruth, materialImpact),
    },
    evidence: independent,
    syndicatedCount: counted.length - independent.length,
    withdrawnCount: withdrawn.length,
    correctionCount: corrections.length,
    hasPrimary: independent.some(isPrimary),
  };
}

export function isPrimary({ finding }: Evidence): boolean {
  return finding.authorityTier === "EVIDENCE_AUTHORITY_TIER_PRIMARY_VERIFIED";
}

/**
 * Separates valid from withdrawn evidence. A withdrawal withdraws the evidence that it names. If it names none, it
 * withdraws the earlier reports of its own origin. A withdrawal by a first party also withdraws all earlier reports
 * that are not from a first party. Copies of withdrawn reports are withdrawn too, unless they are from a first party.
 */
function withoutWithdrawn(occurrence: Occurrence): { counted: readonly Evidence[]; withdrawn: readonly Evidence[] } {
  const withdrawals = occurrence.filter(({ stance }) => stance === "retracts");
  if (withdrawals.length === 0) return { counted: occurrence, withdrawn: [] };
  const isVoid = (item: Evidence): boolean => withdrawals.some((withdrawal) => isWithdrawnBy(item, withdrawal));
  const void_ = occurrence.filter((item) => item.stance === "retracts" || isVoid(item));
  const copies = new Set(void_.map(({ copyKey }) => copyKey));
  // First-party evidence is never a copy: two entries of a sanctions list can have the same title, and each is in force
  // until it is itself removed.
  const isCopy = (item: Evidence): boolean => copies.has(item.copyKey) && !isPrimary(item);
  const withdrawn = occurrence.filter((item) => void_.includes(item) || isCopy(item));
  return { counted: occurrence.filter((item) => !withdrawn.includes(item)), withdrawn };
}

function isWithdrawnBy(item: Evidence, withdrawal: Evidence): boolean {
  if (withdrawal.withdrawnKey === item.key) return true;
  if (item.finding.publishedAt > withdrawal.finding.publishedAt) return false;
  if (isPrimary(withdrawal) && !isPrimary(item)) return true;
  return withdrawal.withdrawnKey === undefined && item.finding.origin === withdrawal.finding.origin;
}

/**
 * Keeps at most one finding of each origin and at most one of each text: the most authoritative one. A filing is kept
 * even if a more authoritative finding has the same text. Ties go to the finding with the most certain attribution,
 * then to the earliest.
 */
function independentOf(counted: readonly Evidence[]): readonly Evidence[] {
  const [origins, texts] = [new Set<string>(), new Set<string>()];
  const independent: Evidence[] = [];
  for (const item of [...counted].sort(byAuthority)) {
    const isRepeated = origins.has(item.finding.origin) || (!item.isFiling && texts.has(item.copyKey));
    origins.add(item.finding.origin);
    texts.add(item.copyKey);
    if (!isRepeated) independent.push(item);
  }
  return independent;
}

const tierOf = ({ finding }: Evidence): number => truthByTier[finding.authorityTier];

function byAuthority(a: Evidence, b: Evidence): number {
  return tierOf(b) - tierOf(a) || b.finding.attribution - a.finding.attribution || byTime(a, b);
}

/**
 * Returns the category with the most evidence, weighted by authority; ties go to the first in `eventCategories`. `none`
 * if no evidence has a category.
 */
function categoryOf(counted: readonly Evidence[]): Assessment["category"] {
  const votes = eventCategories.map((category) => ({
    category,
    weight: counted
      .filter((item) => item.eventClass.category === category)
      .reduce((sum, item) => sum + tierOf(item), 0),
  }));
  const best = votes.reduce((a, b) => (b.weight > a.weight + 1e-9 ? b : a));
  return best.weight > 0 ? best.category : "none";
}

/**
 * Returns the direction of the latest correction that reports an event. Without such a correction, returns the
 * direction of at least `DIRECTION_RATIO` of the weighted evidence, or `mixed` if no direction has this share.
 */
function directionOf(ofCategory: readonly Evidence[], corrections: readonly Evidence[]): EventDirection {
  const newest = [...corrections].sort(byTime).findLast(({ eventClass }) => eventClass.category !== "none");
  if (newest) return newest.eventClass.direction;
  // A mixed filing is left out, because `mixed` only means that its item or form has no direction. For a title, `mixed`
  // is a direction.
  const telling = ofCategory.filter(({ eventClass, isFiling }) => !(isFiling && eventClass.direction === "mixed"));
  const weights = { positive: 0, negative: 0, mixed: 0 };
  for (const item of telling) weights[item.eventClass.direction] += tierOf(item);
  const total = weights.positive + weights.negative + weights.mixed;
  if (total > 0 && weights.positive >= DIRECTION_RATIO * total) return "positive";
  return total > 0 && weights.negative >= DIRECTION_RATIO * total ? "negative" : "mixed";
}

/** Returns the probability that at least one origin is right. Uncertain attribution weakens a report. */
function truthOf(independent: readonly Evidence[]): number {
  const wrong = independent.reduce((product, item) => product * (1 - tierOf(item) * item.finding.attribution), 1);
  return Math.min(TRUTH_MAX, 1 - wrong);
}

function materialOf(base: number, strength: number): number {
  const change = strength >= 1 ? STRONG_SIGNS * (strength - 1) : WEAK_SIGNS * (strength - 1);
  return Math.min(MATERIAL_MAX, Math.max(0, base + change));
}

function rounded(share: number): number {
  return Math.round(share * 1_000) / 1_000;
}

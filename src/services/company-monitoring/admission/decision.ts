import { DAY_MS, HOUR_MS } from "../../../kit/clock.js";
import type { Assessment } from "./impact.js";
import { assess } from "./impact.js";
import type { Occurrence } from "./occurrence.js";

/** Minimum confidence of a published impact, by axis. */
export const floors = { attribution: 0.9, occurrenceTruth: 0.8, materialImpact: 0.7 } as const;
export type Axis = keyof typeof floors;
const axes = Object.keys(floors) as readonly Axis[];
/**
 * Number of independent origins that suffice without a verified first party. Posts do not count, because anyone can
 * post.
 */
export const ORIGINS_MIN = 2;

/** Ages at which a held occurrence is reconsidered; at the last of these ages, the occurrence expires. */
const RETRY_AGES_MS = [6 * HOUR_MS, 24 * HOUR_MS, 48 * HOUR_MS, 72 * HOUR_MS] as const;
const EXPIRY_AGE_MS = 72 * HOUR_MS;
/**
 * An event of this age or older expires without being published. Sanctions are exempt, because they apply until they
 * are lifted.
 */
const HISTORY_AGE_MS = 30 * DAY_MS;

export const outcomes = ["publish", "hold", "reject", "expire"] as const;
export type Outcome = (typeof outcomes)[number];

/** One rule with its result. */
export interface Reason {
  readonly rule: string;
  readonly isMet: boolean;
  /** The result in words, with the figures behind it. */
  readonly text: string;
}

export interface Decision {
  readonly outcome: Outcome;
  readonly reasons: readonly Reason[];
  /** Time at which a held occurrence is reconsidered; undefined for every other outcome. */
  readonly nextAt?: number;
  readonly assessment: Assessment;
}

/**
 * Decides what happens to an occurrence. The decision depends only on the evidence and the time. The order in which the
 * evidence arrived makes no difference.
 */
export function decide(occurrence: Occurrence, now: number): Decision {
  const assessment = assess(occurrence);
  const firstAt = Math.min(...occurrence.map(({ finding }) => finding.publishedAt));
  const age = now - firstAt;
  const reasons = reasonsOf(assessment, age);
  const isMet = (rule: string): boolean => reasons.every((reason) => reason.rule !== rule || reason.isMet);
  if (!isMet("category") || !isMet("materialImpact") || !isMet("standing"))
    return { outcome: "reject", reasons, assessment };
  if (!isMet("age")) return { outcome: "expire", reasons, assessment };
  if (reasons.every((reason) => reason.isMet)) return { outcome: "publish", reasons, assessment };
  if (age >= EXPIRY_AGE_MS) return { outcome: "expire", reasons, assessment };
  const next = RETRY_AGES_MS.find((retry) => retry > age) ?? EXPIRY_AGE_MS;
  return { outcome: "hold", reasons, assessment, nextAt: firstAt + next };
}

function reasonsOf(assessment: Assessment, age: number): readonly Reason[] {
  const { category, confidence, evidence, hasPrimary, withdrawnCount, syndicatedCount } = assessment;
  const isRecent = category === "sanctions" || age < HISTORY_AGE_MS;
  const originCount = evidence.filter(({ finding }) => finding.provider !== "MONITORING_PROVIDER_SOCIAL").length;
  const signs = [...new Set(evidence.flatMap(({ eventClass }) => eventClass.signs))].slice(0, 8);
  return [
    {
      rule: "standing",
      isMet: evidence.length > 0,
      text:
        evidence.length > 0
          ? `counted findings: ${evidence.length}, copies of them: ${syndicatedCount}, withdrawn: ${withdrawnCount}`
          : "every report was withdrawn",
    },
    {
      rule: "category",
      isMet: category !== "none",
      text: category === "none" ? "nothing material is reported" : `category ${category} by ${signs.join(", ")}`,
    },
    { rule: "age", isMet: isRecent, text: isRecent ? "the event is recent" : "the event is at least 30 days old" },
    ...axes.map((axis) => ({
      rule: axis,
      isMet: confidence[axis] >= floors[axis],
      text: `${axis} ${confidence[axis].toFixed(3)}, floor ${floors[axis].toFixed(1)}`,
    })),
    {
      rule: "sources",
      isMet: hasPrimary || originCount >= ORIGINS_MIN,
      text: hasPrimary
        ? "a verified first party reports it"
        : `${originCount} independent origins without a verified first party, at least ${ORIGINS_MIN} needed`,
    },
  ];
}

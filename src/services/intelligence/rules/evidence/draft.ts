import { DAY_MS, HOUR_MS, MINUTE_MS } from "../../../../kit/clock.js";
import type { BriefEvidence, EvidenceKind } from "../../records.js";

/** The maximum age of the newest data of a fact, by kind of data. */
export const evidenceAgesMax = {
  /** ACLED publishes weekly. */
  alphaEvents: 14 * DAY_MS,
  /** UCDP publishes monthly, a few weeks after the end of the month. */
  betaEvents: 90 * DAY_MS,
  /** Measured from the end of the counted month. */
  humanitarian: 120 * DAY_MS,
  /** Measured from the end of the counted year. The figures for a year appear in the middle of the next year. */
  displacement: 610 * DAY_MS,
  /** Measured from the last read of the lists. */
  disaster: 12 * HOUR_MS,
  /** A fact covers seven days; its age is measured from the last day. The weather archive lags by up to five days. */
  climate: 14 * DAY_MS,
  airQuality: 5 * HOUR_MS,
  /** Measured from the last read of the list. */
  internet: 2 * HOUR_MS,
  aviation: 3 * HOUR_MS,
  /** Measured from the first day of the month. */
  consumerPrices: 75 * DAY_MS,
  yields: 10 * DAY_MS,
  /** Measured from the last read of the list. */
  sanctions: 36 * HOUR_MS,
  headline: 3 * DAY_MS,
} as const satisfies Record<string, number>;
export type EvidenceAge = keyof typeof evidenceAgesMax;

/** Maximum time by which the date of a fact may be in the future. A later date means that a clock is wrong. */
export const AHEAD_MS_MAX = 5 * MINUTE_MS;

/** A fact before its age is checked. */
export interface EvidenceDraft {
  readonly kind: EvidenceKind;
  readonly label: string;
  readonly value: string;
  readonly factText: string;
  /** Time from which the age of the fact is measured, epoch ms. */
  readonly at: number;
  readonly age: EvidenceAge;
  readonly url: string;
}

/** The facts by country code. A country's facts are in the order of their evidence ids. */
export type CountryFacts = ReadonlyMap<string, readonly EvidenceDraft[]>;

/** The country that a brief is about. */
export interface Subject {
  /** ISO 3166-1 alpha-2. */
  readonly code: string;
  /** English short name. */
  readonly name: string;
  /** Name within a sentence: `the Netherlands`. */
  readonly inText: string;
}

/** Maximum number of headlines considered for a brief, and of headlines stated in it. */
const [HEADLINES_CONSIDERED_MAX, HEADLINES_STATED_MAX] = [15, 6];

/**
 * Selects and numbers the drafts that are neither too old nor too far in the future. Only the first few headlines are
 * kept.
 */
export function evidenceAt(drafts: readonly EvidenceDraft[], now: number): readonly BriefEvidence[] {
  const recent = drafts.filter(({ at, age }) => at <= now + AHEAD_MS_MAX && now - at <= evidenceAgesMax[age]);
  const headlines = new Set(firstHeadlines(recent.filter(({ kind }) => kind === "headline")));
  return recent
    .filter((draft) => draft.kind !== "headline" || headlines.has(draft))
    .map(({ kind, label, value, factText, at, url }, index) => ({
      id: `E${index + 1}`,
      kind,
      label,
      value,
      factText,
      asOf: new Date(at).toISOString(),
      url,
    }));
}

/** Returns the first few headlines, without repeated titles. */
function firstHeadlines(headlines: readonly EvidenceDraft[]): readonly EvidenceDraft[] {
  const byTitle = new Map<string, EvidenceDraft>();
  for (const draft of headlines.slice(0, HEADLINES_CONSIDERED_MAX)) {
    const title = draft.value.toLowerCase();
    if (!byTitle.has(title)) byTitle.set(title, draft);
  }
  return [...byTitle.values()].slice(0, HEADLINES_STATED_MAX);
}

/** Returns the next time, epoch ms, at which the result of `evidenceAt` changes without new data. */
export function evidenceChangesAt(drafts: readonly EvidenceDraft[], now: number): number {
  const changes = drafts.flatMap(({ at, age }) => [at - AHEAD_MS_MAX, at + evidenceAgesMax[age] + 1]);
  return Math.min(...changes.filter((change) => change > now));
}

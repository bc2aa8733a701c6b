import { DAY_MS, HOUR_MS, MINUTE_MS } from "../../../../kit/clock.js";
import type { BriefEvidence, EvidenceKind } from "../../records.js";

/** How old the newest that a fact knows may be, by what it is made of. */
export const evidenceAgesMax = {
  /** ACLED publishes weekly. */
  alphaEvents: 14 * DAY_MS,
  /** UCDP publishes monthly, some weeks after the month. */
  betaEvents: 90 * DAY_MS,
  /** From the end of the month that was counted. */
  humanitarian: 120 * DAY_MS,
  /** From the end of the year that was counted; years come out in the middle of the next. */
  displacement: 610 * DAY_MS,
  /** Since the lists were last read. */
  disaster: 12 * HOUR_MS,
  /** From the last of the seven days; the archive lags by up to five. */
  climate: 14 * DAY_MS,
  airQuality: 5 * HOUR_MS,
  /** Since the list was last read. */
  internet: 2 * HOUR_MS,
  aviation: 3 * HOUR_MS,
  /** From the first day of the month. */
  consumerPrices: 75 * DAY_MS,
  yields: 10 * DAY_MS,
  headline: 3 * DAY_MS,
} as const satisfies Record<string, number>;
export type EvidenceAge = keyof typeof evidenceAgesMax;

/** A fact from further ahead than this comes from a clock that is wrong. */
export const AHEAD_MS_MAX = 5 * MINUTE_MS;

/** A fact before it is known whether it is recent enough to be stated. */
export interface EvidenceDraft {
  readonly kind: EvidenceKind;
  readonly label: string;
  readonly value: string;
  readonly factText: string;
  /** Until when it speaks, epoch ms. */
  readonly at: number;
  readonly age: EvidenceAge;
  readonly url: string;
}

/** The country that a brief is about. */
export interface Subject {
  /** ISO 3166-1 alpha-2. */
  readonly code: string;
  /** English short name. */
  readonly name: string;
  /** As it stands in a sentence: `the Netherlands`. */
  readonly inText: string;
}

/** How many headlines are looked at, and how many of them are stated. */
const [HEADLINES_CONSIDERED_MAX, HEADLINES_STATED_MAX] = [15, 6];

/** The drafts that are neither too old nor of the future, of the headlines the first few, numbered in their order. */
export function evidenceAt(drafts: readonly EvidenceDraft[], now: number): readonly BriefEvidence[] {
  const recent = drafts.filter(({ at, age }) => at <= now + AHEAD_MS_MAX && now - at <= evidenceAgesMax[age]);
  const headlines = new Set(firstHeadlines(recent.filter(({ kind }) => kind === "headline")));
  return recent
    .filter((draft) => draft.kind !== "headline" || headlines.has(draft))
    .map(({ kind, label, value, factText, at, url }, index) => ({
      ...{ id: `E${index + 1}`, kind, label, value, factText },
      ...{ asOf: new Date(at).toISOString(), url },
    }));
}

/** Each title once. */
function firstHeadlines(headlines: readonly EvidenceDraft[]): readonly EvidenceDraft[] {
  const byTitle = new Map<string, EvidenceDraft>();
  for (const draft of headlines.slice(0, HEADLINES_CONSIDERED_MAX)) {
    const title = draft.value.toLowerCase();
    if (!byTitle.has(title)) byTitle.set(title, draft);
  }
  return [...byTitle.values()].slice(0, HEADLINES_STATED_MAX);
}

/** When time alone next changes what `evidenceAt` gives, epoch ms. */
export function evidenceChangesAt(drafts: readonly EvidenceDraft[], now: number): number {
  const changes = drafts.flatMap(({ at, age }) => [at - AHEAD_MS_MAX, at + evidenceAgesMax[age] + 1]);
  return Math.min(...changes.filter((change) => change > now));
}

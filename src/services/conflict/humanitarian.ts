import { countryName } from "../../geography/countries.js";
import type { StoredSummary } from "./records.js";

export const eventKinds = ["civilian_targeting", "demonstration", "political_violence"] as const;
export type EventKind = (typeof eventKinds)[number];

/** What is counted of one kind in one place in one month. */
export interface Figures {
  readonly kind: EventKind;
  readonly countryCode: string;
  /** 0 is the country as a whole, 2 its second-level divisions. */
  readonly adminLevel: number;
  /** First day of the month, YYYY-MM-DD. */
  readonly period: string;
  readonly events: number;
  /** Undefined where the source did not count, which is no 0. */
  readonly deaths?: number;
}

/**
 * A summary of the latest month of every country, by code. Where a country has rows of its own they are taken, else those
 * of its deepest divisions: both together would count every event twice.
 */
export function summariesOf(figures: readonly Figures[]): readonly StoredSummary[] {
  const byCountry = new Map<string, Figures[]>();
  for (const figure of figures) {
    const own = byCountry.get(figure.countryCode);
    if (own) own.push(figure);
    else byCountry.set(figure.countryCode, [figure]);
  }
  return [...byCountry].sort(([a], [b]) => (a < b ? -1 : 1)).map(([code, own]) => summaryOf(code, own));
}

function summaryOf(countryCode: string, figures: readonly Figures[]): StoredSummary {
  const referencePeriod = maxText(figures.map(({ period }) => period));
  const latest = figures.filter(({ period }) => period === referencePeriod);
  const level = latest.some(({ adminLevel }) => adminLevel === 0)
    ? 0
    : latest.reduce((deepest, { adminLevel }) => Math.max(deepest, adminLevel), 0);
  const counted = latest.filter(({ adminLevel }) => adminLevel === level);
  const violence = counted.filter(({ kind }) => kind !== "demonstration");
  const deaths = violence.flatMap((figure) => figure.deaths ?? []);
  const violent = sum(violence.map(({ events }) => events));
  const demonstrations = sum(counted.flatMap(({ kind, events }) => (kind === "demonstration" ? events : [])));
  return {
    countryCode,
    countryName: countryName(countryCode) ?? countryCode,
    conflictEventsTotal: violent + demonstrations,
    conflictPoliticalViolenceEvents: violent,
    ...(deaths.length > 0 && { conflictFatalities: sum(deaths) }),
    conflictDemonstrations: demonstrations,
    referencePeriod,
  };
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, number) => total + number, 0);
}

function maxText(texts: readonly string[]): string {
  return texts.toSorted().at(-1) ?? "";
}

import { type RowTally, silentTally } from "../../../contract/row-tally.js";
import { countryName } from "../../../geography/countries.js";
import type { StoredSummary } from "../records.js";

export const eventKinds = ["civilian_targeting", "demonstration", "political_violence"] as const;
export type EventKind = (typeof eventKinds)[number];

/** The number of events of one kind in one place in one month, and the number of deaths in them. */
export interface Figures {
  readonly kind: EventKind;
  readonly countryCode: string;
  /** Key of a place within its country, equal for all rows of the place. */
  readonly place: string;
  /** 0 is the country as a whole, 2 its second-level divisions. */
  readonly adminLevel: number;
  /** First day of the month, YYYY-MM-DD. */
  readonly period: string;
  readonly events: number;
  /** Undefined if the source did not count deaths; 0 means that it counted none. */
  readonly deaths?: number;
}

/**
 * Returns a summary of the latest month of every country, sorted by code. Uses the country's own rows, or else those of
 * its deepest divisions, because both together would count every event twice.
 */
export function summariesOf(figures: readonly Figures[], tally: RowTally = silentTally): readonly StoredSummary[] {
  const byCountry = new Map<string, Figures[]>();
  for (const figure of figures) {
    const own = byCountry.get(figure.countryCode);
    if (own) own.push(figure);
    else byCountry.set(figure.countryCode, [figure]);
  }
  tally.made("summary made for a country", byCountry.size);
  return [...byCountry].sort(([a], [b]) => (a < b ? -1 : 1)).map(([code, own]) => summaryOf(code, own, tally));
}

function summaryOf(countryCode: string, figures: readonly Figures[], tally: RowTally): StoredSummary {
  const referencePeriod = maxText(figures.map(({ period }) => period));
  const latest = tally.filter(figures, { "earlier month": ({ period }) => period === referencePeriod });
  const level = latest.some(({ adminLevel }) => adminLevel === 0)
    ? 0
    : latest.reduce((deepest, { adminLevel }) => Math.max(deepest, adminLevel), 0);
  const counted = tally.filter(latest, { "counted at another level": ({ adminLevel }) => adminLevel === level });
  tally.joined("counts of one place and kind, summed for their country", counted.length);
  const places = byPlace(counted);
  // Civilian targeting is part of political violence in the source, so its row is added only for a place without a row
  // of political violence.
  const violence = countsOf(
    places.flatMap(({ political_violence: own, civilian_targeting: part }) => own ?? part ?? []),
  );
  const targeting = countsOf(places.flatMap(({ civilian_targeting: rows }) => rows ?? []));
  const demonstrations = countsOf(places.flatMap(({ demonstration: rows }) => rows ?? [])).events;
  return {
    countryCode,
    countryName: countryName(countryCode) ?? countryCode,
    conflictEventsTotal: (violence.events ?? 0) + (demonstrations ?? 0),
    ...(violence.events !== undefined && { conflictPoliticalViolenceEvents: violence.events }),
    ...(violence.deaths !== undefined && { conflictFatalities: violence.deaths }),
    ...(targeting.events !== undefined && { civilianTargetingEvents: targeting.events }),
    ...(targeting.deaths !== undefined && { civilianTargetingFatalities: targeting.deaths }),
    ...(demonstrations !== undefined && { conflictDemonstrations: demonstrations }),
    referencePeriod,
  };
}

type PlaceFigures = Partial<Record<EventKind, Figures[]>>;

/** Groups the rows by place and kind. */
function byPlace(figures: readonly Figures[]): readonly PlaceFigures[] {
  const places = new Map<string, PlaceFigures>();
  for (const figure of figures) {
    const place = places.get(figure.place) ?? {};
    places.set(figure.place, place);
    const rows = place[figure.kind];
    if (rows) rows.push(figure);
    else place[figure.kind] = [figure];
  }
  return [...places.values()];
}

/** Sums events and deaths over rows. A sum is undefined if no row has the count. */
function countsOf(figures: readonly Figures[]): {
  readonly events: number | undefined;
  readonly deaths: number | undefined;
} {
  const deaths = figures.flatMap((figure) => figure.deaths ?? []);
  return {
    events: figures.length === 0 ? undefined : sum(figures.map(({ events }) => events)),
    deaths: deaths.length === 0 ? undefined : sum(deaths),
  };
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, number) => total + number, 0);
}

function maxText(texts: readonly string[]): string {
  return texts.toSorted().at(-1) ?? "";
}

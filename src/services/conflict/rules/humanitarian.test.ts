import { describe, expect, test } from "vitest";
import { type EventKind, type Figures, summariesOf } from "./humanitarian.js";

const SEPTEMBER = "2026-09-01";
const OCTOBER = "2026-10-01";

const row = (
  kind: EventKind,
  events: number,
  deaths: number | undefined,
  more: Partial<Omit<Figures, "deaths">> = {},
): Figures => ({
  kind,
  countryCode: "SD",
  place: "",
  adminLevel: 0,
  period: OCTOBER,
  events,
  ...(deaths !== undefined && { deaths }),
  ...more,
});

interface Case {
  readonly name: string;
  readonly figures: readonly Figures[];
  /** The served counts: the total number of events, and the counts of each kind. */
  readonly expected: {
    readonly total: number;
    readonly violence?: number;
    readonly deaths?: number;
    readonly targeting?: number;
    readonly targetingDeaths?: number;
    readonly demonstrations?: number;
  };
}

const cases: readonly Case[] = [
  {
    name: "counts civilian targeting as part of political violence",
    figures: [row("political_violence", 5, 9), row("civilian_targeting", 3, 2), row("demonstration", 4, undefined)],
    expected: { total: 9, violence: 5, deaths: 9, targeting: 3, targetingDeaths: 2, demonstrations: 4 },
  },
  {
    name: "counts civilian targeting as political violence if the country has no row for political violence",
    figures: [row("civilian_targeting", 3, 2), row("demonstration", 4, undefined)],
    expected: { total: 7, violence: 3, deaths: 2, targeting: 3, targetingDeaths: 2, demonstrations: 4 },
  },
  {
    name: "counts civilian targeting as political violence only in divisions without a row for political violence",
    figures: [
      row("political_violence", 5, 9, { adminLevel: 2, place: "north" }),
      row("civilian_targeting", 1, 1, { adminLevel: 2, place: "north" }),
      row("civilian_targeting", 2, 3, { adminLevel: 2, place: "south" }),
    ],
    expected: { total: 7, violence: 7, deaths: 12, targeting: 3, targetingDeaths: 4 },
  },
  {
    name: "keeps a count of 0 for political violence despite civilian targeting",
    figures: [row("political_violence", 0, 0), row("civilian_targeting", 2, 1)],
    expected: { total: 0, violence: 0, deaths: 0, targeting: 2, targetingDeaths: 1 },
  },
  {
    name: "has 0 events in a month without events, and 0 deaths if the source counted 0",
    figures: [row("political_violence", 0, 0), row("demonstration", 0, undefined)],
    expected: { total: 0, violence: 0, deaths: 0, demonstrations: 0 },
  },
  {
    name: "omits deaths that were not counted",
    figures: [row("political_violence", 2, undefined), row("demonstration", 4, undefined)],
    expected: { total: 6, violence: 2, demonstrations: 4 },
  },
  {
    name: "omits deaths in political violence if only those in civilian targeting were counted",
    figures: [row("political_violence", 2, undefined), row("civilian_targeting", 1, 7)],
    expected: { total: 2, violence: 2, targeting: 1, targetingDeaths: 7 },
  },
  {
    name: "sums the counted deaths if some rows have no count",
    figures: [
      row("political_violence", 2, undefined, { adminLevel: 2, place: "north" }),
      row("political_violence", 1, 7, { adminLevel: 2, place: "south" }),
    ],
    expected: { total: 3, violence: 3, deaths: 7 },
  },
  {
    name: "ignores deaths in demonstrations, even if the source has them",
    figures: [row("political_violence", 1, 1), row("demonstration", 1, 50)],
    expected: { total: 2, violence: 1, deaths: 1, demonstrations: 1 },
  },
  {
    name: "omits political violence if the source has only demonstrations",
    figures: [row("demonstration", 4, undefined)],
    expected: { total: 4, demonstrations: 4 },
  },
  {
    name: "counts only the latest month",
    figures: [row("political_violence", 5, 9), row("political_violence", 100, 100, { period: SEPTEMBER })],
    expected: { total: 5, violence: 5, deaths: 9 },
  },
  {
    name: "ignores divisions if the country has its own rows",
    figures: [
      row("political_violence", 5, 9),
      row("political_violence", 2, 4, { adminLevel: 2, place: "north" }),
      row("political_violence", 3, 5, { adminLevel: 2, place: "south" }),
    ],
    expected: { total: 5, violence: 5, deaths: 9 },
  },
  {
    name: "counts only the deepest divisions if the country has no rows of its own",
    figures: [
      row("political_violence", 5, 9, { adminLevel: 1, place: "all" }),
      row("political_violence", 2, 4, { adminLevel: 2, place: "north" }),
      row("political_violence", 3, 4, { adminLevel: 2, place: "south" }),
      row("demonstration", 1, undefined, { adminLevel: 2, place: "south" }),
    ],
    expected: { total: 6, violence: 5, deaths: 8, demonstrations: 1 },
  },
  {
    name: "ignores the country's own row of an earlier month",
    figures: [
      row("political_violence", 50, 90, { period: SEPTEMBER }),
      row("political_violence", 2, 4, { adminLevel: 2, place: "north" }),
    ],
    expected: { total: 2, violence: 2, deaths: 4 },
  },
];

describe("summariesOf", () => {
  test.each(cases)("the summary of a country $name", ({ figures, expected }) => {
    const { total, violence, deaths, targeting, targetingDeaths, demonstrations } = expected;
    const summary = {
      countryCode: "SD",
      countryName: "Sudan",
      conflictEventsTotal: total,
      ...(violence !== undefined && { conflictPoliticalViolenceEvents: violence }),
      ...(deaths !== undefined && { conflictFatalities: deaths }),
      ...(targeting !== undefined && { civilianTargetingEvents: targeting }),
      ...(targetingDeaths !== undefined && { civilianTargetingFatalities: targetingDeaths }),
      ...(demonstrations !== undefined && { conflictDemonstrations: demonstrations }),
      referencePeriod: OCTOBER,
    };
    expect(summariesOf(figures)).toEqual([summary]);
    expect(summariesOf(figures.toReversed())).toEqual([summary]);
  });

  test("countries are sorted by code, and each has its own month and level", () => {
    const summaries = summariesOf([
      row("political_violence", 1, 1),
      row("political_violence", 2, 2, { countryCode: "ML", adminLevel: 2, period: SEPTEMBER }),
    ]);
    expect(summaries.map(({ countryCode, referencePeriod }) => [countryCode, referencePeriod])).toEqual([
      ["ML", SEPTEMBER],
      ["SD", OCTOBER],
    ]);
  });
});

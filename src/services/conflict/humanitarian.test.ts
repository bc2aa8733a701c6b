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
  ...{ kind, countryCode: "SD", adminLevel: 0, period: OCTOBER, events },
  ...(deaths !== undefined && { deaths }),
  ...more,
});

interface Case {
  readonly name: string;
  readonly figures: readonly Figures[];
  /** Events in all, violent ones, deaths (absent: nobody counted), demonstrations, month. */
  readonly expected: readonly [number, number, number | undefined, number, string];
}

const cases: readonly Case[] = [
  {
    name: "violence and targeting are summed, demonstrations stand apart",
    figures: [row("political_violence", 5, 9), row("civilian_targeting", 3, 2), row("demonstration", 4, undefined)],
    expected: [12, 8, 11, 4, OCTOBER],
  },
  {
    name: "a month without events counts nothing, and its deaths are 0",
    figures: [row("political_violence", 0, 0), row("demonstration", 0, undefined)],
    expected: [0, 0, 0, 0, OCTOBER],
  },
  {
    name: "deaths that nobody counted are absent, not 0",
    figures: [row("political_violence", 2, undefined), row("demonstration", 4, undefined)],
    expected: [6, 2, undefined, 4, OCTOBER],
  },
  {
    name: "deaths that were counted in part are summed as far as they go",
    figures: [row("political_violence", 2, undefined), row("civilian_targeting", 1, 7)],
    expected: [3, 3, 7, 0, OCTOBER],
  },
  {
    name: "deaths in demonstrations do not count, even where they are given",
    figures: [row("political_violence", 1, 1), row("demonstration", 1, 50)],
    expected: [2, 1, 1, 1, OCTOBER],
  },
  {
    name: "only the latest month counts",
    figures: [row("political_violence", 5, 9), row("political_violence", 100, 100, { period: SEPTEMBER })],
    expected: [5, 5, 9, 0, OCTOBER],
  },
  {
    name: "with a row of the country its divisions do not count again",
    figures: [
      row("political_violence", 5, 9),
      row("political_violence", 2, 4, { adminLevel: 2 }),
      row("political_violence", 3, 5, { adminLevel: 2 }),
    ],
    expected: [5, 5, 9, 0, OCTOBER],
  },
  {
    name: "without one the deepest divisions count, and those above them do not",
    figures: [
      row("political_violence", 5, 9, { adminLevel: 1 }),
      row("political_violence", 2, 4, { adminLevel: 2 }),
      row("political_violence", 3, 4, { adminLevel: 2 }),
      row("demonstration", 1, undefined, { adminLevel: 2 }),
    ],
    expected: [6, 5, 8, 1, OCTOBER],
  },
  {
    name: "a row of the country in an earlier month is none of the latest",
    figures: [
      row("political_violence", 50, 90, { period: SEPTEMBER }),
      row("political_violence", 2, 4, { adminLevel: 2 }),
    ],
    expected: [2, 2, 4, 0, OCTOBER],
  },
];

describe("the summary of a country", () => {
  test.each(cases)("$name", ({ figures, expected }) => {
    const [total, violent, deaths, demonstrations, period] = expected;
    const summary = {
      ...{ countryCode: "SD", countryName: "Sudan", conflictEventsTotal: total, referencePeriod: period },
      ...{ conflictPoliticalViolenceEvents: violent, conflictDemonstrations: demonstrations },
      ...(deaths !== undefined && { conflictFatalities: deaths }),
    };
    expect(summariesOf(figures)).toEqual([summary]);
    expect(summariesOf(figures.toReversed())).toEqual([summary]);
  });

  test("stands by itself: another country's month and level are its own, in the order of codes", () => {
    const found = summariesOf([
      row("political_violence", 1, 1),
      row("political_violence", 2, 2, { countryCode: "ML", adminLevel: 2, period: SEPTEMBER }),
    ]);
    expect(found.map(({ countryCode, referencePeriod }) => [countryCode, referencePeriod])).toEqual([
      ["ML", SEPTEMBER],
      ["SD", OCTOBER],
    ]);
  });
});

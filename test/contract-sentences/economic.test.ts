import { expect } from "vitest";
import { DAY_MS } from "../../src/kit/clock.js";
import { bodyOf, fieldsRefusedAt, type Sentence, sharedStack, testSentences } from "../support/sentences.js";
import { json, NOON } from "../support/stack.js";

/* Sentences of SPEC about the economic operations. */

const CPI = "/api/economic/v1/get-us-cpi-monthly";
const YIELDS = "/api/economic/v1/get-us-treasury-par-yield-curve";
const ENDPOINTS = "SPEC endpoints, economic";

const stackOf = sharedStack("all");

const components = ["headline", "core", "food", "energy", "shelter", "services"] as const;

interface Reading {
  readonly index: number;
  readonly monthOverMonth?: { readonly percent: number };
  readonly yearOverYear?: { readonly percent: number };
}
type Month = Readonly<Partial<Record<(typeof components)[number], Reading>>> & { readonly month: number };
interface Cpi {
  readonly months: readonly Month[];
  readonly unavailable: boolean;
}
type Curve = Readonly<Record<string, number>> & { readonly date: number };
interface Yields {
  readonly curves: readonly Curve[];
  readonly unavailable: boolean;
}

const cpi = (query = ""): Promise<Cpi> => bodyOf(stackOf(), CPI + query);
const yields = (query = ""): Promise<Yields> => bodyOf(stackOf(), YIELDS + query);

/** The change in percent from an earlier reading, with four decimals. */
const change = (from: number, to: number): number => Math.round((to / from - 1) * 1e6) / 1e4;

type Change = "monthOverMonth" | "yearOverYear";
const monthsBack: Readonly<Record<Change, number>> = { monthOverMonth: 1, yearOverYear: 12 };

/**
 * Checks each change of a component against the indices of the month and of its base month. Without a base month, the
 * change must be absent.
 */
async function expectChanges(component: (typeof components)[number], name: Change): Promise<void> {
  const { months } = await cpi("?history=true");
  const readings = new Map(months.map((month) => [month.month, month[component]]));
  let compared = 0;
  for (const [at, reading] of readings) {
    if (!reading) continue;
    const day = new Date(at);
    const base = readings.get(Date.UTC(day.getUTCFullYear(), day.getUTCMonth() - monthsBack[name]));
    if (!base) {
      expect(reading).not.toHaveProperty(name);
      continue;
    }
    const percent = reading[name]?.percent ?? Number.NaN;
    expect(Math.abs(percent - change(base.index, reading.index))).toBeLessThanOrEqual(1.000001e-4);
    compared += 1;
  }
  expect(compared).toBeGreaterThan(100);
}

const cpiRows: readonly Sentence[] = [
  {
    place: ENDPOINTS,
    sentence: "history=true returns every stored month since 1947",
    check: async () => {
      const { months, unavailable } = await cpi("?history=true");
      expect([months[0]?.month, unavailable]).toEqual([Date.UTC(1947, 0), false]);
      expect(months.length).toBeGreaterThan(900);
    },
  },
  ...["", "?history=false", "?history="].map(
    (query): Sentence => ({
      place: ENDPOINTS,
      sentence: `${query === "" ? "a call without history" : query.slice(1)} returns only the latest CPI month`,
      check: async () => {
        const whole = (await cpi("?history=true")).months;
        expect((await cpi(query)).months).toEqual(whole.slice(-1));
      },
    }),
  ),
  {
    place: ENDPOINTS,
    sentence: "the parameter history of CPI is a boolean",
    check: async () => expect(await fieldsRefusedAt(stackOf(), `${CPI}?history=all`)).toEqual(["history"]),
  },
  {
    place: "SPEC resources, CPI month",
    sentence: "`month` is the epoch ms of the first day of a month, and no month occurs twice",
    check: async () => {
      const times = (await cpi("?history=true")).months.map(({ month }) => month);
      expect(times).toEqual(times.toSorted((a, b) => a - b));
      expect(new Set(times).size).toBe(times.length);
      for (const time of times) expect(new Date(time).toISOString()).toMatch(/-01T00:00:00\.000Z$/);
    },
  },
  ...components.flatMap((component): Sentence[] => [
    {
      place: `${ENDPOINTS}, CPI`,
      sentence: `the series has ${component}`,
      check: async () => expect((await cpi()).months[0]?.[component]?.index).toBeGreaterThan(50),
    },
    {
      place: `${ENDPOINTS}, CPI`,
      sentence: `the month-over-month change of ${component} is computed from the index`,
      check: () => expectChanges(component, "monthOverMonth"),
    },
    {
      place: `${ENDPOINTS}, CPI`,
      sentence: `the year-over-year change of ${component} is computed from the index`,
      check: () => expectChanges(component, "yearOverYear"),
    },
  ]),
  {
    place: "SPEC resources, CPI response",
    sentence: "a change without a base month is absent",
    check: async () => {
      const [first] = (await cpi("?history=true")).months;
      expect(first?.headline?.index).toBeGreaterThan(0);
      expect(first?.headline).not.toHaveProperty("monthOverMonth");
      expect(first?.headline).not.toHaveProperty("yearOverYear");
    },
  },
];

const tenors = [
  "oneMonth",
  "oneAndAHalfMonth",
  "twoMonth",
  "threeMonth",
  "fourMonth",
  "sixMonth",
  "oneYear",
  "twoYear",
  "threeYear",
  "fiveYear",
  "sevenYear",
  "tenYear",
  "twentyYear",
  "thirtyYear",
];

/** For each tenor introduced after 2000, a day on which it was not yet published. */
const before: Readonly<Record<string, number>> = {
  oneMonth: Date.UTC(2001, 6, 30),
  oneAndAHalfMonth: Date.UTC(2025, 1, 14),
  twoMonth: Date.UTC(2018, 9, 15),
  fourMonth: Date.UTC(2022, 9, 18),
};

const yieldRows: readonly Sentence[] = [
  {
    place: ENDPOINTS,
    sentence: "history=true returns every business day since 1990",
    check: async () => {
      const { curves, unavailable } = await yields("?history=true");
      const [first] = curves;
      expect([new Date(first?.date ?? 0).toISOString().slice(0, 7), unavailable]).toEqual(["1990-01", false]);
      expect(curves.length).toBeGreaterThan(9_000);
      for (const { date } of curves) expect([0, 6]).not.toContain(new Date(date).getUTCDay());
    },
  },
  ...["", "?history=false", "?history="].map(
    (query): Sentence => ({
      place: ENDPOINTS,
      sentence: `${query === "" ? "a call without history" : query.slice(1)} returns only the latest business day`,
      check: async () => {
        const whole = (await yields("?history=true")).curves;
        expect((await yields(query)).curves).toEqual(whole.slice(-1));
      },
    }),
  ),
  {
    place: ENDPOINTS,
    sentence: "the parameter history of yields is a boolean",
    check: async () => expect(await fieldsRefusedAt(stackOf(), `${YIELDS}?history=2`)).toEqual(["history"]),
  },
  {
    place: "SPEC resources, Treasury par yield curve day",
    sentence: "`date` is the epoch ms of a day not after today, and no day occurs twice",
    check: async () => {
      const days = (await yields("?history=true")).curves.map(({ date }) => date);
      expect(new Set(days).size).toBe(days.length);
      expect(days.every((day) => day % DAY_MS === 0 && day <= NOON)).toBe(true);
    },
  },
  ...tenors.map(
    (tenor): Sentence => ({
      place: "SPEC resources, Treasury par yield curve day",
      sentence: `${tenor} is in percent`,
      check: async () => {
        const [curve] = (await yields()).curves;
        expect(curve?.[tenor]).toBeGreaterThan(0);
        expect(curve?.[tenor]).toBeLessThan(20);
      },
    }),
  ),
  {
    place: "SPEC resources, Treasury par yield curve day",
    sentence:
      "no day has a member other than date and the tenors from 1 month to 30 years, and each tenor occurs on some day",
    check: async () => {
      const names = new Set((await yields("?history=true")).curves.flatMap((curve) => Object.keys(curve)));
      expect([...names].sort()).toEqual(["date", ...tenors].sort());
    },
  },
  ...Object.entries(before).map(
    ([tenor, day]): Sentence => ({
      place: "SPEC resources, Treasury par yield curve day",
      sentence: `a tenor is missing on the days before its first publication: ${tenor}`,
      check: async () => {
        const earlier = (await yields("?history=true")).curves.filter(({ date }) => date <= day);
        expect(earlier.length).toBeGreaterThan(100);
        expect(earlier.filter((curve) => tenor in curve)).toEqual([]);
      },
    }),
  ),
];

const emptyStackOf = sharedStack([]);

const emptyRows: readonly Sentence[] = [
  [CPI, { months: [], unavailable: true }],
  [YIELDS, { curves: [], unavailable: true }],
].map(([path, expected]) => ({
  place: "SPEC resources, economic series",
  sentence: `unavailable is true without data: ${path}`,
  check: async () => {
    const answer = await emptyStackOf().get(`${path}?history=true`);
    expect([answer.status, json(answer), answer.headers["Cache-Control"]]).toEqual([200, expected, "no-store"]);
  },
}));

testSentences([...cpiRows, ...yieldRows, ...emptyRows]);

import { afterAll, beforeAll, expect } from "vitest";
import { countryCentre } from "../../src/geography/countries.js";
import type { PlannedRequest } from "../../src/ingest/requests.js";
import { DAY_MS } from "../../src/kit/clock.js";
import { displacement } from "../../src/services/displacement/datasets/displacement.js";
import type { PopulationRow } from "../../src/services/displacement/records.js";
import { displacementYear } from "../../src/services/displacement/rules/summary.js";
import { unhcrPopulation } from "../../src/services/displacement/sources/unhcr.js";
import { usCpi } from "../../src/services/economic/datasets/us-cpi.js";
import { usTreasuryYields } from "../../src/services/economic/datasets/us-treasury-yields.js";
import type { IndexPoint, TreasuryParYieldCurve } from "../../src/services/economic/records.js";
import { cpiMonths, percentChange } from "../../src/services/economic/rules/cpi-months.js";
import { treasuryYields } from "../../src/services/economic/sources/treasury-yields.js";
import { cloudflareRadar } from "../../src/services/infrastructure/sources/cloudflare-radar.js";
import { firstRequest, readBody } from "../support/reading.js";
import { refusedFields, type Sentence, testSentences } from "../support/sentences.js";
import { json, NOON, type Stack, startStack } from "../support/stack.js";
import { viewOf } from "../support/views.js";

/*
 * Sentences of the contract: section 14 of NOTES.md on economic series, traffic anomalies and displacement, as amended
 * by rulings 11 and 19 of RULINGS.md, correction 10 of SOURCES-CORRECTIONS.md and docs/decisions/0008.
 */

const CPI = "/api/economic/v1/get-us-cpi-monthly";
const YIELDS = "/api/economic/v1/get-us-treasury-par-yield-curve";
const TRAFFIC = "/api/infrastructure/v1/list-internet-traffic-anomalies";
const DISPLACEMENT = "/api/displacement/v1/get-displacement-summary";
const COMPONENTS = ["headline", "core", "food", "energy", "shelter", "services"] as const;

interface Reading {
  readonly index: number;
  readonly monthOverMonth?: { readonly percent: number };
  readonly yearOverYear?: { readonly percent: number };
}
type Month = { readonly month: number } & Partial<Readonly<Record<(typeof COMPONENTS)[number], Reading>>>;
type Curve = { readonly date: number } & Readonly<Record<string, number>>;
interface Anomaly {
  readonly uuid: string;
  readonly startDate: number;
  readonly endDate: number;
  readonly asn?: string;
  readonly locationCode?: string;
  readonly latitude?: number;
}
interface Country {
  readonly code: string;
  readonly refugees: number;
  readonly asylumSeekers: number;
  readonly idps: number;
  readonly stateless: number;
  readonly totalDisplaced: number;
  readonly hostRefugees: number;
  readonly hostAsylumSeekers: number;
  readonly hostTotal: number;
  readonly location?: { readonly latitude: number };
}
interface Displacement {
  readonly dataAvailable: boolean;
  readonly fetchedAt: number;
  readonly summary: {
    readonly year: number;
    readonly countries: readonly Country[];
    readonly topFlows: readonly { readonly refugees: number; readonly originCode: string }[];
  };
}

let stack: Stack;
beforeAll(async () => {
  stack = await startStack({ filled: "all" });
}, 180_000);
afterAll(() => stack.close());

async function bodyOf<Body>(target: string): Promise<Body> {
  const answer = await stack.get(target);
  expect(answer.status, String(answer.body)).toBe(200);
  // The cast is safe, because the operations declare these shapes.
  return json(answer) as Body;
}

const months = async (query = "history=true") => (await bodyOf<{ months: Month[] }>(`${CPI}?${query}`)).months;
const curves = async (query = "history=true") => (await bodyOf<{ curves: Curve[] }>(`${YIELDS}?${query}`)).curves;
const anomalies = async (query = "") => (await bodyOf<{ anomalies: Anomaly[] }>(`${TRAFFIC}?${query}`)).anomalies;
const displaced = async (query = "") => (await bodyOf<Displacement>(`${DISPLACEMENT}?${query}`)).summary;

const none = { headline: [], core: [], food: [], energy: [], shelter: [], services: [] };
const pointsFrom = (year: number, month: number, count: number): readonly IndexPoint[] =>
  Array.from({ length: count }, (_, at) => ({ month: Date.UTC(year, month - 1 + at), index: 20 + at / 10 }));
const point = (year: number, month: number, index: number): IndexPoint => ({ month: Date.UTC(year, month - 1), index });

const cpi: readonly Sentence[] = [
  {
    place: "NOTES §14 economic",
    sentence: "a change is (cur/base-1)*100 with 4 decimals",
    check: () =>
      expect([percentChange(103, 101), percentChange(99, 101), percentChange(1, 3)]).toEqual([
        1.9802, -1.9802, -66.6667,
      ]),
  },
  {
    place: "NOTES §14 economic",
    sentence: "each served change can be computed from the served indices",
    async check() {
      const all = await months();
      const indexOf = new Map(all.map((month) => [month.month, month]));
      for (const month of all.slice(-30)) {
        const date = new Date(month.month);
        const before = (count: number) => indexOf.get(Date.UTC(date.getUTCFullYear(), date.getUTCMonth() - count));
        for (const component of COMPONENTS) {
          const reading = month[component];
          if (!reading) continue;
          const changeFrom = (base: Reading | undefined) => base && percentChange(reading.index, base.index);
          expect(reading.monthOverMonth?.percent).toBe(changeFrom(before(1)?.[component]));
          expect(reading.yearOverYear?.percent).toBe(changeFrom(before(12)?.[component]));
        }
      }
    },
  },
  {
    place: "NOTES §14 economic",
    sentence: "a change is absent when its base month is missing",
    check() {
      const headline = [point(2025, 8, 100), point(2025, 10, 102), point(2026, 8, 105)];
      const [, october, august] = cpiMonths({ ...none, headline });
      expect(october?.headline).toEqual({ index: 102 });
      expect(august?.headline).toEqual({ index: 105, yearOverYear: { percent: 5 } });
    },
  },
  {
    place: "NOTES §14 economic",
    sentence: "a component without a value for a month is omitted from that month",
    async check() {
      expect(cpiMonths({ ...none, headline: [point(1950, 1, 23.5)] })).toEqual([
        { month: Date.UTC(1950, 0), headline: { index: 23.5 } },
      ]);
      const [first] = await months();
      expect(Object.keys(first ?? {})).not.toContain("core");
    },
  },
  {
    place: "NOTES §14 economic",
    sentence: "the latest month is the last one in which any component has a value",
    async check() {
      const view = viewOf(usCpi, { ...none, headline: [point(2026, 8, 1)], energy: [point(2026, 9, 2)] });
      expect(view).toMatchObject({ latest: [{ month: Date.UTC(2026, 8), energy: { index: 2 } }] });
      expect(await months("")).toEqual((await months()).slice(-1));
    },
  },
  {
    place: "NOTES §14 economic",
    sentence: "publishing requires at least 800 months of headline CPI, starting in 1947-01",
    check() {
      expect(usCpi.gate({ ...none, headline: pointsFrom(1947, 1, 800) })).toBeUndefined();
      expect(usCpi.gate({ ...none, headline: pointsFrom(1947, 1, 799) })).toMatch(/799/);
      expect(usCpi.gate({ ...none, headline: pointsFrom(1947, 2, 900) })).toMatch(/1947-02/);
    },
  },
];

const daysFrom = (at: number, count: number, tenors: Partial<TreasuryParYieldCurve>): TreasuryParYieldCurve[] =>
  Array.from({ length: count }, (_, day) => ({ date: at + day * DAY_MS, ...tenors }));
const FIRST = Date.UTC(1990, 0, 2);
const curvesOf = (entries: readonly string[]): readonly unknown[] => {
  const xml = `<feed>${entries.map((entry) => `<entry><content><properties>${entry}</properties></content></entry>`).join("")}</feed>`;
  return readBody(
    treasuryYields,
    firstRequest(treasuryYields, { years: [2026], incompleteYears: [], now: Date.UTC(2026, 7, 31) }),
    xml,
  ).records;
};
const TENORS = {
  BC_1MONTH: "oneMonth",
  BC_1_5MONTH: "oneAndAHalfMonth",
  BC_2MONTH: "twoMonth",
  BC_3MONTH: "threeMonth",
  BC_4MONTH: "fourMonth",
  BC_6MONTH: "sixMonth",
  BC_1YEAR: "oneYear",
  BC_2YEAR: "twoYear",
  BC_3YEAR: "threeYear",
  BC_5YEAR: "fiveYear",
  BC_7YEAR: "sevenYear",
  BC_10YEAR: "tenYear",
  BC_20YEAR: "twentyYear",
  BC_30YEAR: "thirtyYear",
} as const;
const NEW_DATE = "<NEW_DATE>2026-11-17T00:00:00</NEW_DATE>";

const yields: readonly Sentence[] = [
  {
    place: "NOTES §14 economic",
    sentence: "there are 14 tenors",
    async check() {
      const names = new Set((await curves()).flatMap((curve) => Object.keys(curve)));
      expect(names).toEqual(new Set(["date", ...Object.values(TENORS)]));
      expect(Object.keys(TENORS)).toHaveLength(14);
    },
  },
  ...Object.entries(TENORS).map(
    ([element, tenor]): Sentence => ({
      place: "NOTES §14 economic",
      sentence: `the upstream's ${element} is served as ${tenor}, and omitted if it is null`,
      check() {
        const date = Date.UTC(2026, 10, 17);
        const other = element === "BC_10YEAR" ? ["BC_2YEAR", "twoYear"] : ["BC_10YEAR", "tenYear"];
        const column = `<${other[0]}>4.5</${other[0]}>`;
        expect(curvesOf([`${NEW_DATE}${column}<${element}>4.25</${element}>`])).toEqual([
          { date, [other[1] ?? ""]: 4.5, [tenor]: 4.25 },
        ]);
        expect(curvesOf([`${NEW_DATE}${column}<${element} null="true"></${element}>`])).toEqual([
          { date, [other[1] ?? ""]: 4.5 },
        ]);
      },
    }),
  ),
  {
    place: "NOTES §14 economic",
    sentence: "publishing requires at least 5,000 days, starting in 1990-01",
    check() {
      expect(usTreasuryYields.gate({ curves: daysFrom(FIRST, 5_000, { twoYear: 4 }) })).toBeUndefined();
      expect(usTreasuryYields.gate({ curves: daysFrom(FIRST, 4_999, { twoYear: 4 }) })).toMatch(/4999/);
      expect(usTreasuryYields.gate({ curves: daysFrom(Date.UTC(1990, 1, 1), 5_000, { twoYear: 4 }) })).toMatch(
        /1990-02/,
      );
    },
  },
  {
    place: "NOTES §14 economic",
    sentence: "publishing requires a 2-year or a 10-year yield on the newest day",
    check() {
      expect(usTreasuryYields.gate({ curves: daysFrom(FIRST, 5_000, { tenYear: 4 }) })).toBeUndefined();
      expect(usTreasuryYields.gate({ curves: daysFrom(FIRST, 5_000, { fiveYear: 4 }) })).toMatch(/2-year/);
    },
  },
  {
    place: "NOTES §14 economic",
    sentence: "the date of a curve is UTC midnight in epoch ms",
    async check() {
      const all = await curves();
      expect(all.length).toBeGreaterThan(5_000);
      for (const { date } of all) expect(date % DAY_MS).toBe(0);
    },
  },
];

const anomaly = {
  uuid: "u1",
  type: "LOCATION",
  status: "VERIFIED",
  startDate: "2026-11-17T10:00:00Z",
  endDate: null,
  asnDetails: { asn: "64500", name: "Example Net" },
  locationDetails: { code: "SY", name: "Syria" },
};
const readAnomalies = (...rows: readonly object[]) =>
  readBody(cloudflareRadar, firstRequest(cloudflareRadar, {}, { CLOUDFLARE_API_TOKEN: "x" }), {
    success: true,
    result: { trafficAnomalies: rows.map((row) => ({ ...anomaly, ...row })) },
  }).records;

const traffic: readonly Sentence[] = [
  {
    place: "NOTES §14 traffic anomalies",
    sentence: "an anomaly has uuid, type, status, times, network and place",
    check: () =>
      expect(readAnomalies({})).toEqual([
        {
          uuid: "u1",
          type: "LOCATION",
          status: "VERIFIED",
          startDate: Date.UTC(2026, 10, 17, 10),
          endDate: 0,
          asn: "64500",
          asnName: "Example Net",
          locationCode: "SY",
          locationName: "Syria",
          latitude: expect.any(Number),
          longitude: expect.any(Number),
        },
      ]),
  },
  {
    place: "NOTES §14 traffic anomalies",
    sentence: "endDate is 0 while an anomaly is open",
    async check() {
      expect(readAnomalies({ endDate: "2026-11-17T12:00:00Z" })).toMatchObject([
        { endDate: Date.UTC(2026, 10, 17, 12) },
      ]);
      const ends = (await anomalies()).map(({ endDate }) => endDate);
      expect(ends).toContain(0);
      expect(ends.some((end) => end > 0)).toBe(true);
    },
  },
  {
    place: "NOTES §14 traffic anomalies",
    sentence: "asn is a string",
    async check() {
      expect(readAnomalies({ asnDetails: { asn: 64_501, name: "x" } })).toMatchObject([{ asn: "64501" }]);
      for (const { asn } of await anomalies()) expect(asn ?? "1").toMatch(/^\d+$/);
    },
  },
  {
    place: "NOTES §14 traffic anomalies, ruling 11",
    sentence: "the position of an anomaly is the centre of its country, and is absent if the centre is unknown",
    check() {
      const centre = countryCentre("SY");
      expect(readAnomalies({})).toMatchObject([{ latitude: centre?.latitude, longitude: centre?.longitude }]);
      const [unknown] = readAnomalies({ locationDetails: { code: "ZZ", name: "Nowhere" } });
      expect(unknown).not.toHaveProperty("latitude");
    },
  },
  {
    place: "NOTES §14 traffic anomalies",
    sentence: "a range of 7 days and at most 100 rows are requested",
    check() {
      const { url } = firstRequest(cloudflareRadar, {}, { CLOUDFLARE_API_TOKEN: "x" });
      const query = new URL(url).searchParams;
      expect([query.get("dateRange"), query.get("limit")]).toEqual(["7d", "100"]);
    },
  },
  {
    place: "NOTES §14 traffic anomalies",
    sentence: "totalCount is the number of listed rows",
    async check() {
      const all = await bodyOf<{ anomalies: Anomaly[]; totalCount: number }>(TRAFFIC);
      expect(all.totalCount).toBe(all.anomalies.length);
      const code = all.anomalies.find(({ locationCode }) => locationCode !== undefined)?.locationCode;
      const own = await bodyOf<{ anomalies: Anomaly[]; totalCount: number }>(`${TRAFFIC}?country=${code}`);
      expect([own.totalCount, own.totalCount < all.totalCount]).toEqual([own.anomalies.length, true]);
    },
  },
  {
    place: "NOTES §14 traffic anomalies",
    sentence: "if the upstream cannot be read, the answer is a 200 with an empty list",
    async check() {
      const own = await startStack({ datasets: ["internet-traffic-anomalies"] });
      try {
        own.simulator.faults.set({ upstream: "*" }, { kind: "html" });
        await own.run("internet-traffic-anomalies");
        const answer = await own.get(TRAFFIC);
        expect([answer.status, json(answer)]).toEqual([200, { anomalies: [], totalCount: 0 }]);
        expect(answer.headers["Cache-Control"]).toBe("no-store");
      } finally {
        await own.close();
      }
    },
  },
];

const population = (origin: string, asylum: string, counts: Partial<PopulationRow>): PopulationRow => ({
  year: 2025,
  originCode: origin,
  originName: origin,
  asylumCode: asylum,
  asylumName: asylum,
  refugees: 0,
  asylumSeekers: 0,
  idps: 0,
  stateless: 0,
  ...counts,
});
const year = displacementYear([
  population("SYR", "TUR", { refugees: 100, asylumSeekers: 5 }),
  population("SYR", "SYR", { idps: 300, stateless: 2 }),
  population("AFG", "TUR", { refugees: 40, asylumSeekers: 1 }),
  population("AFG", "DEU", { asylumSeekers: 9 }),
]);
const countryOf = (code: string) => year?.countries.find((country) => country.code === code);

const people: readonly Sentence[] = [
  {
    place: "NOTES §14 displacement",
    sentence: "refugees, asylumSeekers, idps and stateless are counted by origin, and totalDisplaced is their sum",
    async check() {
      expect(countryOf("SYR")).toMatchObject({
        refugees: 100,
        asylumSeekers: 5,
        idps: 300,
        stateless: 2,
        totalDisplaced: 407,
      });
      for (const { refugees, asylumSeekers, idps, stateless, totalDisplaced } of (await displaced()).countries) {
        expect(totalDisplaced).toBe(refugees + asylumSeekers + idps + stateless);
      }
    },
  },
  {
    place: "NOTES §14 displacement",
    sentence: "hostRefugees, hostAsylumSeekers and hostTotal are counted by country of asylum",
    async check() {
      expect(countryOf("TUR")).toMatchObject({ hostRefugees: 140, hostAsylumSeekers: 6, hostTotal: 146 });
      for (const { hostRefugees, hostAsylumSeekers, hostTotal } of (await displaced()).countries) {
        expect(hostTotal).toBe(hostRefugees + hostAsylumSeekers);
      }
    },
  },
  {
    place: "NOTES §14 displacement",
    sentence: "countries have the upstream's three-letter codes",
    check: async () => {
      const { countries } = await displaced();
      for (const { code } of countries) expect(code).toMatch(/^[A-Z]{3}$/);
    },
  },
  {
    place: "NOTES §14 displacement",
    sentence:
      "a country's location comes from the table of country centres, and is absent if the table lacks the country",
    async check() {
      expect(countryOf("SYR")?.location).toEqual(countryCentre("SYR"));
      const nowhere = displacementYear([population("XXA", "DEU", { refugees: 3 })]);
      expect(nowhere?.countries.find(({ code }) => code === "XXA")).not.toHaveProperty("location");
    },
  },
  {
    place: "NOTES §14 displacement",
    sentence: "countries are sorted by the larger of totalDisplaced and hostTotal",
    async check() {
      expect(year?.countries.map(({ code }) => code)).toEqual(["SYR", "TUR", "AFG", "DEU"]);
      const sizes = (await displaced()).countries.map(({ totalDisplaced, hostTotal }) =>
        Math.max(totalDisplaced, hostTotal),
      );
      expect(sizes).toEqual(sizes.toSorted((a, b) => b - a));
    },
  },
  {
    place: "NOTES §14 displacement",
    sentence: "flows are sorted by refugees, most first, and a flow without refugees is not listed",
    async check() {
      expect(year?.flows.map(({ originCode, asylumCode }) => [originCode, asylumCode])).toEqual([
        ["SYR", "TUR"],
        ["AFG", "TUR"],
      ]);
      const counts = (await displaced("flow_limit=100000")).topFlows.map(({ refugees }) => refugees);
      expect(counts).toEqual(counts.toSorted((a, b) => b - a));
      expect(Math.min(...counts)).toBeGreaterThan(0);
    },
  },
  {
    place: "NOTES §14 displacement",
    sentence: "the current year is requested first, then up to two earlier years until one has data",
    check() {
      const first = firstRequest(unhcrPopulation, { year: 2026 });
      const empty = { items: [], maxPages: 1 };
      const more = (request: PlannedRequest | undefined) =>
        request ? readBody(unhcrPopulation, request, empty).more : [];
      const [second] = more(first);
      const [third] = more(second);
      const years = [first, second, third].map((request) => /[?&]year=(\d+)/.exec(request?.url ?? "")?.[1]);
      expect(years).toEqual(["2026", "2025", "2024"]);
      expect(more(third)).toEqual([]);
    },
  },
  {
    place: "NOTES §14 displacement",
    sentence: "publishing requires data on at least 100 countries",
    check() {
      const rows = (count: number) =>
        Array.from({ length: count }, (_, at) => population(`C${at}`, `C${at}`, { idps: 1 }));
      expect(displacement.gate({ population: rows(100) })).toBeUndefined();
      expect(displacement.gate({ population: rows(99) })).toMatch(/99 countries/);
    },
  },
  {
    place: "NOTES §14 displacement",
    sentence: "the answer's year is the year of its data, which may precede the current year",
    async check() {
      const { year: served } = await displaced();
      expect(served).toBeLessThan(new Date(NOON).getUTCFullYear());
      expect((await displaced(`year=${served}`)).year).toBe(served);
      expect(refusedFields(await stack.get(`${DISPLACEMENT}?year=1950`))).toEqual(["year"]);
    },
  },
];

testSentences([...cpi, ...yields, ...traffic, ...people]);

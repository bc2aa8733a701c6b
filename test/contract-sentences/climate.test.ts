import { expect } from "vitest";
import { DAY_MS } from "../../src/kit/clock.js";
import { newsItem } from "../../src/services/climate/rules/news/news-item.js";
import { bodyOf, type Sentence, sharedStack, testSentences } from "../support/sentences.js";
import { json, NOON } from "../support/stack.js";

/* Sentences of SPEC and RULINGS about the climate operations. */

const stackOf = sharedStack([
  "climate-normals",
  "climate-anomalies",
  "climate-disasters",
  "co2-monitoring",
  "ocean-ice",
  "air-quality",
]);

const ENDPOINTS = "SPEC endpoints, climate";
const ANOMALIES = "list-climate-anomalies";
const DISASTERS = "list-climate-disasters";
const CO2 = "get-co2-monitoring";
const OCEANS = "get-ocean-ice-data";
const AIR = "list-air-quality-data";
const NEWS = "list-climate-news";

const at = (rpc: string, query = ""): string => `/api/climate/v1/${rpc}${query === "" ? "" : `?${query}`}`;
const body = <T>(rpc: string, query = ""): Promise<T> => bodyOf<T>(stackOf(), at(rpc, query));
const textOf = async (rpc: string, query = ""): Promise<string> =>
  JSON.stringify(await bodyOf(stackOf(), at(rpc, query)));

interface Anomaly {
  readonly zone: string;
  readonly period: string;
  readonly tempDelta: number;
  readonly precipDelta: number;
  readonly severity: string;
  readonly type: string;
}
interface Disaster {
  readonly id: string;
  readonly country: string;
  readonly countryCode?: string;
  readonly countryCodes?: readonly string[];
  readonly lat?: number;
  readonly source: string;
  readonly severity?: string;
  readonly affectedPopulation?: number;
}
interface Monitoring {
  readonly currentPpm: number;
  readonly monthlyAverage: number;
  readonly annualGrowthRate: number;
  readonly methanePpb: number;
  readonly measuredAt: number;
}
interface Ocean {
  readonly arcticExtentMkm2: number;
  readonly arcticExtentAnomalyMkm2: number;
  readonly arcticTrend: string;
  readonly iceTrend12m: readonly { readonly month: string; readonly extentMkm2: number; anomalyMkm2?: number }[];
  readonly measuredAt: number;
}
interface Station {
  readonly aqi: number;
  readonly measuredAt: number;
  readonly lat?: number;
  readonly lng?: number;
}

const anomaliesOf = async (query = ""): Promise<readonly Anomaly[]> =>
  (await body<{ anomalies: readonly Anomaly[] }>(ANOMALIES, query)).anomalies;
const disastersOf = async (query = ""): Promise<readonly Disaster[]> =>
  (await body<{ disasters: readonly Disaster[] }>(DISASTERS, query)).disasters;
const oceans = async (): Promise<Ocean> => (await body<{ data: Ocean }>(OCEANS)).data;
const gases = async (): Promise<Monitoring> => (await body<{ monitoring: Monitoring }>(CO2)).monitoring;

const anomalies: readonly Sentence[] = [
  {
    place: `${ENDPOINTS}, ${ANOMALIES}`,
    sentence: "the answer has anomalies and pagination",
    check: async () => expect(Object.keys(await body<object>(ANOMALIES)).sort()).toEqual(["anomalies", "pagination"]),
  },
  ...["NORMAL", "MODERATE", "EXTREME"].map(
    (severity): Sentence => ({
      place: `${ENDPOINTS}, ${ANOMALIES} min_severity`,
      sentence: `ANOMALY_SEVERITY_${severity} is accepted and ignored`,
      check: async () =>
        expect(await textOf(ANOMALIES, `min_severity=ANOMALY_SEVERITY_${severity}`)).toBe(await textOf(ANOMALIES)),
    }),
  ),
  ...["extreme", "3", "&min_severity=a&min_severity=b"].map(
    (value): Sentence => ({
      place: `RULINGS 21, ${ANOMALIES} min_severity`,
      sentence: `an ignored parameter accepts anything: ${value}`,
      check: async () => expect(await textOf(ANOMALIES, `min_severity=${value}`)).toBe(await textOf(ANOMALIES)),
    }),
  ),
  {
    place: "SPEC resources, climate anomaly",
    sentence: "`severity` is NORMAL, MODERATE or EXTREME",
    check: async () => {
      for (const { severity } of await anomaliesOf()) {
        expect(severity).toMatch(/^ANOMALY_SEVERITY_(?:NORMAL|MODERATE|EXTREME)$/);
      }
    },
  },
  {
    place: "SPEC resources, climate anomaly",
    sentence: "`type` is an upper-case enum value such as ANOMALY_TYPE_WARM",
    check: async () => {
      const anomalies = await anomaliesOf();
      expect(anomalies.map(({ type }) => type)).toContain("ANOMALY_TYPE_WARM");
      for (const { type } of anomalies) expect(type).toMatch(/^ANOMALY_TYPE_[A-Z]+$/);
    },
  },
];

const disasters: readonly Sentence[] = [
  {
    place: `${ENDPOINTS}, ${DISASTERS}`,
    sentence: "the answer has disasters and pagination",
    check: async () => expect(Object.keys(await body<object>(DISASTERS)).sort()).toEqual(["disasters", "pagination"]),
  },
  {
    place: `RULINGS 20, ${DISASTERS}`,
    sentence: "ids are unique in the list, and stable between builds",
    check: async () => {
      const before = (await disastersOf()).map(({ id }) => id);
      expect(new Set(before).size).toBe(before.length);
      await stackOf().run("climate-disasters");
      expect((await disastersOf()).map(({ id }) => id)).toEqual(before);
    },
  },
  {
    place: `RULINGS 19, ${DISASTERS}`,
    sentence: "affectedPopulation is GDACS's count of people, and is absent from disasters of other sources",
    check: async () => {
      const disasters = await disastersOf();
      const counted = disasters.filter(({ affectedPopulation }) => affectedPopulation !== undefined);
      expect(counted.length).toBeGreaterThan(0);
      for (const { id } of counted) expect(id).toMatch(/^gdacs-/);
      expect(counted.length).toBeLessThan(disasters.length);
    },
  },
  {
    place: `RULINGS 19, ${DISASTERS}`,
    sentence: "an unknown severity or country code is absent, never empty",
    check: async () => {
      const disasters = await disastersOf();
      expect(disasters.some((disaster) => !("severity" in disaster))).toBe(true);
      for (const { severity, countryCode } of disasters) expect([severity, countryCode]).not.toContain("");
    },
  },
  {
    place: `RULINGS 11, ${DISASTERS}`,
    sentence: "lat and lng are both present or both absent",
    check: async () => {
      for (const disaster of await disastersOf()) expect("lat" in disaster).toBe("lng" in disaster);
    },
  },
];

const gasRows: readonly Sentence[] = [
  {
    place: `${ENDPOINTS}, ${CO2}`,
    sentence: "the answer has only the member `monitoring`",
    check: async () => expect(Object.keys(await body<object>(CO2))).toEqual(["monitoring"]),
  },
  {
    place: `${ENDPOINTS}, ${CO2}`,
    sentence: "the operation has no parameters, so a filter has no effect",
    check: async () => expect(await textOf(CO2, "page_size=1&station=MLO")).toBe(await textOf(CO2)),
  },
  {
    place: "RULINGS 12",
    sentence: "measuredAt of CO2 is an integer in epoch ms",
    check: async () => {
      const { measuredAt } = await gases();
      expect([Number.isInteger(measuredAt), measuredAt % DAY_MS]).toEqual([true, 0]);
      expect(NOON - measuredAt).toBeLessThan(30 * DAY_MS);
    },
  },
  {
    place: "SPEC resources, greenhouse monitoring",
    sentence: "the numbers are plausible in their units",
    check: async () => {
      const { currentPpm, monthlyAverage, annualGrowthRate, methanePpb } = await gases();
      expect(currentPpm).toBeGreaterThan(400);
      expect(Math.abs(currentPpm - monthlyAverage)).toBeLessThan(5);
      expect(annualGrowthRate).toBeGreaterThan(0);
      expect(annualGrowthRate).toBeLessThan(6);
      expect(methanePpb).toBeGreaterThan(1_800);
    },
  },
];

const oceanRows: readonly Sentence[] = [
  {
    place: `${ENDPOINTS}, ${OCEANS}`,
    sentence: "the answer has only the member `data`",
    check: async () => expect(Object.keys(await body<object>(OCEANS))).toEqual(["data"]),
  },
  {
    place: `${ENDPOINTS}, ${OCEANS}`,
    sentence: "the operation has no parameters, so a filter has no effect",
    check: async () => expect(await textOf(OCEANS, "month=2026-01")).toBe(await textOf(OCEANS)),
  },
  {
    place: "SPEC resources, ocean and ice data",
    sentence: "iceTrend12m has a row for each of twelve months",
    check: async () => {
      const months = (await oceans()).iceTrend12m.map(({ month }) => month);
      expect(months).toHaveLength(12);
      expect(new Set(months).size).toBe(12);
      expect(months).toEqual(months.toSorted());
      for (const month of months) expect(month).toMatch(/^\d{4}-\d{2}$/);
    },
  },
  {
    place: "SPEC resources, ocean and ice data",
    sentence: "measuredAt is the epoch ms of the latest observation",
    check: async () => {
      const { measuredAt } = await oceans();
      expect(Number.isInteger(measuredAt)).toBe(true);
      expect(measuredAt).toBeLessThanOrEqual(NOON);
      expect(NOON - measuredAt).toBeLessThan(10 * DAY_MS);
    },
  },
];

const airRows: readonly Sentence[] = [
  {
    place: `${ENDPOINTS}, ${AIR}`,
    sentence: "the answer has fetchedAt and stations",
    check: async () => expect(Object.keys(await body<object>(AIR)).sort()).toEqual(["fetchedAt", "stations"]),
  },
  {
    place: "SPEC resources, air quality station",
    sentence: "fetchedAt is the epoch ms of the build",
    check: async () => expect((await body<{ fetchedAt: number }>(AIR)).fetchedAt).toBe(NOON),
  },
  {
    place: `RULINGS 11, ${AIR}`,
    sentence: "lat and lng are both present or both absent",
    check: async () => {
      const { stations } = await body<{ stations: readonly Station[] }>(AIR);
      expect(stations.length).toBeGreaterThan(10);
      for (const station of stations) expect("lat" in station).toBe("lng" in station);
    },
  },
];

interface ClimateNews {
  readonly dataAvailable: boolean;
  readonly fetchedAt: number;
  readonly items: readonly { readonly id: string; readonly publishedAt: number }[];
}

const newsRows: readonly Sentence[] = [
  {
    place: `RULINGS 19, ${NEWS}`,
    sentence: "an item without a teaser has no summary",
    check: () => {
      const item = newsItem({ title: "Ice", link: "https://x.test/1", publishedAt: 1, summary: "", sourceName: "X" });
      expect(item).toEqual({
        id: expect.stringMatching(/./),
        title: "Ice",
        url: "https://x.test/1",
        publishedAt: 1,
        sourceName: "X",
      });
    },
  },
  {
    place: `SPEC rule of ${NEWS}`,
    sentence: "without a snapshot, there are no items, fetchedAt is 0 and dataAvailable is false",
    check: async () => {
      const answer = await stackOf().get(at(NEWS));
      expect(json(answer)).toEqual({ dataAvailable: false, fetchedAt: 0, items: [] });
      expect(answer.headers).toMatchObject({ "X-Vigil-State": "absent", "Cache-Control": "no-store" });
    },
  },
  {
    place: `${ENDPOINTS}, ${NEWS}`,
    sentence: "with a snapshot, dataAvailable is true and fetchedAt is the time of the build",
    check: async () => {
      await stackOf().run("climate-news");
      const { dataAvailable, fetchedAt, items } = await body<ClimateNews>(NEWS);
      expect([dataAvailable, fetchedAt, items.length > 0]).toEqual([true, stackOf().clock.now(), true]);
    },
  },
  {
    place: `RULINGS 20, ${NEWS}`,
    sentence: "ids are unique in the list",
    check: async () => {
      const ids = (await body<ClimateNews>(NEWS)).items.map(({ id }) => id);
      expect(ids.length).toBeGreaterThan(10);
      expect(new Set(ids).size).toBe(ids.length);
    },
  },
];

const emptyStackOf = sharedStack([]);

const emptyRows: readonly Sentence[] = [
  { rpc: ANOMALIES, empty: { anomalies: [], pagination: { nextCursor: "", totalCount: 0 } } },
  { rpc: DISASTERS, empty: { disasters: [], pagination: { nextCursor: "", totalCount: 0 } } },
  { rpc: CO2, empty: {} },
  { rpc: OCEANS, empty: {} },
  { rpc: AIR, empty: { fetchedAt: 0, stations: [] } },
].map(({ rpc, empty }) => ({
  place: `RULINGS 7 and 11, ${rpc}`,
  sentence: "without data, no values are filled in, and the answer is no-store",
  check: async () => {
    const answer = await emptyStackOf().get(at(rpc));
    expect([answer.status, json(answer), answer.headers["Cache-Control"]]).toEqual([200, empty, "no-store"]);
  },
}));

testSentences([...anomalies, ...disasters, ...gasRows, ...oceanRows, ...airRows, ...newsRows, ...emptyRows]);

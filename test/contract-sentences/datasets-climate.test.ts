import { afterAll, beforeAll, expect } from "vitest";
import type { AnyPart } from "../../src/contract/dataset.js";
import { silentTally } from "../../src/contract/row-tally.js";
import type { AnySource } from "../../src/contract/source.js";
import type { PlannedRequest } from "../../src/ingest/requests.js";
import { DAY_MS, HOUR_MS, MINUTE_MS } from "../../src/kit/clock.js";
import { ClockPace } from "../../src/kit/loop-turns.js";
import { airQuality } from "../../src/services/climate/datasets/air-quality.js";
import { climateNews } from "../../src/services/climate/products/climate-news.js";
import type { StoredDisaster } from "../../src/services/climate/records.js";
import { aqiOfPm25, riskLevelOf } from "../../src/services/climate/rules/air-quality.js";
import { anomaliesOf, severityOf, typeOf } from "../../src/services/climate/rules/anomaly.js";
import { disastersOf } from "../../src/services/climate/rules/disasters.js";
import {
  co2MonitoringOf,
  type GasSeries,
  growthOf,
  yearAgoOf,
} from "../../src/services/climate/rules/greenhouse-gases.js";
import { sstAnomalyOf } from "../../src/services/climate/rules/ocean-temperature.js";
import { arcticIceOf, arcticTrendOf } from "../../src/services/climate/rules/sea-ice.js";
import { severityNamed, severityOfFire, severityOfStorm } from "../../src/services/climate/rules/severity.js";
import { lackOfZones, zones } from "../../src/services/climate/rules/zones.js";
import { climateNormals } from "../../src/services/climate/sources/climate-normals.js";
import { eonet } from "../../src/services/climate/sources/events/eonet.js";
import { gdacs } from "../../src/services/climate/sources/events/gdacs.js";
import { nhc } from "../../src/services/climate/sources/events/nhc.js";
import { reliefWebV2 } from "../../src/services/climate/sources/events/reliefweb.js";
import { oceanHeat } from "../../src/services/climate/sources/ncei.js";
import { recentWeather } from "../../src/services/climate/sources/recent-weather.js";
import { builtFrom, collectedFrom, entryOf } from "../support/collected-feeds.js";
import { firstRequest, readBody, requestAbout } from "../support/reading.js";
import { type Sentence, testSentences } from "../support/sentences.js";
import { json, NOON, type Stack, startStack } from "../support/stack.js";

/* Section 14 of NOTES.md (climate), with rulings 11, 12 and 19, correction 4 and decisions 0008, 0011 and 0022. */

const CLIMATE = "/api/climate/v1";

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
  readonly type: string;
  readonly country: string;
  readonly severity?: string;
  readonly status: string;
  readonly source: string;
  readonly startedAt?: number;
}
interface Gases {
  readonly currentPpm: number;
  readonly measuredAt: number;
  readonly monthlyAverage: number;
  readonly preIndustrialBaseline: number;
  readonly station: string;
  readonly trend12m: readonly { readonly month: string; readonly ppm: number; readonly anomaly?: number }[];
}
interface Oceans {
  readonly arcticExtentMkm2?: number;
  readonly arcticTrend?: string;
  readonly ohc0700mZj?: number;
  readonly iceTrend12m?: readonly { readonly month: string }[];
  readonly measuredAt: number;
  readonly arcticExtentObservedAt?: number;
}
interface Station {
  readonly aqi: number;
  readonly pm25?: number;
  readonly pollutant?: string;
  readonly riskLevel: string;
  readonly measuredAt: number;
}
interface Item {
  readonly id: string;
  readonly url: string;
  readonly summary: string;
  readonly publishedAt: number;
}

let stack: Stack;
beforeAll(async () => {
  stack = await startStack({ filled: "all" });
}, 180_000);
afterAll(() => stack.close());

async function bodyOf<Body>(rpc: string): Promise<Body> {
  const answer = await stack.get(`${CLIMATE}/${rpc}`);
  expect(answer.status, String(answer.body)).toBe(200);
  // The cast is safe, because the operations declare these shapes.
  return json(answer) as Body;
}

const anomalies = async () => (await bodyOf<{ anomalies: Anomaly[] }>("list-climate-anomalies")).anomalies;
const disasters = async () => (await bodyOf<{ disasters: Disaster[] }>("list-climate-disasters")).disasters;
const gases = async () => (await bodyOf<{ monitoring: Gases }>("get-co2-monitoring")).monitoring;
const oceans = async () => (await bodyOf<{ data: Oceans }>("get-ocean-ice-data")).data;
const stations = async () => (await bodyOf<{ stations: Station[] }>("list-air-quality-data")).stations;
const news = async () => (await bodyOf<{ items: Item[] }>("list-climate-news")).items;

const ZONES =
  "Ukraine, Europe, East Asia, Middle East, Sahel, Horn of Africa, South Asia, California, Amazon, Australia, Mediterranean, Taiwan Strait, Myanmar, Central Africa, Southern Africa, Central Asia, Latin America, Caribbean, Arctic, Greenland, Western Antarctic Ice Sheet, Tibetan Plateau, Congo Basin, Coral Triangle, North Atlantic".split(
    ", ",
  );
const mandatory = ZONES.slice(ZONES.indexOf("Arctic"));
const idsOf = (names: readonly string[]): ReadonlySet<string> =>
  new Set(zones.filter(({ name }) => names.includes(name)).map(({ id }) => id));

/** The weather archive's answer for one zone. `null` is a day without values. */
function archive(days: readonly (number | null)[]) {
  const lastDay = Date.UTC(2026, 10, 17);
  return {
    daily: {
      time: days.map((_, at) => new Date(lastDay - (days.length - 1 - at) * DAY_MS).toISOString().slice(0, 10)),
      temperature_2m_mean: days,
      precipitation_sum: days.map((value) => (value === null ? null : 1)),
    },
  };
}

function weatherOf(days: readonly (number | null)[]): readonly unknown[] {
  const request = firstRequest(recentWeather, { zones: zones.slice(0, 1), now: NOON });
  return readBody(recentWeather, request, archive(days)).records;
}

const weather = { zone: "europe", firstDay: Date.UTC(2026, 9, 28), lastDay: Date.UTC(2026, 10, 3) };

/**
 * Returns the anomaly of Europe in the week that ends on 3 November. The monthly normals rise from 0 °C in January to
 * 11 °C in December.
 */
function anomalyOf(temperatureC: number, precipitationMm: number) {
  const months = Array.from({ length: 12 }, (_, month) => ({ temperatureC: month, precipitationMm: 1 }));
  const normals = { zone: "europe", latitude: 0, longitude: 0, months };
  const recent = new Map([["europe", { ...weather, temperatureC, precipitationMm }]]);
  return anomaliesOf(recent, new Map([["europe", normals]]))[0];
}

const anomalySentences: readonly Sentence[] = [
  {
    place: "NOTES §14 climate",
    sentence: "the 25 zones are those of the contract, in its order",
    async check() {
      expect(zones.map(({ name }) => name)).toEqual(ZONES);
      expect((await anomalies()).map(({ zone }) => zone)).toEqual(ZONES);
    },
  },
  ...mandatory.map(
    (name): Sentence => ({
      place: "NOTES §14 climate",
      sentence: `without the mandatory zone ${name}, no anomalies are published`,
      check() {
        expect(lackOfZones(idsOf(ZONES))).toBeUndefined();
        expect(lackOfZones(idsOf(ZONES.filter((zone) => zone !== name)))).toMatch(new RegExp(name));
      },
    }),
  ),
  {
    place: "NOTES §14 climate",
    sentence: "17 of the 25 zones are enough to publish anomalies, but 16 are not",
    check() {
      const optional = ZONES.slice(0, ZONES.indexOf("Arctic"));
      expect(lackOfZones(idsOf([...optional.slice(0, 10), ...mandatory]))).toBeUndefined();
      expect(lackOfZones(idsOf([...optional.slice(0, 9), ...mandatory]))).toMatch(/16 of 25/);
    },
  },
  {
    place: "NOTES §14 climate",
    sentence: "the delta is computed from the mean of the latest 7 daily values",
    check() {
      const days = [...Array.from({ length: 14 }, () => 99), 1, 2, 3, 4, 5, 6, 7];
      expect(weatherOf(days)).toEqual([expect.objectContaining({ temperatureC: 4, precipitationMm: 1 })]);
    },
  },
  {
    place: "NOTES §14 climate",
    sentence: "a zone needs complete values on at least 7 of the 21 requested days",
    check() {
      const days = (complete: number) => Array.from({ length: 21 }, (_, at) => (at < complete ? 5 : null));
      expect(weatherOf(days(7))).toEqual([expect.objectContaining({ temperatureC: 5 })]);
      expect(weatherOf(days(6))).toEqual([]);
    },
  },
  {
    place: "NOTES §14 climate",
    sentence: "21 days are requested",
    check() {
      const { url } = firstRequest(recentWeather, { zones: zones.slice(0, 1), now: NOON });
      expect(url).toContain("start_date=2026-10-28&end_date=2026-11-17");
    },
  },
  {
    place: "NOTES §14 climate",
    sentence: "the normal is taken from the month of the latest day",
    check: () => expect(anomalyOf(12, 1)).toMatchObject({ tempDelta: 2 }),
  },
  {
    place: "NOTES §14 climate",
    sentence: "normals are computed from 1991-2020",
    check() {
      const { url } = firstRequest(climateNormals, { zones: zones.slice(0, 1) });
      expect(url).toContain("start_date=1991-01-01&end_date=2020-12-31");
    },
  },
  {
    place: "NOTES §14 climate",
    sentence: "deltas have one decimal",
    async check() {
      expect(anomalyOf(12.3456, 2.26)).toMatchObject({ tempDelta: 2.3, precipDelta: 1.3 });
      for (const { tempDelta, precipDelta } of await anomalies()) {
        for (const delta of [tempDelta, precipDelta]) expect(delta).toBe(Number(delta.toFixed(1)));
      }
    },
  },
  ...(
    [
      [5, 0, "EXTREME"],
      [-5, 0, "EXTREME"],
      [0, 12, "EXTREME"],
      [0, -12, "EXTREME"],
      [4.9, 11.9, "MODERATE"],
      [3, 0, "MODERATE"],
      [0, -6, "MODERATE"],
      [2.9, 5.9, "NORMAL"],
    ] as const
  ).map(
    ([temperature, precipitation, severity]): Sentence => ({
      place: "NOTES §14 climate",
      sentence: `deltas of ${temperature} °C and ${precipitation} mm a day are ${severity}`,
      check: () => expect(severityOf(temperature, precipitation)).toBe(`ANOMALY_SEVERITY_${severity}`),
    }),
  ),
  ...(
    [
      [2, -3.1, "MIXED"],
      [4, -3.1, "MIXED"],
      [2, -3, "WARM"],
      [3.1, 0, "WARM"],
      [-3.1, 0, "COLD"],
      [1, 6.1, "WET"],
      [-1, -6.1, "DRY"],
      [1, -6.1, "DRY"],
      [1, 6, "WARM"],
      [-1, -6, "COLD"],
      [0.1, 0, "WARM"],
      [-0.1, 0, "COLD"],
    ] as const
  ).map(
    ([temperature, precipitation, type]): Sentence => ({
      place: "NOTES §14 climate",
      sentence: `deltas of ${temperature} °C and ${precipitation} mm a day are of the type ${type}`,
      check: () => expect(typeOf(temperature, precipitation)).toBe(`ANOMALY_TYPE_${type}`),
    }),
  ),
  {
    place: "NOTES §14 climate, decision 0011",
    sentence: "severity and type of each served zone follow from its served deltas",
    async check() {
      for (const { tempDelta, precipDelta, severity, type } of await anomalies()) {
        expect([severity, type]).toEqual([severityOf(tempDelta, precipDelta), typeOf(tempDelta, precipDelta)]);
      }
    },
  },
  {
    place: "NOTES §14 climate",
    sentence: "the period is written as <start> to <end> and covers seven days",
    async check() {
      expect(anomalyOf(0, 0)?.period).toBe("2026-10-28 to 2026-11-03");
      for (const { period } of await anomalies()) {
        const [start = "", end = ""] = period.split(" to ");
        expect(period).toMatch(/^\d{4}-\d{2}-\d{2} to \d{4}-\d{2}-\d{2}$/);
        expect(Date.parse(end) - Date.parse(start)).toBe(6 * DAY_MS);
      }
    },
  },
];

const disaster = (id: string, values: Partial<StoredDisaster> = {}): StoredDisaster => ({
  id,
  type: "flood",
  name: `Flood ${id}`,
  country: "Chad",
  countryCode: "TD",
  status: "ongoing",
  source: "GDACS",
  startedAt: NOON,
  observedAt: NOON,
  ...values,
});
const keptIds = (...stored: readonly StoredDisaster[]) => disastersOf(stored).map(({ id }) => id);

const CHAD = { latitude: 12.1, longitude: 15 };
const AT_SEA = { latitude: 0, longitude: -140 };

const gdacsAlert = (country: string, at: number): string =>
  [
    `<item><guid>FL${at}</guid><title>Red flood alert</title><country>${country}</country>`,
    "<eventtype>FL</eventtype><alertlevel>Red</alertlevel>",
    "<fromdate>Sun, 15 Nov 2026 01:00:00 GMT</fromdate></item>",
  ].join("");

/** For each list of disasters, an answer with two rows, of which only the first has a country. */
const withoutCountry: readonly (readonly [source: AnySource, request: PlannedRequest, body: string | object])[] = [
  [
    gdacs,
    firstRequest(gdacs, {}),
    `<rss><channel><title>GDACS</title>${["Chad", ""].map(gdacsAlert).join("")}</channel></rss>`,
  ],
  [
    reliefWebV2,
    firstRequest(reliefWebV2, {}, { RELIEFWEB_APPNAME: "name" }),
    {
      data: [[{ name: "Chad", iso3: "tcd", primary: true }], []].map((country, at) => ({
        id: `${at}`,
        fields: {
          name: "Flood",
          status: "ongoing",
          date: { event: "2026-11-15T00:00:00Z" },
          country,
          type: [{ code: "FL" }],
        },
      })),
    },
  ],
  [
    nhc,
    requestAbout(nhc, "points", { id: 6, name: "AT1 Forecast Points" }),
    {
      type: "FeatureCollection",
      features: [CHAD, AT_SEA].map(({ latitude: lat, longitude: lon }, at) => ({
        properties: { stormname: "A", basin: "al", stormnum: at, idp_filedate: NOON, tau: 0, maxwind: 80, lat, lon },
      })),
    },
  ],
  [
    eonet,
    firstRequest(eonet, {}),
    {
      events: [CHAD, AT_SEA].map(({ latitude, longitude }, at) => ({
        id: `${at}`,
        title: "Fire",
        categories: [{ id: "wildfires" }],
        geometry: [{ date: "2026-11-15T00:00:00Z", type: "Point", coordinates: [longitude, latitude] }],
      })),
    },
  ],
];

const disasterSentences: readonly Sentence[] = [
  {
    place: "NOTES §14 climate",
    sentence: "types are flood, cyclone, drought, heatwave, wildfire and volcano",
    async check() {
      const types = new Set((await disasters()).map(({ type }) => type));
      expect(types.size).toBeGreaterThan(2);
      for (const type of types) {
        expect(["flood", "cyclone", "drought", "heatwave", "wildfire", "volcano"]).toContain(type);
      }
    },
  },
  {
    place: "NOTES §14 climate",
    sentence: "a status is alert, ongoing or past",
    async check() {
      for (const { status } of await disasters()) expect(["alert", "ongoing", "past"]).toContain(status);
    },
  },
  {
    place: "NOTES §14 climate",
    sentence:
      "severity is high (alert) or medium in the humanitarian feed, and red, orange, green or absent in hazard feeds",
    async check() {
      const rows = await disasters();
      const humanitarian = rows.filter(({ source }) => source === "ReliefWeb");
      for (const { severity, status } of humanitarian) expect(severity).toBe(status === "alert" ? "high" : "medium");
      const severitiesOf = (some: readonly Disaster[]) => new Set(some.map(({ severity = "none" }) => severity));
      expect(severitiesOf(humanitarian)).toEqual(new Set(["high", "medium"]));
      const hazards = rows.filter(({ source }) => source !== "ReliefWeb");
      expect(severitiesOf(hazards)).toEqual(new Set(["red", "orange", "green", "none"]));
    },
  },
  ...(
    [
      ["Red alert for a flood", "red"],
      ["Orange flood alert in Chad", "orange"],
      ["Green earthquake alert", "green"],
      ["A flood in Chad", undefined],
    ] as const
  ).map(
    ([title, severity]): Sentence => ({
      place: "NOTES §14 climate",
      sentence: `the title "${title}" states ${severity === undefined ? "no severity" : `the severity ${severity}`}`,
      check: () => expect(severityNamed(title)).toBe(severity),
    }),
  ),
  ...([0, 1, 2, 3, 4, 5] as const).map(
    (category): Sentence => ({
      place: "NOTES §14 climate",
      sentence: `a storm of category ${category} is ${category >= 3 ? "red" : category >= 1 ? "orange" : "green"}`,
      check: () => expect(severityOfStorm(category)).toBe(category >= 3 ? "red" : category >= 1 ? "orange" : "green"),
    }),
  ),
  ...(
    [
      [400, "red"],
      [399.9, "orange"],
      [300, "orange"],
      [299.9, "green"],
    ] as const
  ).map(
    ([power, severity]): Sentence => ({
      place: "NOTES §14 climate",
      sentence: `a fire of ${power} MW is ${severity}`,
      check: () => expect(severityOfFire(power)).toBe(severity),
    }),
  ),
  {
    place: "NOTES §14 climate",
    sentence: "rows without a country are dropped",
    async check() {
      for (const [source, request, body] of withoutCountry) {
        const { records, rowsRead, rowsBad } = readBody(source, request, body);
        expect([source.id, rowsRead, rowsBad, records.length]).toEqual([source.id, 2, 0, 1]);
        expect(records).toEqual([expect.objectContaining({ country: "Chad" })]);
      }
      for (const { country } of await disasters()) expect(country).toMatch(/\p{L}/u);
    },
  },
  {
    place: "NOTES §14 climate",
    sentence: "rows with the same source and id are merged",
    check: () => expect(keptIds(disaster("a"), disaster("a", { name: "Another name" }))).toEqual(["a"]),
  },
  {
    place: "NOTES §14 climate",
    sentence: "rows with the same type, country, name and day are merged",
    check() {
      const same = { name: "Chad: Floods" };
      expect(keptIds(disaster("a", same), disaster("b", { ...same, name: "chad:  floods" }))).toEqual(["a"]);
      for (const other of [
        { type: "drought" },
        { countryCode: "NE", country: "Niger" },
        { name: "Others" },
        { startedAt: NOON - DAY_MS },
      ] as const) {
        expect(keptIds(disaster("a", same), disaster("b", { ...same, ...other }))).toHaveLength(2);
      }
    },
  },
  {
    place: "NOTES §14 climate",
    sentence: "disasters are newest first",
    async check() {
      const times = (await disasters()).flatMap(({ startedAt }) => startedAt ?? []);
      expect(times.length).toBeGreaterThan(2);
      expect(times).toEqual(times.toSorted((a, b) => b - a));
    },
  },
  {
    place: "NOTES §14 climate",
    sentence: "the newest 300 disasters are served",
    check() {
      const many = Array.from({ length: 320 }, (_, at) => disaster(`d${at}`, { startedAt: NOON - at * DAY_MS }));
      expect(keptIds(...many)).toEqual(many.slice(0, 300).map(({ id }) => id));
    },
  },
];

const series: GasSeries = {
  daily: [
    { at: Date.UTC(2025, 10, 16), value: 424 },
    { at: Date.UTC(2025, 10, 19), value: 426 },
    { at: Date.UTC(2026, 10, 17), value: 427.5 },
  ],
  monthly: Array.from({ length: 24 }, (_, at) => ({ at: Date.UTC(2024, 10 + at), value: 420 + at / 10 })),
  annual: [
    { at: Date.UTC(2024, 0), globalMeanPpm: 422.1 },
    { at: Date.UTC(2025, 0), globalMeanPpm: 424.7 },
  ],
  methane: [{ at: Date.UTC(2026, 6), value: 1_930 }],
  nitrousOxide: [{ at: Date.UTC(2026, 6), value: 339 }],
};

const gasSentences: readonly Sentence[] = [
  {
    place: "NOTES §14 climate",
    sentence: "the daily CO2 value is the station's mean of the latest day",
    check: () =>
      expect(co2MonitoringOf(series)).toMatchObject({ currentPpm: 427.5, measuredAt: Date.UTC(2026, 10, 17) }),
  },
  {
    place: "NOTES §14 climate",
    sentence: "the monthly CO2 value is the mean of the latest month",
    check: () => expect(co2MonitoringOf(series)?.monthlyAverage).toBe(422.3),
  },
  {
    place: "NOTES §14 climate",
    sentence: "annual growth is the difference between the last two global annual means",
    check: () => expect(growthOf(series.annual)?.value).toBe(2.6),
  },
  {
    place: "NOTES §14 climate",
    sentence: "the year-ago value is the value of the same date one year earlier, if that date has a value",
    check() {
      const daily = [...series.daily, { at: Date.UTC(2025, 10, 17), value: 425 }];
      expect(yearAgoOf(daily, Date.UTC(2026, 10, 17))?.value).toBe(425);
    },
  },
  {
    place: "NOTES §14 climate",
    sentence:
      "without a value for the same date, the year-ago value is the value of the nearest date in the prior year",
    check: () => expect(yearAgoOf(series.daily, Date.UTC(2026, 10, 17))?.value).toBe(424),
  },
  {
    place: "NOTES §14 climate",
    sentence: "the CO2 trend covers 12 months, each with its difference from the same month a year before",
    async check() {
      const { trend12m } = await gases();
      expect(trend12m).toHaveLength(12);
      const months = trend12m.map(({ month }) => month);
      expect(months).toEqual(months.toSorted());
      expect(co2MonitoringOf(series)?.trend12m.at(-1)).toEqual({ month: "2026-10", ppm: 422.3, anomaly: 1.2 });
    },
  },
  {
    place: "NOTES §14 climate",
    sentence: "the pre-industrial baseline is 280 ppm, and the station is Mauna Loa",
    check: async () => expect(await gases()).toMatchObject({ preIndustrialBaseline: 280, station: "Mauna Loa" }),
  },
  {
    place: "NOTES §14 climate",
    sentence: "CO2 monitoring is served only with values for CH4 and N2O",
    check() {
      expect(co2MonitoringOf(series)).toBeDefined();
      expect(co2MonitoringOf({ ...series, methane: [] })).toBeUndefined();
      expect(co2MonitoringOf({ ...series, nitrousOxide: [] })).toBeUndefined();
    },
  },
];

const iceDay = (year: number, extentMkm2: number) => ({ day: Date.UTC(year, 10, 17), extentMkm2 });
const newest = iceDay(2026, 9);

const oceanSentences: readonly Sentence[] = [
  {
    place: "NOTES §14 climate",
    sentence:
      "record_low means the lowest extent on record for the calendar day, and requires at least 2 years of data",
    check() {
      expect(arcticTrendOf(newest, [iceDay(2025, 9.1), newest], -1)).toBe("record_low");
      expect(arcticTrendOf(newest, [iceDay(2025, 8.9), newest], -1)).toBe("below_average");
      expect(arcticTrendOf(newest, [newest], -1)).toBe("below_average");
    },
  },
  ...(
    [
      [-0.5, "below_average"],
      [-0.499, "average"],
      [0.499, "average"],
      [0.5, "above_average"],
    ] as const
  ).map(
    ([anomaly, trend]): Sentence => ({
      place: "NOTES §14 climate",
      sentence: `an ice anomaly of ${anomaly} million km² is ${trend}`,
      check: () => expect(arcticTrendOf(newest, [iceDay(2025, 1), newest], anomaly)).toBe(trend),
    }),
  ),
  {
    place: "NOTES §14 climate",
    sentence: "the ice anomaly is the extent minus the 1981-2010 median for the day",
    check() {
      const median = { dayOfYear: 321, medianMkm2: 9.8 };
      expect(arcticIceOf([iceDay(2025, 8), newest], [median])).toMatchObject({ arcticExtentAnomalyMkm2: -0.8 });
    },
  },
  {
    place: "NOTES §14 climate",
    sentence: "the 12-month ice trend has the value of the last day of each month",
    check() {
      const days = Array.from({ length: 500 }, (_, at) => ({ day: newest.day - (499 - at) * DAY_MS, extentMkm2: at }));
      const { iceTrend12m = [] } = arcticIceOf(days, []);
      expect(iceTrend12m).toHaveLength(12);
      const january = days.find(({ day }) => day === Date.UTC(2026, 0, 31));
      expect(iceTrend12m).toContainEqual({ month: "2026-01", extentMkm2: january?.extentMkm2 });
      expect(iceTrend12m.at(-1)).toEqual({ month: "2026-11", extentMkm2: 499 });
    },
  },
  {
    place: "NOTES §14 climate",
    sentence: "the source file's ocean heat content is multiplied by 10 to give ZJ",
    check() {
      const { records } = readBody(oceanHeat, firstRequest(oceanHeat, {}), "YEAR WO WOse\n2025.500 25.731 0.2\n");
      expect(records).toEqual([expect.objectContaining({ zettajoules: 257.31 })]);
    },
  },
  {
    place: "NOTES §14 climate",
    sentence: "the surface temperature anomaly is converted to the 1971-2000 base period",
    check() {
      const september = (year: number, anomalyC: number) => ({ month: Date.UTC(year, 8), anomalyC });
      const base = Array.from({ length: 30 }, (_, at) => september(1971 + at, 0.25));
      expect(sstAnomalyOf([...base, september(2026, 1)])).toBe(0.75);
      expect(sstAnomalyOf([...base.slice(1), september(2026, 1)])).toBeUndefined();
    },
  },
  {
    place: "NOTES §14 climate",
    sentence: "measuredAt is the latest observation time of all groups of values",
    async check() {
      const { measuredAt, arcticExtentObservedAt } = await oceans();
      expect(measuredAt).toBe(arcticExtentObservedAt);
    },
  },
  {
    place: "NOTES §14 climate",
    sentence: "a group of values keeps its earlier values while its source fails",
    async check() {
      const before = await oceans();
      expect(before.ohc0700mZj).toBeDefined();
      stack.simulator.faults.set({ upstream: "ncei" }, { kind: "html" });
      try {
        stack.clock.advance(DAY_MS);
        await stack.run("ocean-ice");
        const answer = await stack.get(`${CLIMATE}/get-ocean-ice-data`);
        const { data } = json(answer) as { data: Oceans };
        expect(answer.headers["X-Vigil-State"]).toBe("partial");
        expect(data.ohc0700mZj).toBe(before.ohc0700mZj);
        expect(data.measuredAt).toBeGreaterThan(before.measuredAt);
      } finally {
        stack.simulator.faults.clear();
      }
    },
  },
];

const airSentences: readonly Sentence[] = [
  ...(
    [
      [12.0, 50],
      [35.4, 100],
      [55.4, 150],
      [150.4, 200],
      [250.4, 300],
      [350.4, 400],
      [500.4, 500],
    ] as const
  ).map(
    ([concentration, aqi]): Sentence => ({
      place: "NOTES §14 climate",
      sentence: `a PM2.5 of ${concentration} µg/m³ has the index ${aqi}, and 0.1 more has ${Math.min(aqi + 1, 500)}`,
      check: () =>
        expect([aqiOfPm25(concentration), aqiOfPm25(concentration + 0.1)]).toEqual([aqi, Math.min(aqi + 1, 500)]),
    }),
  ),
  {
    place: "NOTES §14 climate",
    sentence: "PM2.5 is truncated to one decimal",
    check: () => expect([12.09, 35.49, 55.499].map(aqiOfPm25)).toEqual([50, 100, 150]),
  },
  ...(
    [
      [50, "good"],
      [51, "moderate"],
      [100, "moderate"],
      [101, "unhealthy"],
      [300, "unhealthy"],
      [301, "hazardous"],
    ] as const
  ).map(
    ([aqi, level]): Sentence => ({
      place: "NOTES §14 climate",
      sentence: `an index of ${aqi} is ${level}`,
      check: () => expect(riskLevelOf(aqi)).toBe(level),
    }),
  ),
  {
    place: "NOTES §14 climate",
    sentence: "each served station's level follows from its index, and its index from its PM2.5",
    async check() {
      const rows = await stations();
      expect(rows.length).toBeGreaterThan(20);
      for (const { aqi, pm25, pollutant, riskLevel } of rows) {
        expect(riskLevel).toBe(riskLevelOf(aqi));
        if (pm25 !== undefined && pollutant !== undefined) expect(aqi).toBe(aqiOfPm25(pm25));
      }
    },
  },
  {
    place: "NOTES §14 climate",
    sentence: "readings older than 2 h are dropped",
    check() {
      const reading = (measuredAt: number) => ({ aqi: 1, measuredAt });
      const { select } = airQuality.parts.cities as AnyPart;
      const [kept, old] = [reading(NOON - 2 * HOUR_MS), reading(NOON - 2 * HOUR_MS - 1)];
      expect(select?.([kept, old], NOON, silentTally)).toEqual([kept]);
    },
  },
  {
    place: "NOTES §14 climate",
    sentence: "stations are sorted by index, highest first",
    async check() {
      const indices = (await stations()).map(({ aqi }) => aqi);
      expect(indices).toEqual(indices.toSorted((a, b) => b - a));
      expect(new Set(indices).size).toBeGreaterThan(2);
    },
  },
];

const off = { available: false, isOff: true, reason: "off" } as const;
const newsFrom = (...entries: Parameters<typeof collectedFrom>[0]) =>
  builtFrom(climateNews, { feeds: collectedFrom(entries), reports: off }, NOON);

const newsSentences: readonly Sentence[] = [
  {
    place: "NOTES §14 climate",
    sentence: "there are at most 100 news items",
    check() {
      const { view } = stack.dataset("climate-news");
      const item = (at: number) => ({
        id: `${at}`,
        url: `https://a.example/${at}`,
        publishedAt: NOON - at,
        title: "t",
      });
      const none = Object.fromEntries(Object.keys(stack.dataset("climate-news").parts).map((name) => [name, []]));
      const unep = Array.from({ length: 130 }, (_, at) => item(at));
      expect(view({ ...none, unep }, new ClockPace(), silentTally)).toEqual(unep.slice(0, 100));
    },
  },
  {
    place: "NOTES §14 climate",
    sentence: "a summary has at most 300 characters",
    async check() {
      expect(newsFrom(entryOf("unep", "a", NOON, "word ".repeat(200))).unep).toEqual([
        expect.objectContaining({ summary: expect.stringMatching(/^.{250,300}$/u) }),
      ]);
      for (const { summary } of await news()) expect(Array.from(summary).length).toBeLessThanOrEqual(300);
    },
  },
  {
    place: "NOTES §14 climate",
    sentence: "undated news items are dropped",
    check() {
      const { unep } = newsFrom(entryOf("unep", "dated", NOON), entryOf("unep", "undated", undefined));
      expect(unep).toEqual([expect.objectContaining({ title: "dated" })]);
    },
  },
  {
    place: "NOTES §14 climate",
    sentence: "an article URL that several feeds contain is listed once",
    async check() {
      const urls = (await news()).map(({ url }) => url);
      expect(new Set(urls).size).toBe(urls.length);
      const { parts, view } = stack.dataset("climate-news");
      const none = Object.fromEntries(Object.keys(parts).map((name) => [name, []]));
      const item = { id: "a", url: "https://a.example/1", publishedAt: NOON, title: "t" };
      expect(view({ ...none, unep: [item], guardian: [{ ...item }] }, new ClockPace(), silentTally)).toHaveLength(1);
    },
  },
  {
    place: "NOTES §14 climate",
    sentence: "news items are newest first",
    async check() {
      const times = (await news()).map(({ publishedAt }) => publishedAt);
      expect(times).toEqual(times.toSorted((a, b) => b - a));
      expect(times[0]).toBeGreaterThan(NOON - 7 * DAY_MS);
      expect(times[0]).toBeLessThanOrEqual(NOON + 60 * MINUTE_MS);
    },
  },
];

testSentences([
  ...anomalySentences,
  ...disasterSentences,
  ...gasSentences,
  ...airSentences,
  ...newsSentences,
  ...oceanSentences,
]);

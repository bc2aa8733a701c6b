import { describe, expect, test } from "vitest";
import { silentTally } from "../src/contract/row-tally.js";
import type { AnySource } from "../src/contract/source.js";
import { climateDisasters } from "../src/services/climate/datasets/climate-disasters.js";
import type { AirQualityStation, StoredDisaster } from "../src/services/climate/records.js";
import { co2MonitoringOf, growthOf } from "../src/services/climate/rules/greenhouse-gases.js";
import { arcticIceOf } from "../src/services/climate/rules/sea-ice.js";
import { zones } from "../src/services/climate/rules/zones.js";
import { eonet } from "../src/services/climate/sources/events/eonet.js";
import { gdacs } from "../src/services/climate/sources/events/gdacs.js";
import { nhc } from "../src/services/climate/sources/events/nhc.js";
import { reliefWebV2 } from "../src/services/climate/sources/events/reliefweb.js";
import {
  type AnnualCo2,
  co2Annual,
  co2Daily,
  co2Growth,
  co2Monthly,
  type GasMean,
  methaneMonthly,
  nitrousOxideMonthly,
} from "../src/services/climate/sources/greenhouse-gases.js";
import { type IceExtent, type IceMedian, iceExtentDaily, iceMedians } from "../src/services/climate/sources/nsidc.js";
import { recentWeather } from "../src/services/climate/sources/recent-weather.js";
import { openMeteoAirQuality } from "../src/services/climate/sources/stations/open-meteo-air-quality.js";
import { openAq } from "../src/services/climate/sources/stations/openaq.js";
import { waqi } from "../src/services/climate/sources/stations/waqi.js";
import { failureOf, firstRequest, readBody, requestsOf, servedOf } from "./support/reading.js";
import { recorded, recordedBytes, recordedTitle, recordingsAbsent } from "./support/recordings.js";

// Every expected value is read from the raw file by a few lines of this test, never by the decoders under test.

/** The numbers of every line except blank lines, comments and headers. */
const numbersIn = (file: string): number[][] =>
  recorded(file)
    .split("\n")
    .filter((line) => /^\s*\d/.test(line))
    .map((line) => line.trim().split(/ +/).map(Number));

const read = <T>(source: AnySource, body: string | Buffer | object, plan: object = {}): readonly T[] => {
  const reading = readBody(source, firstRequest(source, plan), body);
  expect(reading.rowsBad).toBe(0);
  return reading.records as readonly T[];
};

/** A `describe` for a body that reads recordings while it defines tests. Without recordings, the body is not called. */
function describeRecorded(title: string, body: () => void): void {
  if (recordingsAbsent) test.skipIf(true)(title, () => undefined);
  else describe(title, body);
}

describeRecorded(recordedTitle, () => {
  describe("the NOAA GML recordings", () => {
    test.each([
      ["noaa-gml/co2_mm_mlo.txt", co2Monthly, 800],
      ["noaa-gml/ch4_mm_gl.txt", methaneMonthly, 500],
      ["noaa-gml/n2o_mm_gl.txt", nitrousOxideMonthly, 300],
    ])("yield every monthly mean of %s", (file, source, atLeast) => {
      const expected = numbersIn(file)
        .filter(([, , , mean = 0]) => mean > 0)
        .map(([year = 0, month = 0, , mean]) => ({ at: Date.UTC(year, month - 1), value: mean }));
      expect(expected.length).toBeGreaterThan(atLeast);
      expect(read(source, recorded(file))).toEqual(expected);
    });

    test("yield every daily mean of fifty years, each on a calendar day", () => {
      const file = "round2/noaa-gml/co2_daily_mlo.2026-01-03.txt";
      const expected = numbersIn(file).map(([year = 0, month = 0, day, , mean]) => ({
        at: Date.UTC(year, month - 1, day),
        value: mean,
      }));
      expect(expected).toHaveLength(15_807);
      expect(read(co2Daily, recordedBytes(file))).toEqual(expected);
    });

    test.each([
      ["2021-10-05", 1980, 2020, 412.44, 2.37],
      ["2025-09-05", 1979, 2024, 422.8, 3.44],
    ])(
      "yield every annual mean of the file of %s and the growth between the last two means",
      (date, first, last, mean, growth) => {
        const file = `round2/noaa-gml/co2_annmean_gl.${date}.txt`;
        const expected = numbersIn(file).map(([year = 0, globalMeanPpm]) => ({ at: Date.UTC(year, 0), globalMeanPpm }));
        expect(expected).toHaveLength(last - first + 1);
        const means = read<AnnualCo2>(co2Annual, recordedBytes(file));
        expect(means).toEqual(expected);
        expect(means.at(-1)).toEqual({ at: Date.UTC(last, 0), globalMeanPpm: mean });
        expect(growthOf(means)).toEqual({ at: Date.UTC(last, 0), value: growth });
      },
    );

    test("yield every annual growth despite a header without a comment mark", () => {
      const expected = numbersIn("noaa-gml/co2_gr_mlo.txt").map(([year = 0, growth]) => ({
        at: Date.UTC(year, 0),
        stationGrowthPpm: growth,
      }));
      expect(expected.length).toBeGreaterThan(60);
      expect(read(co2Growth, recorded("noaa-gml/co2_gr_mlo.txt"))).toEqual(expected);
    });

    test("yield the greenhouse gas answer for the time of the recordings", () => {
      const months = numbersIn("noaa-gml/co2_mm_mlo.txt");
      const monthly = read<GasMean>(co2Monthly, recorded("noaa-gml/co2_mm_mlo.txt"));
      const answer = co2MonitoringOf({
        // The monthly means replace the daily means, because no daily file of the same time was recorded.
        daily: monthly,
        monthly,
        annual: read<AnnualCo2>(co2Growth, recorded("noaa-gml/co2_gr_mlo.txt")),
        methane: read<GasMean>(methaneMonthly, recorded("noaa-gml/ch4_mm_gl.txt")),
        nitrousOxide: read<GasMean>(nitrousOxideMonthly, recorded("noaa-gml/n2o_mm_gl.txt")),
      });
      const lastOf = (file: string): number[] => numbersIn(file).at(-1) ?? [];
      expect(answer).toMatchObject({
        monthlyAverage: months.at(-1)?.[3],
        yearAgoPpm: months.at(-13)?.[3],
        methanePpb: lastOf("noaa-gml/ch4_mm_gl.txt")[3],
        nitrousOxidePpb: lastOf("noaa-gml/n2o_mm_gl.txt")[3],
        annualGrowthRate: lastOf("noaa-gml/co2_gr_mlo.txt")[1],
      });
      const firstOf = ([year = 0, month = 0]: readonly number[]): number => Date.UTC(year, month - 1);
      expect(answer).toMatchObject({
        monthlyAverageObservedAt: firstOf(months.at(-1) ?? []),
        yearAgoPpmObservedAt: firstOf(months.at(-13) ?? []),
        methanePpbObservedAt: firstOf(lastOf("noaa-gml/ch4_mm_gl.txt")),
        nitrousOxidePpbObservedAt: firstOf(lastOf("noaa-gml/n2o_mm_gl.txt")),
        annualGrowthRateObservedAt: Date.UTC(lastOf("noaa-gml/co2_gr_mlo.txt")[0] ?? 0, 0),
      });
      const trend = months.slice(-12).map(([year, month, , ppm = 0]) => ({
        month: `${year}-${String(month).padStart(2, "0")}`,
        ppm,
        anomaly: Number(
          (ppm - (months.find(([y, m]) => y === (year ?? 0) - 1 && m === month)?.[3] ?? Number.NaN)).toFixed(2),
        ),
      }));
      expect(answer?.trend12m).toEqual(trend);
    });
  });

  describe("the NSIDC recordings", () => {
    const DAILY = "nsidc-sea-ice/N_seaice_extent_daily_v4.0.csv";
    const MEDIANS = "nsidc-sea-ice/N_seaice_extent_climatology_1981-2010_v3.0.csv";
    const days = (): number[][] =>
      recorded(DAILY)
        .split("\n")
        .slice(2)
        .filter((line) => line !== "")
        .map((line) => line.split(",").slice(0, 4).map(Number));
    const medianOn = (): Map<number, number> =>
      new Map(
        recorded(MEDIANS)
          .split("\n")
          .filter((line) => /^\d/.test(line))
          .map((line) => line.split(",").map(Number))
          .map((cells) => [cells[0] ?? 0, cells[5] ?? 0]),
      );

    test("yield every day of the record", () => {
      const expected = days().map(([year = 0, month = 0, day, extentMkm2]) => ({
        day: Date.UTC(year, month - 1, day),
        extentMkm2,
      }));
      expect(expected.length).toBeGreaterThan(15_000);
      expect(read<IceExtent>(iceExtentDaily, recordedBytes(DAILY))).toEqual(expected);
    });

    test("yield every median", () => {
      const expected = [...medianOn()].map(([dayOfYear, medianMkm2]) => ({ dayOfYear, medianMkm2 }));
      expect(expected).toHaveLength(366);
      expect(read<IceMedian>(iceMedians, recordedBytes(MEDIANS))).toEqual(expected);
    });

    test("yield every median of a padded file in which most values are nan", () => {
      const file = "round2/nsidc-sea-ice/N_seaice_extent_climatology_1981-2010_v3.0.with-nan.csv";
      const cells = recorded(file)
        .split("\n")
        .filter((line) => /^\d{3},/.test(line))
        .map((line) => line.split(",").map((cell) => cell.trim()));
      const expected = cells
        .filter((line) => line[5] !== "nan")
        .map((line) => ({ dayOfYear: Number(line[0]), medianMkm2: Number(line[5]) }));
      expect([cells.length, expected.length]).toEqual([366, 32]);
      expect(read<IceMedian>(iceMedians, recordedBytes(file))).toEqual(expected);
    });

    test.each([0, 40, 170, 5_000, 12_000])(
      "yield extent, anomaly, trend and twelve months for a record without its last %i days",
      (earlier) => {
        const record = days();
        const earlierRecord = earlier === 0 ? record : record.slice(0, -earlier);
        const [year = 0, month = 0, day = 0, extent = 0] = earlierRecord.at(-1) ?? [];
        const medians = medianOn();
        const dayOfYear = (y: number, m: number, d: number): number =>
          (Date.UTC(y, m - 1, d) - Date.UTC(y, 0)) / 86_400_000 + 1;
        const anomaly = (y: number, m: number, d: number, value: number): number =>
          Number((value - (medians.get(dayOfYear(y, m, d)) ?? Number.NaN)).toFixed(3));
        const sameDay = earlierRecord.filter(([, m, d]) => m === month && d === day).map(([, , , value = 0]) => value);
        const difference = anomaly(year, month, day, extent);
        const trend =
          sameDay.length > 1 && extent === Math.min(...sameDay)
            ? "record_low"
            : difference <= -0.5
              ? "below_average"
              : difference >= 0.5
                ? "above_average"
                : "average";
        const lastDays = earlierRecord
          .filter(([y, m], index) => earlierRecord[index + 1]?.[1] !== m || earlierRecord[index + 1]?.[0] !== y)
          .slice(-12);
        const ice = arcticIceOf(
          read<IceExtent>(iceExtentDaily, recordedBytes(DAILY)).slice(0, earlierRecord.length),
          read<IceMedian>(iceMedians, recordedBytes(MEDIANS)),
        );
        expect(ice).toEqual({
          arcticExtentMkm2: extent,
          arcticExtentAnomalyMkm2: difference,
          arcticTrend: trend,
          iceTrend12m: lastDays.map(([y = 0, m = 0, d = 0, value = 0]) => ({
            month: `${y}-${String(m).padStart(2, "0")}`,
            extentMkm2: value,
            anomalyMkm2: anomaly(y, m, d, value),
          })),
        });
      },
    );
  });

  describe("the GDACS recordings", () => {
    const tag = (item: string, name: string): string =>
      (new RegExp(`<${name}[^>]*>([^<]*)<`).exec(item)?.[1] ?? "").replaceAll("&amp;", "&").trim();
    const types: Readonly<Record<string, string>> = {
      TC: "cyclone",
      DR: "drought",
      FL: "flood",
      WF: "wildfire",
      VO: "volcano",
    };
    const files = ["gdacs/rss.xml", "round2/gdacs/rss.2026-07-08.five-items.xml"];
    const itemsOf = (file: string): readonly string[] =>
      recorded(file)
        .split("<item>")
        .slice(1)
        .filter((item) => tag(item, "gdacs:alertlevel") !== "Green" && types[tag(item, "gdacs:eventtype")]);
    const disasters = files.flatMap((file) => read<StoredDisaster>(gdacs, recordedBytes(file)));

    test("yield every orange and red alert except earthquakes, with the status that its dates imply", () => {
      const expected = files.flatMap((file) => {
        const feedAt = Date.parse(tag(recorded(file).split("<item>")[0] ?? "", "pubDate"));
        return itemsOf(file).map((item) => {
          const [startedAt, endedAt] = ["from", "to"].map((end) => Date.parse(tag(item, `gdacs:${end}date`)));
          const overAfterDays = tag(item, "gdacs:eventtype") === "DR" ? 30 : 1;
          const isOver = feedAt - (endedAt ?? 0) > overAfterDays * 86_400_000;
          return {
            id: `gdacs-${tag(item, "guid")}`,
            type: types[tag(item, "gdacs:eventtype")],
            name: tag(item, "gdacs:eventname") || tag(item, "title"),
            country: tag(item, "gdacs:country"),
            lat: Number(tag(item, "geo:lat")),
            lng: Number(tag(item, "geo:long")),
            severity: tag(item, "gdacs:alertlevel").toLowerCase(),
            status: isOver ? "past" : "ongoing",
            startedAt,
            source: "GDACS",
            sourceUrl: tag(item, "link"),
            observedAt: Math.min(endedAt ?? 0, feedAt),
          };
        });
      });
      expect(expected).toHaveLength(9);
      expect(
        disasters.map(
          ({ countryCode: _code, countryCodes: _codes, affectedPopulation: _people, ...disaster }) => disaster,
        ),
      ).toEqual(expected);
    });

    test("do not count droughts as past if their title says that they are ongoing, even if the feed marks them as over", () => {
      const goingOn = itemsOf("gdacs/rss.xml").filter((item) => /going on|on going/.test(tag(item, "title")));
      expect(goingOn.filter((item) => tag(item, "gdacs:iscurrent") === "false").length).toBeGreaterThan(5);
      const ids = new Set(goingOn.map((item) => `gdacs-${tag(item, "guid")}`));
      expect(new Set(disasters.filter(({ id }) => ids.has(id)).map(({ status }) => status))).toEqual(
        new Set(["ongoing"]),
      );
    });

    // The country of each position was checked on a map. The other codes are those of the countries in the feed's list.
    test("take countryCodes from the feed's list of countries and countryCode from the position", () => {
      expect(disasters.map(({ id, countryCode, countryCodes }) => [id, countryCode, countryCodes?.join(" ")])).toEqual([
        ["gdacs-TC1000641", "PH", undefined],
        ["gdacs-DR1013281", "AU", undefined],
        ["gdacs-DR1013282", "AR", "AR CL"],
        ["gdacs-DR1013258", "CN", undefined],
        ["gdacs-DR1012926", "BR", "BR AR BO PY"],
        ["gdacs-DR1012806", "MM", "MM CN IN LA TH VN"],
        ["gdacs-DR1012728", "BW", "BW AO LS MZ NA ZA ZM ZW"],
        ["gdacs-DR1012649", "GT", "GT BZ HN MX NI"],
        ["gdacs-TC1001281", "CN", "CN VN LA"],
      ]);
    });

    test("have a number of affected people only for the two storms, whose population elements count people", () => {
      expect(
        disasters.flatMap(({ id, affectedPopulation: people }) => (people === undefined ? [] : [[id, people]])),
      ).toEqual([
        ["gdacs-TC1000641", 4_476_940],
        ["gdacs-TC1001281", 0],
      ]);
    });
  });

  test("the recorded EONET hurricane is dropped at sea, where it has no country, and kept near a coast", () => {
    const body = JSON.parse(recorded("nasa-eonet/v3_events_severeStorms.json"));
    const [event] = body.events;
    expect(read<StoredDisaster>(eonet, body)).toEqual([]);
    const track = event.geometry;
    // The same recording with the last position moved to Acapulco.
    const landed = {
      ...body,
      events: [{ ...event, geometry: [...track.slice(0, -1), { ...track.at(-1), coordinates: [-99.9, 16.9] }] }],
    };
    expect(read<StoredDisaster>(eonet, landed)).toEqual([
      {
        id: `eonet-${event.id}`,
        type: "cyclone",
        name: event.title,
        country: "Mexico",
        countryCode: "MX",
        lat: 16.9,
        lng: -99.9,
        severity: "orange",
        status: "ongoing",
        source: "NASA EONET",
        sourceUrl: event.link,
        startedAt: Date.UTC(2023, 5, 27, 18),
        observedAt: Date.UTC(2023, 6, 1),
      },
    ]);
  });

  describe("EONET's list of open events of November 2025", () => {
    const FILE = "round2/nasa-eonet/v3_events_open.2025-11.json";
    interface RawEvent {
      readonly id: string;
      readonly title: string;
      readonly categories: readonly { readonly id: string }[];
      readonly geometry: readonly { readonly date: string; readonly coordinates: readonly [number, number] }[];
    }
    const raw = (): readonly RawEvent[] => JSON.parse(recorded(FILE)).events;
    const category = ({ categories }: RawEvent): string => categories[0]?.id ?? "";
    const dates = ({ geometry }: RawEvent): number[] =>
      geometry.map(({ date }) => Date.parse(date)).sort((a, b) => a - b);
    const newestPosition = ({ geometry }: RawEvent): readonly number[] =>
      [...geometry].sort((a, b) => Date.parse(b.date) - Date.parse(a.date))[0]?.coordinates ?? [];
    const types: Readonly<Record<string, string>> = {
      wildfires: "wildfire",
      severeStorms: "cyclone",
      volcanoes: "volcano",
    };
    const disasters = read<StoredDisaster>(eonet, recordedBytes(FILE));
    const byId = new Map(disasters.map((disaster) => [disaster.id, disaster]));

    test("is read completely except for sea ice and two storms far out at sea", () => {
      const events = raw();
      expect(events).toHaveLength(5_662);
      const dropped = events.filter(({ id }) => !byId.has(`eonet-${id}`));
      expect(dropped.filter((event) => category(event) !== "seaLakeIce").map(({ title }) => title)).toEqual([
        "Typhoon Fung-wong",
        "Tropical Storm Melissa",
      ]);
      expect(dropped.filter((event) => category(event) === "seaLakeIce")).toHaveLength(
        events.filter((event) => category(event) === "seaLakeIce").length,
      );
      expect(disasters).toHaveLength(events.length - dropped.length);
    });

    test("starts each event at the time of its first position and places it at its latest position", () => {
      const expected = raw()
        .filter(({ id }) => byId.has(`eonet-${id}`))
        .map((event) => {
          const [lng, lat] = newestPosition(event);
          return {
            id: `eonet-${event.id}`,
            type: types[category(event)],
            name: event.title,
            lat,
            lng,
            startedAt: dates(event)[0],
            observedAt: dates(event).at(-1),
            status: "ongoing",
          };
        });
      expect(
        disasters.map(({ id, type, name, lat, lng, startedAt, observedAt, status }) => ({
          id,
          type,
          name,
          lat,
          lng,
          startedAt,
          observedAt,
          status,
        })),
      ).toEqual(expected);
    });

    test("keeps the fires of the last seven days: two of 5,580, neither of them seen in the last two days", () => {
      const now = Date.UTC(2025, 10, 8, 12);
      const age = (event: RawEvent): number => (now - (dates(event).at(-1) ?? 0)) / 86_400_000;
      const fires = raw().filter((event) => category(event) === "wildfires");
      expect([fires.length, fires.filter((fire) => age(fire) <= 2).length]).toEqual([5_580, 0]);
      const expected = fires.filter((fire) => age(fire) <= 7).map(({ id }) => `eonet-${id}`);
      expect(expected).toEqual(["eonet-EONET_15857", "eonet-EONET_15856"]);
      const kept = climateDisasters.parts.eonet.select?.(disasters, now, silentTally) ?? [];
      expect(kept.filter(({ type }) => type === "wildfire").map(({ id }) => id)).toEqual(expected);
      expect(kept.filter(({ type }) => type !== "wildfire")).toEqual(
        disasters.filter(({ type }) => type !== "wildfire"),
      );
    });

    test("places fires in the US if the title names a US state, and nearly all others in the title's country", () => {
      const named = raw().flatMap(({ id, title }) => {
        const country = /^Wildfire in (.*?) \d+$/.exec(title)?.[1] ?? "";
        const code = byId.get(`eonet-${id}`)?.countryCode;
        return country === "" || code === undefined ? [] : [{ country, code }];
      });
      const states = raw().filter(({ title }) =>
        /, (?:California|Oregon|Alaska|Florida|Texas|Arizona|Idaho)$/.test(title),
      );
      expect(states.length).toBeGreaterThan(700);
      for (const { id } of states) expect(byId.get(`eonet-${id}`)?.countryCode).toBe("US");
      // The countries of title and position differ only near borders, and where the title has South Sudan's name
      // from before 2011.
      const names = new Intl.DisplayNames("en", { type: "region" });
      const short = (name: string): string =>
        name
          .replace(/^The |Federation|Republic of|Democratic|\(.*\)|- Kinshasa|\W/g, "")
          .replace("SouthSudan", "Sudan")
          .slice(0, 6);
      const agree = named.filter(({ country, code }) => short(country) === short(names.of(code) ?? ""));
      expect(named.length).toBeGreaterThan(3_000);
      expect(agree.length / named.length).toBeGreaterThan(0.97);
    });
  });

  test("the OpenAQ recording yields every reading of a known station", () => {
    const places = JSON.parse(recorded("openaq-v3/list_locations.json"));
    const latest = JSON.parse(recorded("openaq-v3/list_parameter_latest_2.json"));
    const [locationsRequest, latestRequest] = requestsOf(openAq, { since: 0 });
    if (!locationsRequest || !latestRequest) throw new Error("the source requests two lists");
    const stations = servedOf(openAq, [
      [locationsRequest, readBody(openAq, locationsRequest, places)],
      [latestRequest, readBody(openAq, latestRequest, latest)],
    ]);
    type Row = { locationsId: number; value: number; datetime: { utc: string } };
    type Place = {
      id: number;
      name: string;
      country: { code: string };
      coordinates: { latitude: number; longitude: number };
    };
    const expected = latest.results.flatMap(({ locationsId, value, datetime }: Row) => {
      const place: Place | undefined = places.results.find(({ id }: Place) => id === locationsId);
      if (!place) return [];
      const { latitude: lat, longitude: lng } = place.coordinates;
      return {
        city: place.name,
        countryCode: place.country.code,
        lat,
        lng,
        pm25: value,
        measuredAt: Date.parse(datetime.utc),
      };
    });
    expect(stations).toMatchObject(expected);
    expect(stations.map(({ aqi }) => aqi)).toEqual([34, 4, 4, 4, 4, 4]);
  });

  describe("the OpenAQ recording of Rio de Janeiro", () => {
    const places = JSON.parse(recorded("round2/openaq-v3/locations.rio.2026-08-06.json"));
    type Sensor = { id: number; parameter: { id: number } };
    type Place = { id: number; name: string; coordinates: object; datetimeLast: { utc: string }; sensors: Sensor[] };
    const all: readonly Place[] = places.results;
    const [locationsRequest, latestRequest] = requestsOf(openAq, { since: 0 });
    const stationsOf = (latest: readonly object[]) => {
      if (!locationsRequest || !latestRequest) throw new Error("the source requests two lists");
      const locations = readBody(openAq, locationsRequest, places);
      const readings = readBody(openAq, latestRequest, { meta: {}, results: latest });
      expect([locations.rowsBad, readings.rowsBad]).toEqual([0, 0]);
      return servedOf(openAq, [
        [locationsRequest, locations],
        [latestRequest, readings],
      ]);
    };

    test("gives 28 stations of one town different names, each with the town's name", () => {
      const latest = all.map(({ id, coordinates, datetimeLast }) => ({
        locationsId: id,
        sensorsId: id,
        value: 8.21,
        datetime: datetimeLast,
        coordinates,
      }));
      const stations = stationsOf(latest);
      expect(stations.map(({ city }) => city)).toEqual(all.map(({ name }) => `${name.trim()}, Rio de Janeiro`));
      expect(stations.map(({ station }) => station)).toEqual(all.map(({ name }) => name.trim()));
      expect(new Set(stations.map(({ city }) => city)).size).toBe(28);
      expect(stations.map(({ measuredAt }) => measuredAt)).toEqual(
        all.map(({ datetimeLast }) => Date.parse(datetimeLast.utc)),
      );
    });

    test("yields the latest value of a station whose only listed sensor is PM2.5", () => {
      const { results } = JSON.parse(recorded("round2/openaq-v3/locations-820323-latest.2026-08-06.json"));
      const sensors = new Set(
        all.flatMap(({ sensors: own }) => own.filter(({ parameter }) => parameter.id === 2).map(({ id }) => id)),
      );
      const ofPm25 = results.filter(({ sensorsId }: { sensorsId: number }) => sensors.has(sensorsId));
      expect(stationsOf(ofPm25)).toEqual([
        {
          city: "Rio de Janeiro",
          station: "Centro Kunak",
          countryCode: "BR",
          lat: -22.9084,
          lng: -43.1795,
          // 8.21 µg/m³ is truncated to 8.2, and 50 × 8.2 / 12 is 34.2.
          aqi: 34,
          riskLevel: "good",
          pm25: 8.21,
          pollutant: "pm25",
          source: "OpenAQ",
          measuredAt: Date.UTC(2026, 7, 6, 12),
        },
      ]);
    });
  });

  test("the recorded WAQI stations are read correctly after a conversion to the layout of WAQI's map", () => {
    const files = [
      "city_feed_utrecht",
      "station_number_feed_10002",
      "station_number_feed_372382",
      "station_number_feed_6337",
    ];
    const stations = files.map((file) => JSON.parse(recorded(`waqi/${file}.json`)).data);
    const data = stations.map(({ aqi, idx, city, time }) => ({
      lat: city.geo[0],
      lon: city.geo[1],
      uid: idx,
      aqi,
      station: { name: city.name, time: time.iso ?? "" },
    }));
    expect(read<AirQualityStation>(waqi, { status: "ok", data })).toEqual([
      {
        city: "Griftpark, Utrecht",
        countryCode: "NL",
        lat: 52.101308,
        lng: 5.128183,
        aqi: 29,
        riskLevel: "good",
        measuredAt: 1_691_420_400_000,
        source: "WAQI",
      },
      {
        city: "Building Cure",
        countryCode: "US",
        lat: 47.616673,
        lng: -122.33384,
        aqi: 155,
        riskLevel: "unhealthy",
        measuredAt: 1_692_559_222_000,
        source: "WAQI",
      },
      {
        city: "Klundert, Brabant",
        countryCode: "NL",
        lat: 51.6689355,
        lng: 4.541659,
        aqi: 5,
        riskLevel: "good",
        measuredAt: 1_691_427_600_000,
        source: "WAQI",
      },
    ]);
  });

  test.each(["city_feed_unknown", "unauthenticated"])(
    "the recorded WAQI answer %s is read as a refusal, not as an empty map",
    (file) => {
      expect(failureOf(() => read(waqi, recorded(`waqi/${file}.json`))).kind).toBe("unavailable");
    },
  );

  test("the recorded Open-Meteo location yields the mean of its last seven days", () => {
    const location = JSON.parse(recorded("open-meteo/archive.daily_temperature_2m_max.json"));
    const { time, temperature_2m_max: temperatures } = location.daily;
    const daily = { time, temperature_2m_mean: temperatures, precipitation_sum: temperatures.map(() => 0) };
    const plan = { zones: zones.slice(0, 1), now: Date.UTC(2023, 0, 9) };
    const [weather] = read<{ firstDay: number; lastDay: number; temperatureC: number }>(
      recentWeather,
      { ...location, daily },
      plan,
    );
    expect(weather).toMatchObject({ firstDay: Date.parse(`${time.at(-7)}Z`), lastDay: Date.parse(`${time.at(-1)}Z`) });
    const mean = temperatures.slice(-7).reduce((sum: number, value: number) => sum + value, 0) / 7;
    expect(weather?.temperatureC).toBeCloseTo(mean, 10);
  });

  test("recorded Open-Meteo locations get the right zones in either order, although only the second has an id", () => {
    const list = JSON.parse(recorded("round2/open-meteo/archive.two-locations.hourly.json"));
    expect(list.map(({ location_id }: { location_id?: number }) => location_id)).toEqual([undefined, 1]);
    // The recording is hourly. For each location, the test uses the mean of all hours as the mean of each of the seven
    // days.
    const week = Array.from({ length: 7 }, (_, day) => `2025-06-${15 + day}`);
    const meanOf = (hours: readonly number[]): number => hours.reduce((sum, value) => sum + value, 0) / hours.length;
    const temperatures: number[] = list.map(({ hourly }: { hourly: { temperature_2m: number[] } }) =>
      meanOf(hourly.temperature_2m),
    );
    const daily = list.map((location: object, index: number) => ({
      ...location,
      daily: {
        time: week,
        temperature_2m_mean: week.map(() => temperatures[index]),
        precipitation_sum: week.map(() => 0),
      },
    }));
    const plan = { zones: zones.slice(0, 2), now: Date.UTC(2025, 5, 22) };
    for (const answer of [daily, daily.toReversed()]) {
      const weather = read<{ zone: string; temperatureC: number }>(recentWeather, answer, plan);
      expect(weather.map(({ zone }) => zone)).toEqual(zones.slice(0, 2).map(({ id }) => id));
      for (const [index, { temperatureC }] of weather.entries()) {
        expect(temperatureC).toBeCloseTo(temperatures[index] ?? Number.NaN, 10);
      }
    }
    expect(temperatures[0]).not.toBeCloseTo(temperatures[1] ?? 0, 1);
  });

  // Open-Meteo's recorded answer for Adelaide is hourly, which the source never requests. The storms of the National
  // Hurricane Center are read from its map server, not from CurrentStorms.json. ReliefWeb is read from its API, not
  // from RSS. The documents below therefore have a different shape, and must be reported as changed.
  test.each([
    ["Open-Meteo, hourly", recentWeather, "round2/open-meteo/archive.hourly.adelaide.json"],
    ["NHC, CurrentStorms", nhc, "round2/nhc/CurrentStorms.2026-09-27.trimmed.json"],
    ["ReliefWeb, RSS", reliefWebV2, "round2/reliefweb/disasters.rss.2026-07.xml"],
  ])("the recorded document of %s is reported as changed because its shape is different", (_, source, file) => {
    const plan = { zones: zones.slice(0, 1), now: Date.UTC(2025, 5, 22) };
    const request = firstRequest(source as AnySource, plan, { RELIEFWEB_APPNAME: "x" });
    expect(failureOf(() => readBody(source as AnySource, request, recordedBytes(file))).kind).toBe("changed");
  });

  test("the recorded Open-Meteo local time is converted to UTC by its offset", () => {
    const location = JSON.parse(recorded("open-meteo/air-quality.hourly.json"));
    const [time] = location.hourly.time;
    const current = { ...location, current: { time, interval: 3_600, pm2_5: 71.5, us_aqi: 160 } };
    const request = firstRequest(openMeteoAirQuality, {});
    const count = new URL(request.url).searchParams.get("latitude")?.split(",").length ?? 0;
    const [reading] = readBody(
      openMeteoAirQuality,
      request,
      Array.from({ length: count }, () => current),
    ).records;
    expect(reading).toMatchObject({
      measuredAt: Date.UTC(2022, 11, 31, 16),
      pm25: 71.5,
      aqi: 159,
      riskLevel: "unhealthy",
    });
  });
});

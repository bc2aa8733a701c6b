import { describe, expect, test } from "vitest";
import { failureOf, firstRequest, readBody, requestAbout, servedOf } from "../../../../test/support/reading.js";
import { recorded, recordedTitle, recordingsAbsent } from "../../../../test/support/recordings.js";
import type { ReportedEvent } from "../records.js";
import { eonetEvents } from "./eonet-events.js";
import { gdacsEvents } from "./gdacs-events.js";
import { hkoWarnings } from "./hko-warnings.js";
import { layerOf, nhcStorms } from "./nhc-storms.js";

const eventsIn = (reading: { readonly records: readonly unknown[] }) => reading.records as readonly ReportedEvent[];

describe("EONET", () => {
  const request = firstRequest(eonetEvents, {});
  const event = (values: object = {}) => ({
    id: "EONET_1",
    title: "Typhoon Simula",
    description: null,
    link: "https://eonet.test/1",
    closed: null,
    categories: [{ id: "severeStorms", title: "Severe Storms" }],
    sources: [{ id: "JTWC", url: "https://jtwc.test/products/wp3226.tcw" }],
    geometry: [
      { magnitudeValue: 65, magnitudeUnit: "kts", date: "2026-11-18T06:00:00Z", type: "Point", coordinates: [130, 12] },
      { magnitudeValue: 55, magnitudeUnit: "kts", date: "2026-11-18T00:00:00Z", type: "Point", coordinates: [131, 11] },
    ],
    ...values,
  });
  const read = (...events: readonly object[]) => readBody(eonetEvents, request, { events });

  test("a storm has its newest position, its track, its wind and the id that US agencies use for it", () => {
    expect(eventsIn(read(event()))[0]).toMatchObject({
      id: "eonet:EONET_1",
      category: "severeStorms",
      lat: 12,
      lon: 130,
      date: Date.UTC(2026, 10, 18, 6),
      stormName: "Simula",
      stormId: "WP322026",
      basin: "WP",
      windKt: 65,
      windAveragingPeriodMinutes: 1,
      stormCategory: 1,
      canonicalAliases: ["WP322026", "simula"],
      pastTrack: [{ windKt: 55 }, { windKt: 65 }],
      agencyObservations: [{ agency: "JTWC", agencyId: "WP322026" }],
      sourceUrl: "https://jtwc.test/products/wp3226.tcw",
    });
  });

  test("the US hurricane centre has the same name as in the other lists", () => {
    const sources = [{ id: "NOAA_NHC", url: "https://www.nhc.noaa.gov/archive/2026/SIMULA.shtml" }];
    expect(eventsIn(read(event({ sources })))[0]?.agencyObservations).toMatchObject([{ agency: "NHC" }]);
  });

  test("an area has the position of the middle of its bounding box", () => {
    const corners = [
      [
        [10, 20],
        [12, 20],
        [12, 24],
        [10, 20],
      ],
    ];
    const geometry = [{ date: "2026-11-18T00:00:00Z", type: "Polygon", coordinates: corners }];
    expect(eventsIn(read(event({ categories: [{ id: "volcanoes" }], geometry })))[0]).toMatchObject({
      lat: 22,
      lon: 11,
    });
  });

  test("an earthquake is omitted, and an event of an unknown category is a bad row", () => {
    expect(read(event({ categories: [{ id: "earthquakes" }] }), event())).toMatchObject({ rowsBad: 0, rowsRead: 2 });
    expect(read(event({ categories: [{ id: "aliens" }] }), event(), event())).toMatchObject({ rowsBad: 1 });
  });

  test("a document without a list of events is reported as a changed document", () => {
    expect(failureOf(() => readBody(eonetEvents, request, { incidents: [] })).kind).toBe("changed");
  });
});

describe("GDACS", () => {
  const request = firstRequest(gdacsEvents, {});
  const feature = (values: object = {}) => ({
    geometry: { type: "Point", coordinates: [-108, 30.5] },
    properties: {
      eventtype: "TC",
      eventid: 1_001_325,
      eventname: "POLO-26",
      name: "Tropical Cyclone POLO-26",
      alertlevel: "Red",
      fromdate: "2026-11-10T03:00:00",
      todate: "2026-11-18T09:00:00",
      datemodified: "2026-11-18T05:00:00",
      iscurrent: "true",
      source: "NOAA",
      url: { report: "https://gdacs.test/report" },
      severitydata: { severity: 287.0352, severitytext: "Tropical Depression", severityunit: "km/h" },
      ...values,
    },
  });
  const read = (...features: readonly object[]) =>
    readBody(gdacsEvents, request, { type: "FeatureCollection", features });

  test("a storm's wind is read from `severity`, not from `severitytext`; its date is not after `datemodified`", () => {
    expect(eventsIn(read(feature()))[0]).toMatchObject({
      id: "gdacs:TC1001325",
      stormName: "POLO",
      windKt: 155,
      windAveragingPeriodMinutes: 1,
      stormCategory: 5,
      magnitude: 155,
      magnitudeUnit: "kts",
      date: Date.UTC(2026, 10, 18, 5),
      closed: false,
      agencyObservations: [{ agency: "GDACS", status: "Red" }],
    });
  });

  test("green alerts and events of a kind that is not served are omitted and are not bad rows", () => {
    const rows = [feature({ alertlevel: "Green" }), feature({ eventtype: "TS" }), feature()];
    expect(read(...rows)).toMatchObject({ rowsBad: 0, records: [expect.anything()] });
  });

  test("a severity of 0 without a unit is not a magnitude, and is not described as one", () => {
    const severitydata = { severity: 0, severitytext: "Magnitude 0 ", severityunit: "" };
    const [flood] = eventsIn(read(feature({ eventtype: "FL", description: "Flood in India", severitydata })));
    expect(flood).toMatchObject({ category: "floods", description: "Flood in India" });
    expect(flood).not.toHaveProperty("magnitude");
  });

  test.each([
    ["a flood that is not current is closed", "FL", "2026-11-01T00:00:00", true],
    ["a drought that ended ten days ago is not closed", "DR", "2026-11-08T00:00:00", false],
    ["a drought that ended forty days ago is closed", "DR", "2026-10-08T00:00:00", true],
  ])("%s", (_name, eventtype, todate, closed) => {
    expect(eventsIn(read(feature({ eventtype, todate, iscurrent: "false" })))[0]).toMatchObject({ closed });
  });

  test("a row with a nonexistent date is skipped", () => {
    expect(read(feature(), feature({ todate: "2026-02-31T00:00:00" }), feature())).toMatchObject({ rowsBad: 1 });
  });
});

describe("the Hong Kong Observatory", () => {
  const request = firstRequest(hkoWarnings, {});
  const signal = {
    name: "Tropical Cyclone Warning Signal",
    code: "TC8NE",
    type: "No. 8",
    issueTime: "2026-11-18T12:00:00+08:00",
  };

  test("only the cyclone signal in force is served", () => {
    const WTS = { name: "Thunderstorm Warning", code: "WTS", issueTime: "2026-11-18T11:00:00+08:00" };
    expect(eventsIn(readBody(hkoWarnings, request, { WTS, WTCSGNL: signal }))).toMatchObject([
      { id: `hko:WTCSGNL-${Date.UTC(2026, 10, 18, 4)}`, classification: "TC8NE", category: "severeStorms" },
    ]);
  });

  test("an answer without a warning or with a cancelled signal is valid and has no event", () => {
    expect(readBody(hkoWarnings, request, {}).records).toEqual([]);
    expect(readBody(hkoWarnings, request, { WTCSGNL: { ...signal, actionCode: "CANCEL" } }).records).toEqual([]);
  });

  test("a list where an object is expected is reported as a changed document", () => {
    expect(failureOf(() => readBody(hkoWarnings, request, ["x"])).kind).toBe("changed");
  });
});

const listed = {
  id: "al092026",
  binNumber: "AT3",
  name: "Simula",
  classification: "HU",
  intensity: "105",
  pressure: "958",
  latitudeNumeric: 23.3,
  longitudeNumeric: -82.4,
  movementDir: 300,
  movementSpeed: 9,
  lastUpdate: "2026-11-18T15:00:00.000Z",
  publicAdvisory: { url: "https://nhc.test/advisory" },
};

describe("the National Hurricane Center", () => {
  const request = firstRequest(nhcStorms, {});
  const read = (...activeStorms: readonly object[]) => readBody(nhcStorms, request, { activeStorms });
  const served = (...activeStorms: readonly object[]) => servedOf(nhcStorms, [[request, read(...activeStorms)]]);

  test.each([
    ["AT1", "points", 6],
    ["AT3", "cone", 60],
    ["EP1", "past", 141],
    ["CP5", "points", 370],
    ["XX1", "points", undefined],
    ["AT6", "points", undefined],
  ] as const)("for the storm in bin %s, the map layer with its %s has the number %s", (bin, layer, number) => {
    expect(layerOf(bin, layer)).toBe(number);
  });

  test("numbers are parsed from text, and unknown values are omitted", () => {
    expect(served(listed)).toMatchObject([
      { id: "nhc:al092026", title: "Hurricane Simula", windKt: 105, pressureMb: 958, stormCategory: 3, basin: "AL" },
    ]);
    const [unmeasured] = served({ ...listed, intensity: null, pressure: "0", movementDir: null, publicAdvisory: null });
    for (const name of ["windKt", "pressureMb", "stormCategory", "movementDir"]) {
      expect(unmeasured).not.toHaveProperty(name);
    }
  });

  test("three layers are requested for each storm with a bin", () => {
    const { more } = read(listed, { ...listed, id: "al102026", binNumber: null });
    expect(more.map(({ key }) => key)).toEqual(["AT3 points", "AT3 cone", "AT3 past"]);
  });

  test("tracks and the thinned cone are joined with their storm", () => {
    const storm = { bin: "AT3" };
    const layer = (name: string, features: readonly object[]) => {
      const about = requestAbout(nhcStorms, name, storm);
      return [about, readBody(nhcStorms, about, { type: "FeatureCollection", features })] as const;
    };
    const ring = Array.from({ length: 1_500 }, (_, index) => [-80 + index / 1_000, 25]);
    const events = servedOf(nhcStorms, [
      [request, read(listed)],
      layer("points", [
        { properties: { lat: 24, lon: -83, tau: 12, maxwind: 110 } },
        { properties: { lat: 23.3, lon: -82.4, tau: 0, maxwind: 105 } },
      ]),
      layer("cone", [{ geometry: { type: "Polygon", coordinates: [ring] } }]),
      layer("past", [{ properties: { lat: 22, lon: -81, intensity: 40, dtg: 2026111800 } }]),
    ]);
    expect(events).toMatchObject([
      {
        forecastTrack: [{ lat: 24, lon: -83, hour: 12, windKt: 110, category: 3 }],
        pastTrack: [{ lat: 22, lon: -81, windKt: 40, timestamp: Date.UTC(2026, 10, 18) }],
      },
    ]);
    const points = events[0]?.conePolygon?.[0]?.points ?? [];
    expect(points.length).toBeGreaterThan(100);
    expect(points.length).toBeLessThanOrEqual(120);
  });
});

describe.skipIf(recordingsAbsent)(recordedTitle, () => {
  test("the recorded events of GDACS are read with id, category, state and magnitude", () => {
    const reading = readBody(
      gdacsEvents,
      firstRequest(gdacsEvents, {}),
      recorded("groups-hazards/gdacs-geteventlist/search.2026-09-30.subset4.json"),
    );
    expect(reading.rowsBad).toBe(0);
    expect(eventsIn(reading).map(({ id, category, closed, magnitude }) => [id, category, closed, magnitude])).toEqual([
      ["gdacs:EQ1558059", "earthquakes", true, 7.7],
      ["gdacs:TC1001325", "severeStorms", false, 155],
      ["gdacs:FL1104121", "floods", false, undefined],
      ["gdacs:VO1000148", "volcanoes", true, undefined],
    ]);
  });

  test("every recorded event of EONET except earthquakes is read at its newest position", () => {
    const body = recorded("groups-hazards/nasa-eonet/v3_events_open.2025-11-08.first200.json");
    interface Recorded {
      readonly id: string;
      readonly categories: readonly { readonly id: string }[];
      readonly geometry: readonly { readonly date: string; readonly coordinates: readonly number[] }[];
    }
    const { events } = JSON.parse(body) as { readonly events: readonly Recorded[] };
    const reading = readBody(eonetEvents, firstRequest(eonetEvents, {}), body);
    const expected = events
      .filter(({ categories }) => categories[0]?.id !== "earthquakes")
      .map(({ id, geometry }) => {
        const newest = geometry.reduce((a, b) => (Date.parse(b.date) > Date.parse(a.date) ? b : a));
        const [lon, lat] = newest.coordinates;
        return [`eonet:${id}`, Date.parse(newest.date), lat, lon];
      });
    expect(reading.rowsBad).toBe(0);
    expect(eventsIn(reading).map(({ id, date, lat, lon }) => [id, date, lat, lon])).toEqual(expected);
    expect(eventsIn(reading)[0]).toMatchObject({
      title: "Typhoon Fung-wong",
      stormName: "Fung-wong",
      stormId: "WP322025",
      windKt: 95,
      lat: 13.3,
      lon: 128.1,
    });
  });

  test("the recorded storms of the NHC and the recorded cone are read", () => {
    const request = firstRequest(nhcStorms, {});
    const list = recorded("groups-hazards/nhc/CurrentStorms.2026-09-27.subset.json");
    const reading = readBody(nhcStorms, request, list);
    expect(reading).toMatchObject({ rowsRead: 2, rowsBad: 0 });
    expect(servedOf(nhcStorms, [[request, reading]])).toMatchObject([
      { basin: "AL" },
      { id: "nhc:ep162026", title: "Tropical Storm Odalys", windKt: 50, pressureMb: 992, lat: 22.6, lon: -123.4 },
    ]);
    const cone = requestAbout(nhcStorms, "cone", { bin: "AT3" });
    const [rings] = readBody(
      nhcStorms,
      cone,
      recorded("groups-hazards/nhc/at3-cone-layer.2026-09-30.ring-thinned.json"),
    ).records;
    expect(rings).toMatchObject([
      { points: expect.arrayContaining([{ lat: 33.236519999998166, lon: -43.9617899998085 }]) },
    ]);
  });
});

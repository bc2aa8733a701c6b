import { describe, expect, test } from "vitest";
import { failureOf, firstRequest, readBody } from "../../../../test/support/reading.js";
import type { AnySource } from "../../../contract/source.js";
import type { StoredDisaster } from "../records.js";
import { eonet } from "./eonet.js";
import { gdacs } from "./gdacs.js";
import { nhc } from "./nhc.js";
import { reliefWebV1, reliefWebV2 } from "./reliefweb.js";

const read = (source: AnySource, body: string | object) => {
  const reading = readBody(source, firstRequest(source, {}, { RELIEFWEB_APPNAME: "secret" }), body);
  return { ...reading, records: reading.records as readonly StoredDisaster[] };
};

const alert = (fields: Readonly<Record<string, string>> = {}): string => {
  const all = {
    title: "Orange flood alert in Chad",
    link: "https://www.gdacs.org/report.aspx?eventtype=FL&amp;eventid=1",
    pubDate: "Mon, 16 Nov 2026 01:00:00 GMT",
    "gdacs:iscurrent": "true",
    "gdacs:fromdate": "Sun, 15 Nov 2026 01:00:00 GMT",
    "gdacs:todate": "Mon, 16 Nov 2026 01:00:00 GMT",
    "gdacs:eventtype": "FL",
    "gdacs:alertlevel": "Orange",
    "gdacs:eventname": "",
    "gdacs:iso3": "TCD",
    "gdacs:country": "Chad",
    ...fields,
  };
  const elements = Object.entries(all).map(([name, value]) => `<${name}>${value}</${name}>`);
  const point = "<geo:Point><geo:lat>12.1</geo:lat><geo:long>15.0</geo:long></geo:Point>";
  return `<item>${elements.join("")}<guid isPermaLink="false">FL1</guid>${point}</item>`;
};
const rss = (items: string): string =>
  `\ufeff<?xml version="1.0" encoding="utf-8"?><rss version="2.0" xmlns:gdacs="http://www.gdacs.org" xmlns:geo="http://www.w3.org/2003/01/geo/wgs84_pos#"><channel><title>GDACS</title>${items}</channel></rss><!-- made in 3 ms -->`;

describe("GDACS", () => {
  test("an alert with its country, place and level", () => {
    expect(read(gdacs, rss(alert())).records).toEqual([
      {
        id: "gdacs-FL1",
        type: "flood",
        name: "Orange flood alert in Chad",
        country: "Chad",
        countryCode: "TD",
        lat: 12.1,
        lng: 15,
        severity: "orange",
        status: "ongoing",
        startedAt: Date.UTC(2026, 10, 15, 1),
        source: "GDACS",
        sourceUrl: "https://www.gdacs.org/report.aspx?eventtype=FL&eventid=1",
        observedAt: Date.UTC(2026, 10, 16, 1),
      },
    ]);
  });

  test("other prefixes for the same names make no difference", () => {
    const renamed = rss(alert()).replaceAll("gdacs:", "g:").replaceAll("geo:", "p:");
    expect(read(gdacs, renamed).records).toEqual(read(gdacs, rss(alert())).records);
  });

  test.each([
    ["green", { "gdacs:alertlevel": "Green" }],
    ["an earthquake", { "gdacs:eventtype": "EQ" }],
    ["without a country", { "gdacs:country": "", "gdacs:iso3": "" }],
  ])("an alert that is %s is left out and is no error", (_, fields) => {
    const reading = read(gdacs, rss(alert(fields)));
    expect([reading.records, reading.rowsRead, reading.rowsBad]).toEqual([[], 1, 0]);
  });

  test("what is over is past; the title's marker stands in for a missing level", () => {
    const [record] = read(gdacs, rss(alert({ "gdacs:iscurrent": "false", "gdacs:alertlevel": "" }))).records;
    expect(record).toMatchObject({ status: "past", severity: "orange" });
  });

  test("a bad date spoils its own alert only", () => {
    const reading = read(gdacs, rss(alert() + alert({ "gdacs:fromdate": "yesterday" }) + alert()));
    expect([reading.rowsRead, reading.rowsBad]).toEqual([3, 1]);
  });

  test("a channel without a title is a changed document", () => {
    expect(failureOf(() => read(gdacs, "<rss><items/></rss>")).kind).toBe("changed");
  });
});

const point = (coordinates: readonly number[], values: object = {}) => ({
  ...{ date: "2026-11-15T12:00:00Z", type: "Point", coordinates, magnitudeValue: null, magnitudeUnit: null },
  ...values,
});
const event = (category: string, geometry: readonly object[], values: object = {}) => ({
  ...{ id: "EONET_1", title: "Some event", link: "https://eonet.gsfc.nasa.gov/api/v3/events/EONET_1", closed: null },
  categories: [{ id: category, title: category }],
  geometry,
  ...values,
});
const events = (...all: readonly object[]) => ({ title: "EONET Events", events: all });
const paris = [2.35, 48.86];

describe("EONET", () => {
  test("an event is where it was seen last, and began when it was seen first", () => {
    const geometry = [point([16.37, 48.21], { date: "2026-11-14T00:00:00Z" }), point(paris)];
    expect(read(eonet, events(event("floods", geometry))).records).toMatchObject([
      {
        ...{ id: "eonet-EONET_1", type: "flood", country: "France", countryCode: "FR", lat: 48.86, lng: 2.35 },
        ...{ startedAt: Date.UTC(2026, 10, 14), observedAt: Date.UTC(2026, 10, 15, 12), status: "ongoing" },
      },
    ]);
  });

  test("an area is where its middle is", () => {
    const corners = [
      [
        [1, 48],
        [3, 48],
        [3, 50],
        [1, 50],
        [1, 48],
      ],
    ];
    const geometry = [point([], { type: "Polygon", coordinates: corners })];
    expect(read(eonet, events(event("drought", geometry))).records).toMatchObject([
      { lat: 49, lng: 2, type: "drought" },
    ]);
  });

  test.each([
    ["far out at sea", event("severeStorms", [point([-40, 30])])],
    ["sea ice", event("seaLakeIce", [point(paris)])],
  ])("an event that is %s is left out and is no error", (_, one) => {
    expect(read(eonet, events(one))).toMatchObject({ records: [], rowsRead: 1, rowsBad: 0 });
  });

  test.each([
    ["a storm of 96 kt", "severeStorms", { magnitudeValue: 96, magnitudeUnit: "kts" }, "Hurricane X", "red"],
    ["a storm of 64 kt", "severeStorms", { magnitudeValue: 64, magnitudeUnit: "kts" }, "Hurricane X", "orange"],
    ["a storm of 63 kt", "severeStorms", { magnitudeValue: 63, magnitudeUnit: "kts" }, "Storm X", "green"],
    ["a fire of 400 MW", "wildfires", { magnitudeValue: 400, magnitudeUnit: "MW" }, "Fire", "red"],
    ["a fire of 5,000 acres", "wildfires", { magnitudeValue: 5_000, magnitudeUnit: "acres" }, "Fire", undefined],
    ["a volcano", "volcanoes", {}, "Etna Volcano, Italy", undefined],
    ["a marked volcano", "volcanoes", {}, "Red alert for Etna", "red"],
    ["a place with a colour in its name", "volcanoes", {}, "Red Mountain", undefined],
  ])("%s has the severity that its measure means", (_, category, magnitude, title, severity) => {
    const [record] = read(eonet, events(event(category, [point(paris, magnitude)], { title }))).records;
    expect(record?.severity).toBe(severity);
  });

  test("a bad position spoils its own event only", () => {
    const bad = event("floods", [point([2.35, 148])]);
    expect(read(eonet, events(event("floods", [point(paris)]), bad))).toMatchObject({ rowsRead: 2, rowsBad: 1 });
  });

  test("another envelope is a changed document", () => {
    expect(failureOf(() => read(eonet, { features: [] })).kind).toBe("changed");
  });
});

describe("NHC", () => {
  const layers = {
    layers: [
      { id: 4, name: "AT1" },
      { id: 6, name: "AT1 Forecast Points" },
      { id: 7, name: "AT1 Forecast Track" },
    ],
  };
  const storm = (values: object = {}) => ({
    type: "Feature",
    properties: {
      ...{ stormname: "Hurricane Zeta", basin: "AL", stormnum: 9, idp_filedate: Date.UTC(2026, 10, 15, 9), tau: 0 },
      ...{ maxwind: 100, ssnum: 3, lat: 23.1, lon: -82.4, ...values },
    },
  });
  const request = { key: "AT1 Forecast Points", url: "https://x.test/", format: { kind: "json" } } as const;
  const readPoints = (...features: readonly object[]) =>
    readBody(nhc, request, { type: "FeatureCollection", features });

  test("the list of layers leads to the points of each storm", () => {
    expect(read(nhc, layers).more.map(({ key, url }) => [key, url.split("/MapServer")[1]])).toEqual([
      ["AT1 Forecast Points", "/6/query?where=1=1&outFields=*&f=geojson"],
    ]);
    expect(failureOf(() => read(nhc, { layers: [] })).kind).toBe("changed");
  });

  test("a storm is where it is now, on or near a coast", () => {
    expect(readPoints(storm(), storm({ tau: 12, lat: 25 })).records).toEqual([
      {
        ...{ id: "nhc-al092026", type: "cyclone", name: "Hurricane Zeta", country: "Cuba", countryCode: "CU" },
        ...{ lat: 23.1, lng: -82.4, severity: "red", status: "ongoing", source: "NOAA NHC" },
        sourceUrl: "https://www.nhc.noaa.gov/",
        observedAt: Date.UTC(2026, 10, 15, 9),
      },
    ]);
  });

  test.each([
    [0, "green"],
    [1, "orange"],
    [2, "orange"],
    [3, "red"],
  ])("category %d is %s", (ssnum, severity) => {
    expect(readPoints(storm({ ssnum })).records).toMatchObject([{ severity }]);
  });

  test("a storm far out belongs to no country; no storm at all is an answer", () => {
    expect(readPoints(storm({ lat: 30, lon: -45 }))).toMatchObject({ records: [], rowsBad: 0 });
    expect(readPoints()).toMatchObject({ records: [], rowsRead: 0 });
  });

  test("an error in JSON is a changed document", () => {
    expect(failureOf(() => readBody(nhc, request, { error: { code: 400 } })).kind).toBe("changed");
  });
});

describe("ReliefWeb", () => {
  const disaster = (fields: object = {}) => ({
    id: "52345",
    fields: {
      ...{ name: "Chad: Floods - Jul 2026", status: "ongoing", url: "https://reliefweb.int/node/52345" },
      date: { event: "2026-07-20T00:00:00+00:00" },
      country: [{ name: "Chad", iso3: "tcd", primary: true, location: { lat: 15.36, lon: 18.66 } }],
      type: [{ code: "FL", primary: true }],
      ...fields,
    },
  });

  test("is asked by POST, with the app name apart from the address that is logged", () => {
    const requests = [reliefWebV2, reliefWebV1].map((source) =>
      firstRequest(source, {}, { RELIEFWEB_APPNAME: "secret" }),
    );
    expect(requests.map(({ url }) => url)).toEqual([
      "https://api.reliefweb.int/v2/disasters",
      "https://api.reliefweb.int/v1/disasters",
    ]);
    for (const request of requests) {
      expect(request.secretQuery).toEqual({ appname: "secret" });
      expect(JSON.parse(request.body ?? "")).toMatchObject({ limit: 250 });
    }
  });

  test("a disaster sits at its country's centre", () => {
    expect(read(reliefWebV2, { data: [disaster()] }).records).toEqual([
      {
        ...{
          id: "reliefweb-52345",
          type: "flood",
          name: "Chad: Floods - Jul 2026",
          country: "Chad",
          countryCode: "TD",
        },
        ...{ lat: 15.36, lng: 18.66, severity: "medium", status: "ongoing", source: "ReliefWeb" },
        ...{ startedAt: Date.UTC(2026, 6, 20), observedAt: Date.UTC(2026, 6, 20) },
        sourceUrl: "https://reliefweb.int/node/52345",
      },
    ]);
  });

  test.each([
    ["alert", "alert", "high"],
    ["current", "ongoing", "medium"],
    ["ongoing", "ongoing", "medium"],
    ["past", "past", "medium"],
  ])("status %s is %s and %s", (given, status, severity) => {
    expect(read(reliefWebV2, { data: [disaster({ status: given })] }).records).toMatchObject([{ status, severity }]);
  });

  test.each([
    ["an earthquake", { type: [{ code: "EQ" }] }],
    ["without a country", { country: [] }],
    ["of an unknown status", { status: "archived" }],
  ])("a disaster that is %s is left out", (_, fields) => {
    expect(read(reliefWebV2, { data: [disaster(fields)] })).toMatchObject({ records: [], rowsBad: 0 });
  });
});

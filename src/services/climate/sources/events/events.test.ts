import { describe, expect, test } from "vitest";
import { failureOf, firstRequest, readBody, requestAbout } from "../../../../../test/support/reading.js";
import { silentTally } from "../../../../contract/row-tally.js";
import type { AnySource } from "../../../../contract/source.js";
import { readRows } from "../../../../ingest/read-rows.js";
import { climateDisasters } from "../../datasets/climate-disasters.js";
import type { StoredDisaster } from "../../records.js";
import { eonet } from "./eonet.js";
import { gdacs } from "./gdacs.js";
import { nhc } from "./nhc.js";
import { reliefWebV1, reliefWebV2 } from "./reliefweb.js";

const read = (source: AnySource, body: string | object) => {
  const reading = readBody(source, firstRequest(source, {}, { RELIEFWEB_APPNAME: "secret" }), body);
  return { ...reading, records: reading.records as readonly StoredDisaster[] };
};

const pointAt = (lat: number, long: number): string =>
  `<geo:Point><geo:lat>${lat}</geo:lat><geo:long>${long}</geo:long></geo:Point>`;
const alert = (fields: Readonly<Record<string, string>> = {}, further = ""): string => {
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
  const point = further.includes("geo:Point") ? "" : pointAt(12.1, 15);
  return `<item>${elements.join("")}<guid isPermaLink="false">FL1</guid>${point}${further}</item>`;
};
const rss = (items: string, pubDate = "<pubDate>Mon, 16 Nov 2026 02:00:00 GMT</pubDate>"): string =>
  `\ufeff<?xml version="1.0" encoding="utf-8"?><rss version="2.0" xmlns:gdacs="http://www.gdacs.org" xmlns:geo="http://www.w3.org/2003/01/geo/wgs84_pos#"><channel><title>GDACS</title>${pubDate}${items}</channel></rss><!-- made in 3 ms -->`;

describe("GDACS", () => {
  test("an alert is read with its country, place and level", () => {
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

  test("namespace prefixes do not matter", () => {
    const renamed = rss(alert()).replaceAll("gdacs:", "g:").replaceAll("geo:", "p:");
    expect(read(gdacs, renamed).records).toEqual(read(gdacs, rss(alert())).records);
  });

  test.each([
    ["green", { "gdacs:alertlevel": "Green" }],
    ["an earthquake", { "gdacs:eventtype": "EQ" }],
  ])("an alert that is %s is left out without an error", (_, fields) => {
    const reading = read(gdacs, rss(alert(fields)));
    expect([reading.records, reading.rowsRead, reading.rowsBad]).toEqual([[], 1, 0]);
  });

  test("an alert without a level gets the level named in its title", () => {
    expect(read(gdacs, rss(alert({ "gdacs:alertlevel": "" }))).records).toMatchObject([{ severity: "orange" }]);
  });

  describe("the status", () => {
    const statusOf = (fields: Readonly<Record<string, string>>, pubDate?: string) =>
      read(gdacs, rss(alert(fields), pubDate)).records[0]?.status;
    const ended = (date: string) => ({ "gdacs:todate": `${date} GMT` });
    const drought = { "gdacs:eventtype": "DR", "gdacs:fromdate": "Fri, 01 May 2026 00:00:00 GMT" };

    // The feed is dated Mon, 16 Nov 2026 02:00:00.
    test.each([
      ["a flood that ended a day before the feed", ended("Sun, 15 Nov 2026 02:00:00"), "ongoing"],
      ["a flood that ended a day and a second before the feed", ended("Sun, 15 Nov 2026 01:59:59"), "past"],
      [
        "a drought that ended thirty days before the feed",
        { ...drought, ...ended("Sat, 17 Oct 2026 02:00:00") },
        "ongoing",
      ],
      [
        "a drought that ended thirty days and a second before the feed",
        { ...drought, ...ended("Sat, 17 Oct 2026 01:59:59") },
        "past",
      ],
      ["an event without an end", { "gdacs:todate": "" }, "ongoing"],
      [
        "an event that begins after the feed",
        { "gdacs:fromdate": "Mon, 16 Nov 2026 02:00:01 GMT", ...ended("Tue, 17 Nov 2026 00:00:00") },
        "alert",
      ],
    ])("%s has the status $2, regardless of iscurrent", (_, fields, status) => {
      expect(["true", "false"].map((iscurrent) => statusOf({ ...fields, "gdacs:iscurrent": iscurrent }))).toEqual([
        status,
        status,
      ]);
    });

    test("without a feed date, the newest item's date determines the status; without any date, the status is ongoing", () => {
      const old = { ...ended("Sat, 14 Nov 2026 00:00:00") };
      expect(statusOf(old, "")).toBe("past");
      expect(statusOf({ ...old, pubDate: "today" }, "")).toBe("ongoing");
    });

    test("an end in the future is not used as the time of observation", () => {
      expect(read(gdacs, rss(alert(ended("Fri, 20 Nov 2026 00:00:00")))).records).toMatchObject([
        { status: "ongoing", observedAt: Date.UTC(2026, 10, 16, 2) },
      ]);
    });
  });

  describe("the countries", () => {
    const placed = (fields: Readonly<Record<string, string>>, lat: number, long: number) => {
      const [record] = read(gdacs, rss(alert(fields, pointAt(lat, long)))).records;
      return [record?.country, record?.countryCode, record?.countryCodes];
    };
    const several = { "gdacs:country": "Argentina, Chile", "gdacs:iso3": "ARG" };

    test("an event in several countries lists all of them, with the code of the country at its position", () => {
      expect(placed(several, -33.4, -70.7)).toEqual(["Argentina, Chile", "CL", ["CL", "AR"]]);
      expect(placed(several, -34.6, -58.9)).toEqual(["Argentina, Chile", "AR", ["AR", "CL"]]);
    });

    test("an event in several countries has no `countryCode` if its position is far out at sea", () => {
      expect(placed(several, -40, -110)).toEqual(["Argentina, Chile", undefined, ["AR", "CL"]]);
    });

    test("the countries are read from the title if the title names more countries than the `country` element", () => {
      const fields = {
        ...several,
        title: "Drought is on going in Argentina, Bolivia, Chile",
        "gdacs:country": "Argentina",
      };
      expect(placed(fields, -33.4, -70.7)).toEqual(["Argentina, Bolivia, Chile", "CL", ["CL", "AR", "BO"]]);
      expect(placed({ ...several, title: "16 million in Tropical Storm, Wind, Rain" }, -33.4, -70.7)[0]).toBe(
        "Argentina, Chile",
      );
    });

    test("an event without a country is in the country at its position, and is left out only if it is far from any", () => {
      const unnamed = { title: "Orange flood alert", "gdacs:country": "", "gdacs:iso3": "" };
      expect(placed(unnamed, 12.1, 15)).toEqual(["Chad", "TD", undefined]);
      expect(placed({ ...unnamed, "gdacs:iso3": "CHL" }, -40, -110)).toEqual(["Chile", "CL", undefined]);
      const ruleOf = (point: string) => read(gdacs, rss(alert(unnamed, point))).leftOut.map(({ rule }) => rule);
      expect(ruleOf(pointAt(-40, -110))).toEqual(["far from any country"]);
      expect(ruleOf("<geo:Point/>")).toEqual(["neither country nor position"]);
    });

    test("a single country keeps its code wherever the event is, and its name may contain a comma", () => {
      expect(placed({ "gdacs:country": "Philippines", "gdacs:iso3": "PHL" }, 14.6, 112.1)).toEqual([
        "Philippines",
        "PH",
        undefined,
      ]);
      const inverted = { title: "Orange flood alert", "gdacs:country": "Korea, Republic of", "gdacs:iso3": "" };
      expect(placed(inverted, 37.5, 127)).toEqual(["Korea, Republic of", "KR", undefined]);
    });
  });

  test.each([
    [
      '<gdacs:population unit="Pop74" value="4476940">Population affected by … is 4.477 million</gdacs:population>',
      4_476_940,
    ],
    ['<gdacs:population unit="Pop74" value="0">Population affected by Category 1 … is 0</gdacs:population>', 0],
    ['<gdacs:population unit="" value="0">0 people affected in the area</gdacs:population>', 0],
    [
      '<gdacs:population unit="Population Affected" value="4000">12 deaths and 4000 displaced</gdacs:population>',
      4_000,
    ],
    ['<gdacs:population unit="Population Affected" value="0">0 deaths </gdacs:population>', undefined],
    ['<gdacs:population unit="Population Affected" value="12">12 deaths</gdacs:population>', undefined],
    ['<gdacs:population unit="Killed" value="25">25 killed</gdacs:population>', undefined],
    ['<gdacs:population unit="" value="0" />', undefined],
    ['<gdacs:population unit="Pop74" value="many">people</gdacs:population>', undefined],
    ['<gdacs:population unit="Pop74" value="99999999999">people</gdacs:population>', undefined],
    ["<gdacs:population>some people</gdacs:population>", undefined],
    ["", undefined],
  ])("the number of affected people in %s is %s", (element, people) => {
    expect(read(gdacs, rss(alert({}, element))).records[0]?.affectedPopulation).toBe(people);
  });

  test("an alert whose type is named like an inherited object member is left out", () => {
    expect(read(gdacs, rss(alert({ "gdacs:eventtype": "constructor" }))).records).toEqual([]);
  });

  test("an alert with a bad date is skipped", () => {
    const reading = read(gdacs, rss(alert() + alert({ "gdacs:fromdate": "yesterday" }) + alert()));
    expect([reading.rowsRead, reading.rowsBad]).toEqual([3, 1]);
  });

  test("a channel without a title is reported as changed", () => {
    expect(failureOf(() => read(gdacs, "<rss><items/></rss>")).kind).toBe("changed");
  });
});

const point = (coordinates: readonly number[], values: object = {}) => ({
  date: "2026-11-15T12:00:00Z",
  type: "Point",
  coordinates,
  magnitudeValue: null,
  magnitudeUnit: null,
  ...values,
});
const event = (category: string, geometry: readonly object[], values: object = {}) => ({
  id: "EONET_1",
  title: "Some event",
  link: "https://eonet.gsfc.nasa.gov/api/v3/events/EONET_1",
  closed: null,
  categories: [{ id: category, title: category }],
  geometry,
  ...values,
});
const events = (...all: readonly object[]) => ({ title: "EONET Events", events: all });
const paris = [2.35, 48.86];

describe("EONET", () => {
  test("an event has the position of its last sighting and starts at the time of its first sighting", () => {
    const geometry = [point([16.37, 48.21], { date: "2026-11-14T00:00:00Z" }), point(paris)];
    expect(read(eonet, events(event("floods", geometry))).records).toMatchObject([
      {
        id: "eonet-EONET_1",
        type: "flood",
        country: "France",
        countryCode: "FR",
        lat: 48.86,
        lng: 2.35,
        startedAt: Date.UTC(2026, 10, 14),
        observedAt: Date.UTC(2026, 10, 15, 12),
        status: "ongoing",
      },
    ]);
  });

  test("an event on an island that is too small for the map gets its country from the title", () => {
    const ioto = event("volcanoes", [point([141.289, 24.751])], { title: "Ioto Volcano, Japan" });
    expect(read(eonet, events(ioto)).records).toMatchObject([{ country: "Japan", countryCode: "JP", lat: 24.751 }]);
    expect(read(eonet, events({ ...ioto, title: "Ioto Volcano, Far Out" })).records).toEqual([]);
  });

  test("an area has the position of its centre", () => {
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
    ["of a category named like an inherited object member", event("constructor", [point(paris)])],
  ])("an event that is %s is left out without an error", (_, event) => {
    expect(read(eonet, events(event))).toMatchObject({ records: [], rowsRead: 1, rowsBad: 0 });
  });

  test.each([
    ["a storm of 96 kt", "severeStorms", { magnitudeValue: 96, magnitudeUnit: "kts" }, "Hurricane X", "red"],
    ["a storm of 64 kt", "severeStorms", { magnitudeValue: 64, magnitudeUnit: "kts" }, "Hurricane X", "orange"],
    ["a storm of 63 kt", "severeStorms", { magnitudeValue: 63, magnitudeUnit: "kts" }, "Storm X", "green"],
    ["a fire of 400 MW", "wildfires", { magnitudeValue: 400, magnitudeUnit: "MW" }, "Fire", "red"],
    ["a fire of 5,000 acres", "wildfires", { magnitudeValue: 5_000, magnitudeUnit: "acres" }, "Fire", undefined],
    ["a volcano", "volcanoes", {}, "Etna Volcano, Italy", undefined],
    ["a volcano whose title names an alert level", "volcanoes", {}, "Red alert for Etna", "red"],
    ["a volcano whose name contains a colour", "volcanoes", {}, "Red Mountain", undefined],
  ])("%s has the severity $4", (_, category, magnitude, title, severity) => {
    const [record] = read(eonet, events(event(category, [point(paris, magnitude)], { title }))).records;
    expect(record?.severity).toBe(severity);
  });

  test("an event with a bad position is skipped", () => {
    const bad = event("floods", [point([2.35, 148])]);
    expect(read(eonet, events(event("floods", [point(paris)]), bad))).toMatchObject({ rowsRead: 2, rowsBad: 1 });
  });

  test("a document with another envelope is reported as changed", () => {
    expect(failureOf(() => read(eonet, { features: [] })).kind).toBe("changed");
  });

  test("JSON with the content type of RSS is read as JSON", () => {
    const bytes = Buffer.from(JSON.stringify(events(event("floods", [point(paris)]))));
    const request = firstRequest(eonet, {});
    expect(readRows(eonet, request, bytes, "application/rss+xml; charset=UTF-8")).toEqual(
      readRows(eonet, request, bytes, "application/json"),
    );
  });

  test("a fire is listed for seven days after its newest position, and any other event as long as it is open", () => {
    const now = Date.UTC(2026, 10, 22, 12);
    const { select } = climateDisasters.parts.eonet;
    const kept = (category: string, date: string) => {
      const track = [point(paris, { date: "2026-10-30T12:00:00Z" }), point(paris, { date })];
      return select?.(read(eonet, events(event(category, track))).records, now, silentTally).length;
    };
    expect(kept("wildfires", "2026-11-15T12:00:00Z")).toBe(1);
    expect(kept("wildfires", "2026-11-15T11:59:59Z")).toBe(0);
    expect(kept("volcanoes", "2026-11-01T00:00:00Z")).toBe(1);
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
      stormname: "Hurricane Zeta",
      basin: "AL",
      stormnum: 9,
      idp_filedate: Date.UTC(2026, 10, 15, 9),
      tau: 0,
      maxwind: 100,
      ssnum: 3,
      lat: 23.1,
      lon: -82.4,
      ...values,
    },
  });
  const request = requestAbout(nhc, "points", { id: 6, name: "AT1 Forecast Points" });
  const readPoints = (...features: readonly object[]) =>
    readBody(nhc, request, { type: "FeatureCollection", features });

  test("the list of layers leads to the points of each storm", () => {
    expect(read(nhc, layers).more.map(({ key, url }) => [key, url.split("/MapServer")[1]])).toEqual([
      ["AT1 Forecast Points", "/6/query?where=1=1&outFields=*&f=geojson"],
    ]);
    expect(failureOf(() => read(nhc, { layers: [] })).kind).toBe("changed");
  });

  test("a storm has its current position and the country of a nearby coast", () => {
    expect(readPoints(storm(), storm({ tau: 12, lat: 25 })).records).toEqual([
      {
        id: "nhc-al092026",
        type: "cyclone",
        name: "Hurricane Zeta",
        country: "Cuba",
        countryCode: "CU",
        lat: 23.1,
        lng: -82.4,
        severity: "red",
        status: "ongoing",
        source: "NOAA NHC",
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
  ])("a storm of category %d has the severity %s", (ssnum, severity) => {
    expect(readPoints(storm({ ssnum })).records).toMatchObject([{ severity }]);
  });

  test("a storm far out at sea is left out, and an answer without storms is valid", () => {
    expect(readPoints(storm({ lat: 30, lon: -45 }))).toMatchObject({ records: [], rowsBad: 0 });
    expect(readPoints()).toMatchObject({ records: [], rowsRead: 0 });
  });

  test("an error message as JSON is reported as a changed document", () => {
    expect(failureOf(() => readBody(nhc, request, { error: { code: 400 } })).kind).toBe("changed");
  });
});

describe("ReliefWeb", () => {
  const disaster = (fields: object = {}) => ({
    id: "52345",
    fields: {
      name: "Chad: Floods - Jul 2026",
      status: "ongoing",
      url: "https://reliefweb.int/node/52345",
      date: { event: "2026-07-20T00:00:00+00:00" },
      country: [{ name: "Chad", iso3: "tcd", primary: true, location: { lat: 15.36, lon: 18.66 } }],
      type: [{ code: "FL", primary: true }],
      ...fields,
    },
  });

  test("ReliefWeb is requested by POST, with the app name outside the logged address", () => {
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

  test("a disaster has the position of its country's centre", () => {
    expect(read(reliefWebV2, { data: [disaster()] }).records).toEqual([
      {
        id: "reliefweb-52345",
        type: "flood",
        name: "Chad: Floods - Jul 2026",
        country: "Chad",
        countryCode: "TD",
        lat: 15.36,
        lng: 18.66,
        severity: "medium",
        status: "ongoing",
        source: "ReliefWeb",
        startedAt: Date.UTC(2026, 6, 20),
        observedAt: Date.UTC(2026, 6, 20),
        sourceUrl: "https://reliefweb.int/node/52345",
      },
    ]);
  });

  test.each([
    ["alert", "alert", "high"],
    ["current", "ongoing", "medium"],
    ["ongoing", "ongoing", "medium"],
    ["past", "past", "medium"],
  ])("the status %s is served as %s, with the severity %s", (upstreamStatus, status, severity) => {
    expect(read(reliefWebV2, { data: [disaster({ status: upstreamStatus })] }).records).toMatchObject([
      { status, severity },
    ]);
  });

  test.each([
    ["an earthquake", { type: [{ code: "EQ" }] }],
    ["without a country", { country: [] }],
    ["of an unknown status", { status: "archived" }],
    ["of a status named like an inherited object member", { status: "constructor" }],
    ["of a type named like an inherited object member", { type: [{ code: "toString" }] }],
  ])("a disaster that is %s is left out", (_, fields) => {
    expect(read(reliefWebV2, { data: [disaster(fields)] })).toMatchObject({ records: [], rowsBad: 0 });
  });
});

import { describe, expect, test } from "vitest";
import { HOUR_MS } from "../../../kit/clock.js";
import type { ReportedEvent } from "../records.js";
import { mergedEvents } from "./merge-events.js";
import { nameAlias, stormNameIn } from "./storm-name.js";
import { hectopascals, knots, knotsOfKmh, stormCategoryOf } from "./storm-scale.js";

const at = Date.UTC(2026, 10, 18);
const event = (id: string, values: Partial<ReportedEvent> = {}): ReportedEvent => ({
  id,
  title: id,
  description: "",
  category: "floods",
  categoryTitle: "Floods",
  lat: 10,
  lon: 20,
  date: at,
  sourceUrl: "",
  sourceName: "",
  closed: false,
  ...values,
});
const storm = (id: string, name: string | undefined, values: Partial<ReportedEvent> = {}): ReportedEvent =>
  event(id, {
    category: "severeStorms",
    categoryTitle: "Severe Storms",
    lat: 20,
    lon: -60,
    ...(name !== undefined && { stormName: name }),
    canonicalAliases: name === undefined ? [] : [nameAlias(name)],
    agencyObservations: [{ agency: id, agencyId: id, observedAt: at, sourceName: id, sourceUrl: "" }],
    ...values,
  });
const idsOf = (...events: readonly ReportedEvent[]) => mergedEvents(events).map(({ id }) => id);

describe("an event other than a storm", () => {
  test("is served once, from the leading list, if two lists give the same category and position to 0.1°", () => {
    expect(idsOf(event("eonet:1", { lat: 10.04 }), event("gdacs:1"))).toEqual(["gdacs:1"]);
    expect(idsOf(event("eonet:1", { lat: 10.06 }), event("gdacs:1"))).toHaveLength(2);
    expect(idsOf(event("eonet:1", { category: "volcanoes" }), event("gdacs:1"))).toHaveLength(2);
  });

  test("is served separately from another event of the same list at the same place", () => {
    expect(idsOf(event("eonet:1"), event("eonet:2"))).toHaveLength(2);
  });
});

describe("a storm", () => {
  test("in one list has the confidence single-source and its own id as canonical id", () => {
    expect(mergedEvents([storm("nhc:1", "Simula")])).toMatchObject([
      { canonicalId: "nhc:1", matchingConfidence: "single-source", canonicalAliases: ["simula"] },
    ]);
  });

  test("in two lists under one name is one row with both observations, led by the US hurricane centre", () => {
    const both = mergedEvents([storm("gdacs:1", "SIMULA", { lat: 29 }), storm("nhc:1", "Simula", { windKt: 90 })]);
    expect(both).toMatchObject([
      {
        id: "nhc:1",
        windKt: 90,
        matchingConfidence: "alias-bounded",
        agencyObservations: [{ agency: "nhc:1" }, { agency: "gdacs:1" }],
      },
    ]);
  });

  test("has one observation of each agency, although EONET repeats those of the hurricane centre", () => {
    const by = (agency: string, windKt: number) => ({
      agencyObservations: [{ agency, agencyId: "1", observedAt: at, windKt, sourceName: "", sourceUrl: "" }],
    });
    const [merged] = mergedEvents([
      storm("eonet:1", "Simula", by("NHC", 80)),
      storm("gdacs:1", "Simula", by("GDACS", 100)),
      storm("nhc:1", "Simula", by("NHC", 90)),
    ]);
    expect(merged?.agencyObservations).toMatchObject([
      { agency: "NHC", windKt: 90 },
      { agency: "GDACS", windKt: 100 },
    ]);
  });

  test.each([
    ["10 degrees of latitude", { lat: 30 }],
    ["30 degrees of longitude", { lon: -30 }],
  ])("of the same name %s away is another storm", (_name, values) => {
    expect(idsOf(storm("nhc:1", "Simula"), storm("gdacs:1", "Simula", values))).toHaveLength(2);
  });

  test("is matched across the date line", () => {
    expect(idsOf(storm("nhc:1", "Simula", { lon: 179 }), storm("gdacs:1", "Simula", { lon: -179 }))).toHaveLength(1);
  });

  const pacific = { lat: 15, lon: 140 };

  test("in the western Pacific is matched within 18 hours and 750 km, and led by the list that repeats JTWC's reports", () => {
    const jtwc = storm("eonet:1", "Ficta", pacific);
    const gdacs = (values: object) => storm("gdacs:1", "Ficta", { ...pacific, ...values });
    expect(idsOf(gdacs({ date: at + 18 * HOUR_MS, lon: 146 }), jtwc)).toEqual(["eonet:1"]);
    expect(idsOf(gdacs({ date: at + 19 * HOUR_MS }), jtwc)).toHaveLength(2);
    expect(idsOf(gdacs({ lon: 148 }), jtwc)).toHaveLength(2);
  });

  test("without a name is matched by position and time only, with the confidence proximity-bounded", () => {
    const nameless = (values: object = {}) => storm("gdacs:1", undefined, values);
    const [match] = mergedEvents([storm("nhc:1", "Simula"), nameless({ lat: 20.8, date: at + 3 * HOUR_MS })]);
    expect(match).toMatchObject({ id: "nhc:1", matchingConfidence: "proximity-bounded" });
    expect(idsOf(storm("nhc:1", "Simula"), nameless({ lat: 20.9 }))).toHaveLength(2);
    expect(idsOf(storm("nhc:1", "Simula"), nameless({ date: at + 3 * HOUR_MS + 1 }))).toHaveLength(2);
  });

  test("is not matched to a nearby storm with another name", () => {
    expect(idsOf(storm("nhc:1", "Simula"), storm("gdacs:1", "Ficta"))).toHaveLength(2);
  });

  test("has the track of another list if the leading list has none", () => {
    const pastTrack = [{ lat: 19, lon: -59 }];
    expect(mergedEvents([storm("nhc:1", "Simula"), storm("eonet:1", "Simula", { pastTrack })])).toMatchObject([
      { id: "nhc:1", pastTrack },
    ]);
  });
});

test.each([
  ["Typhoon Fung-wong", "Fung-wong"],
  ["POLO-26", "POLO"],
  ["Tropical Storm Odalys", "Odalys"],
  ["Tropical Depression Nine", undefined],
  ["Nine-E", undefined],
  ["THIRTYTWO-25", undefined],
  ["Tropical Depression Thirty-Two", undefined],
  ["Invest 93L", undefined],
  ["Remnants of Melissa", "Melissa"],
  ["Remnants of Hurricane Melissa", "Melissa"],
  ["", undefined],
])("the storm name in %j is %s", (title, name) => {
  expect(stormNameIn(title)).toBe(name);
});

test("each storm category begins at its wind speed, and impossible values are unknown", () => {
  expect([63, 64, 82, 83, 96, 113, 136, 137].map(stormCategoryOf)).toEqual([0, 1, 1, 2, 3, 4, 4, 5]);
  expect([knots(0), knots(200), knots(201), knotsOfKmh(287.0352)]).toEqual([undefined, 200, undefined, 155]);
  expect([hectopascals(849), hectopascals(850), hectopascals(1_051)]).toEqual([undefined, 850, undefined]);
});

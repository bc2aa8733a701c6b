import { describe, expect, test } from "vitest";
import { BUILT_AT, onOnePage, snapshotOf } from "../../../../test/support/stored-answers.js";
import { viewOf } from "../../../../test/support/views.js";
import { silentTally } from "../../../contract/row-tally.js";
import { settingReader } from "../../../contract/setting.js";
import { DAY_MS, HOUR_MS } from "../../../kit/clock.js";
import { earthquakes } from "../datasets/earthquakes.js";
import type { StoredEarthquake } from "../records.js";
import { listEarthquakes } from "./list-earthquakes.js";

const noon = BUILT_AT;
const quake = (id: string, values: Partial<StoredEarthquake> = {}): StoredEarthquake => ({
  id,
  magnitude: 5,
  occurredAt: noon,
  source: id.startsWith("nrcan") ? "nrcan" : "usgs",
  location: { latitude: 10, longitude: 20 },
  ...values,
});

const view = viewOf(earthquakes, {
  usgs: [quake("us-old", { occurredAt: noon - DAY_MS }), quake("us-strong", { magnitude: 7 })],
  nrcan: [
    quake("nrcan:repeat", { magnitude: 7 }),
    quake("nrcan:small", { magnitude: 4.4 }),
    quake("nrcan:own", { occurredAt: noon - HOUR_MS, magnitude: 4.5 }),
  ],
});

const recent = snapshotOf(view);

function idsOf(query: { readonly start?: number; readonly end?: number; readonly minMagnitude?: number }) {
  const { start, end, minMagnitude = 0 } = query;
  const answer = listEarthquakes.run(
    { start, end, minMagnitude, pageSize: 500, cursor: "" },
    { recent },
    {
      observations: {},
      now: () => noon,
      paginate: onOnePage,
      tally: silentTally,
      simulated: false,
      settingOf: settingReader({}),
    },
  );
  return answer.earthquakes.map(({ id }) => id);
}

describe("list-earthquakes", () => {
  test("earthquakes of magnitude 4.5 and more are served newest first, and an event that both agencies report is served once", () => {
    expect(idsOf({})).toEqual(["us-strong", "nrcan:own", "us-old"]);
  });

  test.each([
    ["a start", { start: noon - HOUR_MS }, ["us-strong", "nrcan:own"]],
    ["an end", { end: noon - HOUR_MS }, ["nrcan:own", "us-old"]],
    ["a start just after the newest earthquake", { start: noon + 1 }, []],
    ["a minimum magnitude", { minMagnitude: 5 }, ["us-strong", "us-old"]],
    ["a minimum magnitude above all earthquakes", { minMagnitude: 7.01 }, []],
  ])("filters by %s", (_name, query, ids) => {
    expect(idsOf(query)).toEqual(ids);
  });
});

describe("the dataset of earthquakes", () => {
  test("the dataset keeps the earthquakes of the last seven days", () => {
    const at = (occurredAt: number) => quake("us1", { occurredAt });
    const { usgs } = earthquakes.parts;
    expect(usgs.select?.([at(noon - 7 * DAY_MS), at(noon - 7 * DAY_MS - 1)], noon, silentTally)).toHaveLength(1);
  });

  test("the dataset is not published unless it has an earthquake of magnitude 4.5 or more", () => {
    expect(earthquakes.gate({ usgs: [], nrcan: [quake("nrcan:1", { magnitude: 2 })] })).toMatch(/^no earthquake/);
    expect(earthquakes.gate({ usgs: [quake("us1")], nrcan: [] })).toBeUndefined();
    expect(earthquakes.newestAt({ usgs: [], nrcan: [] })).toBeNull();
  });
});

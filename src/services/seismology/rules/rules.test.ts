import { describe, expect, test } from "vitest";
import type { StoredEarthquake } from "../records.js";
import { withoutRepeats } from "./same-event.js";
import { withTestSite } from "./test-sites.js";

const at = Date.UTC(2026, 10, 18, 9);
const quake = (values: Partial<StoredEarthquake> = {}): StoredEarthquake => ({
  id: "us1",
  magnitude: 4.6,
  depthKm: 10,
  location: { latitude: 50, longitude: -129 },
  occurredAt: at,
  source: "usgs",
  ...values,
});
/** Returns the position `km` kilometres north of a place. */
const north = (latitude: number, longitude: number, km: number) => ({ latitude: latitude + km / 111.195, longitude });

describe("reports of two agencies", () => {
  const report = (values: Partial<StoredEarthquake>): StoredEarthquake =>
    quake({ id: "nrcan:1", source: "nrcan", ...values });

  test.each([
    ["60 seconds apart are merged", { occurredAt: at + 60_000 }, []],
    ["61 seconds apart are both kept", { occurredAt: at + 61_000 }, ["nrcan:1"]],
    ["0.1 magnitude apart are merged", { magnitude: 4.7 }, []],
    ["0.2 magnitude apart are both kept", { magnitude: 4.4 }, ["nrcan:1"]],
    ["9.9 km apart are merged", { location: north(50, -129, 9.9) }, []],
    ["10.1 km apart are both kept", { location: north(50, -129, 10.1) }, ["nrcan:1"]],
  ])("two reports %s", (_name, values, kept) => {
    expect(withoutRepeats([quake()], [report(values)]).map(({ id }) => id)).toEqual(kept);
  });

  test("two reports are not merged if one has no position", () => {
    const { location: _location, ...placeless } = report({});
    expect(withoutRepeats([quake()], [placeless])).toEqual([placeless]);
  });

  test("all reports are kept if one report matches several reports of the other agency", () => {
    expect(withoutRepeats([quake(), quake({ id: "us2" })], [report({})])).toHaveLength(1);
    expect(withoutRepeats([quake()], [report({}), report({ id: "nrcan:2" })])).toHaveLength(2);
  });
});

describe("a nuclear test site", () => {
  test("an earthquake within 100 km of a test site has the name of the nearest site", () => {
    const near = withTestSite(quake({ magnitude: 6.3, depthKm: 0, location: north(41.28, 129.09, 10) }));
    // 60 * 6.3 / 9 + 25 * 0.9 + 15
    expect(near).toMatchObject({ nearTestSite: true, testSiteName: "Punggye-ri", concernLevel: "critical" });
    expect(near.concernScore).toBeCloseTo(79.5, 1);
    // Moruroa and Fangataufa are 47 km apart.
    expect(withTestSite(quake({ location: { latitude: -22.2, longitude: -138.8 } })).testSiteName).toBe("Fangataufa");
  });

  test("an earthquake more than 100 km away from all test sites is unchanged", () => {
    const far = quake({ location: north(41.28, 129.09, 100.5) });
    expect(withTestSite(far)).toEqual(far);
    expect(withTestSite(quake({ location: north(41.28, 129.09, 99.5) }))).toHaveProperty("nearTestSite", true);
  });

  test.each([
    [4.5, 200, 99, "moderate"],
    [4.5, 10, 20, "elevated"],
    [3.5, 200, 99, "low"],
    [9, 0, 0, "critical"],
  ])(
    "an earthquake of magnitude %d at a depth of %d km, %d km from a test site, is of %s concern",
    (magnitude, depthKm, km, level) => {
      const marked = withTestSite(quake({ magnitude, depthKm, location: north(37.12, -116.05, km) }));
      expect(marked.concernLevel).toBe(level);
    },
  );

  test("an unknown depth is treated as deep", () => {
    const { depthKm: _depth, ...unknown } = quake({ location: { latitude: 37.12, longitude: -116.05 } });
    expect(withTestSite(unknown).concernScore).toBeCloseTo((60 * 4.6) / 9 + 25, 1);
  });
});

import { Type } from "typebox";
import { describe, expect, test } from "vitest";
import { source, step } from "../contract/source.js";
import { DAY_MS } from "../kit/clock.js";
import { readRows } from "./read-rows.js";
import { recordFault } from "./record-faults.js";
import { firstRequests } from "./requests.js";

const NOW = Date.UTC(2026, 10, 18, 12);

interface Row {
  readonly at?: number;
  readonly [field: string]: unknown;
}

const rowsOf = (aheadMs?: number) =>
  source({
    ranges: { depthKm: [-10, 1_000] },
    id: "probe",
    title: "A probe",
    home: "https://x.test/",
    seen: "described",
    licence: { name: "none", open: true },
    steps: {
      rows: step({
        request: () => ({ key: "rows", url: "https://x.test/rows" }),
        format: { kind: "json" },
        row: Type.Object({}),
        rows: (document) => document as Iterable<unknown>,
        record: (row) => row as Row,
      }),
    },
    observedAt: ({ at }) => at,
    ...(aheadMs !== undefined && { aheadMs }),
  });

const fault = (record: Row, aheadMs?: number) => recordFault(rowsOf(aheadMs), record, NOW);

describe("an observation", () => {
  test("an observation in the present or the past is sound", () => {
    for (const at of [NOW, NOW - DAY_MS, 0, Date.UTC(-2100, 0), undefined]) {
      expect(fault(at === undefined ? {} : { at })).toBeUndefined();
    }
  });

  test("an observation may be up to a day in the future, as dates in eastern time zones are, but no further", () => {
    expect(fault({ at: NOW + DAY_MS })).toBeUndefined();
    expect(fault({ at: NOW + DAY_MS + 1 })).toBe("its observation is dated in the future: 2026-11-19T12:00:00.001Z");
  });

  test("an observation may be as far in the future as its source declares", () => {
    expect(fault({ at: NOW + 300 * DAY_MS }, 366 * DAY_MS)).toBeUndefined();
    expect(fault({ at: NOW + 367 * DAY_MS }, 366 * DAY_MS)).toContain("dated in the future");
  });

  test.each([Date.UTC(2101, 0), Date.UTC(-2101, 11), 8.7e15, Number.NaN, Number.POSITIVE_INFINITY])(
    "an observation at %d ms is reported as outside the years -2100 to 2100, whatever its source declares",
    (at) => {
      expect(fault({ at }, Number.POSITIVE_INFINITY)).toContain("outside the years -2100 to 2100");
    },
  );
});

describe("a number", () => {
  test.each([Number.NaN, Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY])("%d in a record is a fault", (value) => {
    expect(fault({ anything: value })).toBe(`anything is ${value}`);
  });

  test("a number outside the range of its field is a fault in nested objects and lists too", () => {
    expect(fault({ location: { latitude: 90, longitude: 180 } })).toBeUndefined();
    expect(fault({ location: { latitude: 90.1, longitude: 0 } })).toBe("latitude is 90.1, outside -90 to 90");
    expect(fault({ places: [{ lng: 0 }, { lng: -181 }] })).toBe("lng is -181, outside -180 to 180");
  });

  test("a number outside the range that its source declares is a fault", () => {
    expect(fault({ place: { depthKm: 1_000 } })).toBeUndefined();
    expect(fault({ place: { depthKm: 1_001 } })).toBe("depthKm is 1001, outside -10 to 1000");
  });

  test("a number in a field without a range only needs to be finite", () => {
    expect(fault({ somethingElse: -1e300 })).toBeUndefined();
  });
});

test("rows whose records have a fault are counted as bad and left out", () => {
  const sound = JSON.stringify([1, 2, 3].map((lat) => ({ at: NOW, lat }))).slice(1, -1);
  const poisoned = `{"at":${NOW},"lat":91},{"at":${Date.UTC(2099, 0)},"lat":2},{"at":${NOW},"lat":1e999}`;
  const source = rowsOf();
  const [request] = firstRequests(source, {});
  if (!request) throw new Error("nothing is requested");
  const reading = readRows(source, request, Buffer.from(`[${poisoned},${sound}]`), undefined, NOW);
  expect(reading).toMatchObject({ rowsRead: 6, rowsBad: 3, newestAt: NOW });
  expect(reading.records).toEqual([1, 2, 3].map((lat) => ({ at: NOW, lat })));
});

import { expect, test } from "vitest";
import { failureOf, firstRequest, readBody } from "../../../../support/reading.js";
import { planetaryKIndex } from "./planetary-k-index.js";

const request = firstRequest(planetaryKIndex, {});
const minute = { time_tag: "2026-11-18T11:59:00", kp_index: 4, estimated_kp: 4.33, kp: "4P" };

test("a row becomes an observation, and its time is read as UTC", () => {
  const at = Date.UTC(2026, 10, 18, 11, 59);
  expect(readBody(planetaryKIndex, request, [minute]).records).toEqual([{ at, kIndex: 4.33 }]);
});

test.each([
  ["an index outside the scale", { ...minute, estimated_kp: 12 }],
  ["an invalid time", { ...minute, time_tag: "yesterday" }],
])("a row with %s is skipped and counted", (_name, broken) => {
  expect(readBody(planetaryKIndex, request, [minute, broken])).toMatchObject({ rowsRead: 2, rowsBad: 1 });
});

test("a document that is not a list is rejected as a changed format", () => {
  expect(failureOf(() => readBody(planetaryKIndex, request, { error: "moved" }))).toMatchObject({ kind: "changed" });
});

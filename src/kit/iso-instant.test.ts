import { expect, test } from "vitest";
import { isoInstant } from "./iso-instant.js";

test.each([
  ["2026-11-18T20:00:00Z", Date.UTC(2026, 10, 18, 20)],
  ["2026-11-18T20:00:00+09:00", Date.UTC(2026, 10, 18, 11)],
  ["2024-02-29T00:00:00.250-03:30", Date.UTC(2024, 1, 29, 3, 30, 0, 250)],
])("%s is an instant", (text, at) => {
  expect(isoInstant(text)).toBe(at);
});

test.each([
  "2026-11-18T20:00:00",
  "2026-11-18",
  "2026-02-31T00:00:00Z",
  "2026-13-01T00:00:00Z",
  "2026-11-18T25:00:00Z",
  "",
  "now",
])("%j is not an ISO instant", (text) => {
  expect(isoInstant(text)).toBeUndefined();
});

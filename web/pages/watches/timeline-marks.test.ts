import { expect, test } from "vitest";
import { placeOf, ticksOf } from "./timeline-marks.js";

const [FROM, TO] = ["2026-11-10T00:00:00Z", "2026-11-20T00:00:00Z"];

test("instants are placed between the ends of the timeline, and never beyond the ends", () => {
  expect(placeOf(FROM, FROM, TO)).toBe(2);
  expect(placeOf("2026-11-15T00:00:00Z", FROM, TO)).toBe(50);
  expect(placeOf("2026-12-01T00:00:00Z", FROM, TO)).toBe(98);
  expect(placeOf(FROM, FROM, FROM)).toBe(50);
});

test("the ends and the middle of the timeline are labelled", () => {
  expect(ticksOf(FROM, TO).map(({ text }) => text)).toEqual([
    "2026-11-10 00:00",
    "2026-11-15 00:00",
    "2026-11-20 00:00",
  ]);
});

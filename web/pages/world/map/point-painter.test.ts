import { expect, test } from "vitest";
import { over } from "./point-painter.js";

test.each([
  [0xff112233, 0xff998877, 0xff112233],
  [0x00112233, 0xff998877, 0xff998877],
  [0x80ff0000, 0xff000000, 0xff800000],
  [0x80ff0000, 0x80000000, 0xc0aa0000],
])("the colour %i over %i is %i", (colour, under, mixed) => {
  const result = over(colour, under);
  for (const shift of [24, 16, 8, 0]) {
    // Rounding may differ by one.
    expect(Math.abs(((result >>> shift) & 255) - ((mixed >>> shift) & 255))).toBeLessThanOrEqual(1);
  }
});

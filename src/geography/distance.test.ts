import { expect, test } from "vitest";
import { distanceKm } from "./distance.js";

test("one degree of a great circle is 111.2 km, also across the date line and the pole", () => {
  expect(distanceKm({ latitude: 0, longitude: 0 }, { latitude: 1, longitude: 0 })).toBeCloseTo(111.195, 2);
  expect(distanceKm({ latitude: 0, longitude: 179.5 }, { latitude: 0, longitude: -179.5 })).toBeCloseTo(111.195, 2);
  expect(distanceKm({ latitude: 89.5, longitude: 0 }, { latitude: 89.5, longitude: 180 })).toBeCloseTo(111.195, 2);
});

import { expect, test } from "vitest";
import { boxOf, circleAround, isInside, partsOf } from "./box.js";

const alps = { south: 45, west: 6, north: 47, east: 10 };
const fiji = { south: -20, west: 175, north: -10, east: -175 };

test("a box's southern edge may equal its northern edge, but not be north of it", () => {
  expect(boxOf([45, 6], [45, 10])).toEqual({ south: 45, west: 6, north: 45, east: 10 });
  expect(boxOf([45.1, 6], [45, 10])).toBeUndefined();
});

test.each([
  [alps, 45, 6, true],
  [alps, 47, 10, true],
  [alps, 47.001, 8, false],
  [alps, 46, 10.001, false],
  [fiji, -15, 175, true],
  [fiji, -15, 180, true],
  [fiji, -15, -180, true],
  [fiji, -15, -175, true],
  [fiji, -15, 174.999, false],
  [fiji, -15, -174.999, false],
  [fiji, -15, 0, false],
])("the box %j contains latitude %d, longitude %d: %s", (box, lat, lon, expected) => {
  expect(isInside(box, { lat, lon })).toBe(expected);
});

test("a box across the antimeridian is requested in two parts", () => {
  expect(partsOf(alps)).toEqual([alps]);
  expect(partsOf(fiji)).toEqual([
    { south: -20, west: 175, north: -10, east: 180 },
    { south: -20, west: -180, north: -10, east: -175 },
  ]);
});

test("the enclosing circle is centred on the box and reaches its farthest corner", () => {
  expect(circleAround({ south: -1, west: -1, north: 1, east: 1 })).toEqual({ lat: 0, lon: 0, radiusNm: 85 });
  expect(circleAround(fiji)).toMatchObject({ lat: -15, lon: 180 });
  expect(circleAround({ ...fiji, west: 178, east: -170 })).toMatchObject({ lon: -176 });
  expect(circleAround({ south: 0, west: 0, north: 0, east: 0 })).toEqual({ lat: 0, lon: 0, radiusNm: 1 });
});

test("a box around the globe needs a circle around the globe", () => {
  expect(circleAround({ south: -90, west: -180, north: 90, east: 180 }).radiusNm).toBeGreaterThan(10_000);
  expect(circleAround({ south: 0, west: -180, north: 1, east: 180 }).radiusNm).toBeGreaterThan(10_000);
});

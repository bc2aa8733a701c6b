import { expect, test } from "vitest";
import { affineOf, boundsOf, cameraOf, cameraText, moved, showing, unitsOf, WHOLE_WORLD, zoomed } from "./view.js";

const SIZE = { width: 800, height: 400 };

/** The position of a place in pixels. */
function pixels(lat: number, lon: number, camera = WHOLE_WORLD): readonly [number, number] {
  const { scale, left, top } = affineOf(camera, SIZE);
  const [x, y] = unitsOf({ lat, lon });
  return [x * scale + left, y * scale + top];
}

test("the whole world fits into the view", () => {
  const [left] = pixels(0, -180);
  const [right] = pixels(0, 180);
  expect(left).toBeCloseTo(0, 1);
  expect(right).toBeCloseTo(800, 1);
  expect(pixels(90, 0)[1]).toBeGreaterThanOrEqual(0);
  expect(pixels(-90, 0)[1]).toBeLessThanOrEqual(400);
});

test("the point under the pointer stays in place while the map is zoomed", () => {
  const [x, y] = pixels(48, 31);
  const camera = zoomed(WHOLE_WORLD, SIZE, 4, x, y);
  expect(camera.zoom).toBe(4);
  expect(pixels(48, 31, camera)[0]).toBeCloseTo(x, 6);
  expect(pixels(48, 31, camera)[1]).toBeCloseTo(y, 6);
});

test("the map follows the pointer, the view's middle stays on the map, and the zoom stays between 1 and 64", () => {
  const near = zoomed(WHOLE_WORLD, SIZE, 4);
  const [x, y] = pixels(10, 10, near);
  const after = pixels(10, 10, moved(near, SIZE, 30, -20));
  expect([after[0] - x, after[1] - y].map((px) => Math.round(px))).toEqual([30, -20]);
  expect(moved(near, SIZE, 1e6, 0).x).toBe(-500);
  expect(zoomed(near, SIZE, 1e6).zoom).toBe(64);
  expect(zoomed(near, SIZE, 1e-6).zoom).toBe(1);
});

test("a camera stays the same when it is written to the address and read back", () => {
  const camera = cameraOf("48.40,31.20,5.00");
  expect(camera.zoom).toBe(5);
  expect(cameraText(camera)).toBe("48.40,31.20,5.00");
  expect(cameraText(WHOLE_WORLD)).toBe("");
});

test.each(["", "a,b,c", "1,2", "91,0,2", "0,181,2", "0,0,Infinity"])(
  "the camera of the URL parameter %j shows the whole world",
  (text) => expect(cameraOf(text)).toEqual(WHOLE_WORLD),
);

test("a rectangle is shown whole, with a margin", () => {
  const { x, y, zoom } = showing(
    [
      [100, 50],
      [200, 100],
    ],
    SIZE,
  );
  expect([x, y]).toEqual([150, 75]);
  expect(zoom).toBeCloseTo(7, 5);
});

test("the bounds of the whole world are -90 to 90 and -180 to 180 degrees, and shrink when the view is zoomed in", () => {
  expect(boundsOf(WHOLE_WORLD, SIZE).map(Math.round)).toEqual([-90, -180, 90, 180]);
  const [south, west, north, east] = boundsOf(cameraOf("48,10,16"), SIZE);
  expect([south > 38, west > -15, north < 58, east < 35]).toEqual([true, true, true, true]);
  expect([south < 48, west < 10, north > 48, east > 10]).toEqual([true, true, true, true]);
});

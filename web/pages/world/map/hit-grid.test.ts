import { expect, test } from "vitest";
import { hitGrid } from "./hit-grid.js";

const SIZE = { width: 200, height: 100 };
const gridOf = (...points: readonly (readonly [number, number])[]) =>
  hitGrid(
    Float32Array.from(points, ([x]) => x),
    Float32Array.from(points, ([, y]) => y),
    Int32Array.from(points, (_, at) => at + 10),
    SIZE,
  );

test("the grid finds the nearest point within the radius, also at the edge between two of its squares", () => {
  const grid = gridOf([23, 23], [25, 25], [100, 50]);
  expect(grid.nearest(24.4, 24.4, 5)).toBe(11);
  expect(grid.nearest(23.4, 23.4, 5)).toBe(10);
  expect(grid.nearest(60, 50, 10)).toBe(-1);
});

test("of two points at one place, the grid finds the one drawn last", () => {
  expect(gridOf([50, 50], [50, 50]).nearest(51, 50, 5)).toBe(11);
});

test("points outside the picture are left out, and a search far outside the picture finds nothing", () => {
  const grid = gridOf([-500, 10], [5000, 10]);
  expect(grid.nearest(0, 10, 20)).toBe(-1);
  expect(grid.nearest(-500, -500, 20)).toBe(-1);
});

test("the grid finds the same points as an exhaustive search", () => {
  let seed = 1;
  const random = (): number => {
    seed = (seed * 16807) % 2147483647;
    return seed / 2147483647;
  };
  const points = Array.from({ length: 500 }, () => [random() * 200, random() * 100] as const);
  const grid = gridOf(...points);
  for (let round = 0; round < 200; round += 1) {
    const [x, y] = [random() * 200, random() * 100];
    const distances = points.map(([px, py]) => Math.hypot(Math.fround(px) - x, Math.fround(py) - y));
    const least = Math.min(...distances);
    const nearest = grid.nearest(x, y, 15);
    if (least >= 15) expect(nearest).toBe(-1);
    else expect(distances[nearest - 10]).toBeCloseTo(least, 5);
  }
});

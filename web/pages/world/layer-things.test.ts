import { expect, test } from "vitest";
import { countText } from "./count-text.js";
import { thingsOf } from "./layer-things.js";
import { earthquakes } from "./layers/hazards.js";
import { LAYERS, layersIn } from "./layers/layers.js";

const quake = (id: string, magnitude: number) => ({
  id,
  magnitude,
  location: { latitude: 1, longitude: 2 },
  occurredAt: 3,
  source: "usgs",
});

test("things are marked if they have gone, changed or been added since the instant shown", () => {
  const then = { earthquakes: [quake("a", 5), quake("b", 5), quake("c", 5)] };
  const now = { earthquakes: [quake("b", 5), quake("c", 6), quake("d", 7)] };
  const things = thingsOf(earthquakes, then, now);
  expect(things.map(({ key, change }) => [key, change])).toEqual([
    ["earthquakes:a", "gone since"],
    ["earthquakes:b", undefined],
    ["earthquakes:c", "changed since"],
    ["earthquakes:d", "new since"],
  ]);
  expect(thingsOf(earthquakes, then, undefined).every(({ change }) => change === undefined)).toBe(true);
});

test("no two layers share both shape and colour, and ids of unknown layers are ignored", () => {
  const looks = LAYERS.map(({ shape, tone }) => `${shape} ${tone}`);
  expect(new Set(looks).size).toBe(LAYERS.length);
  expect(layersIn("conflict,none,unknown")).toEqual(new Set(["conflict"]));
});

test("a count states what is not shown and what was not read", () => {
  expect(countText(5, 5, undefined)).toBe("5");
  expect(countText(2, 5, undefined)).toBe("2 of 5");
  expect(countText(2000, 10000, 12345)).toBe("showing 2,000 of 12,345, of which 10,000 were read");
});

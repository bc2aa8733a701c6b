import { expect, test } from "vitest";
import { lackOfZones, zones } from "./zones.js";

const ids = (count: number): Set<string> =>
  new Set(
    zones
      .toSorted((a, b) => Number(b.isMandatory) - Number(a.isMandatory))
      .slice(0, count)
      .map(({ id }) => id),
  );

test("there are 25 zones, seven of them mandatory", () => {
  expect(zones).toHaveLength(25);
  expect(zones.filter(({ isMandatory }) => isMandatory).map(({ name }) => name)).toEqual([
    "Arctic",
    "Greenland",
    "Western Antarctic Ice Sheet",
    "Tibetan Plateau",
    "Congo Basin",
    "Coral Triangle",
    "North Atlantic",
  ]);
});

test("17 zones that include the mandatory seven are enough, and 16 are not", () => {
  expect(lackOfZones(ids(17))).toBeUndefined();
  expect(lackOfZones(ids(16))).toBe("only 16 of 25 zones; at least 17 are needed");
});

test("24 zones are not enough if a mandatory zone is missing", () => {
  const covered = ids(25);
  covered.delete("greenland");
  expect(lackOfZones(covered)).toBe("no data for Greenland");
});

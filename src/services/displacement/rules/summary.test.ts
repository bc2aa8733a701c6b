import { expect, test } from "vitest";
import type { PopulationRow } from "../records.js";
import { displacementYear } from "./summary.js";

const row = (origin: string, asylum: string, counts: Partial<PopulationRow> = {}): PopulationRow => ({
  year: 2025,
  originCode: origin,
  originName: origin.toLowerCase(),
  asylumCode: asylum,
  asylumName: asylum.toLowerCase(),
  refugees: 0,
  asylumSeekers: 0,
  idps: 0,
  stateless: 0,
  ...counts,
});

const rows = [
  row("SYR", "TUR", { refugees: 100, asylumSeekers: 5 }),
  row("SYR", "SYR", { idps: 300 }),
  row("SYR", "DEU", { refugees: 40, asylumSeekers: 10 }),
  row("AFG", "DEU", { refugees: 40 }),
  row("-", "MMR", { stateless: 600 }),
  row("XXA", "DEU", { refugees: 3, stateless: 20 }),
  row("SYR", "DEU", { stateless: 7 }),
];
const year = displacementYear(rows);

test("totals count all people, including those of unknown origin", () => {
  expect(year?.globalTotals).toEqual({ refugees: 183, asylumSeekers: 15, idps: 300, stateless: 627, total: 1_125 });
});

test("a country has its counts as origin and as host, and the most affected country comes first", () => {
  expect(year?.countries.map(({ code }) => code)).toEqual(["SYR", "TUR", "DEU", "AFG", "XXA", "MMR"]);
  expect(year?.countries[0]).toMatchObject({
    name: "syr",
    refugees: 140,
    asylumSeekers: 15,
    idps: 300,
    stateless: 7,
    totalDisplaced: 462,
    hostRefugees: 0,
    hostAsylumSeekers: 0,
    hostTotal: 0,
  });
  expect(year?.countries[2]).toMatchObject({
    hostRefugees: 83,
    hostAsylumSeekers: 10,
    hostTotal: 93,
    totalDisplaced: 0,
  });
});

test("stateless people are counted for their country of residence and for their origin, which may be the code for stateless people, XXA", () => {
  const summary = Object.fromEntries(
    (year?.countries ?? []).map(({ code, stateless, hostStateless }) => [code, [stateless, hostStateless]]),
  );
  expect(summary).toMatchObject({ XXA: [20, 0], SYR: [7, 0], DEU: [0, 27], MMR: [0, 600] });
});

test("a flow counts the refugees between two known countries, and the largest flow comes first", () => {
  expect(year?.flows.map(({ originCode, asylumCode, refugees }) => [originCode, asylumCode, refugees])).toEqual([
    ["SYR", "TUR", 100],
    ["AFG", "DEU", 40],
    ["SYR", "DEU", 40],
    ["XXA", "DEU", 3],
  ]);
});

test("the position of a country that is not on the map is omitted, not set to zeros", () => {
  expect(year?.countries.find(({ code }) => code === "XXA")).not.toHaveProperty("location");
  expect(year?.flows.at(-1)).not.toHaveProperty("originLocation");
  expect(year?.countries[0]?.location?.latitude).toBeCloseTo(35, 0);
});

test("the summary is undefined if there are no rows", () => {
  expect(displacementYear([])).toBeUndefined();
});

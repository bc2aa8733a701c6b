import { expect, test } from "vitest";
import { shownThings } from "./shown-things.js";
import { isInWindow, type Thing } from "./thing.js";

const DAY_MS = 86_400_000;
const END = 100 * DAY_MS;

const thing = (id: string, form: Partial<Thing> = {}): Thing => ({
  id,
  key: `probe:${id}`,
  layer: "probe",
  row: {},
  title: id,
  place: { lat: 1, lon: 2 },
  where: "",
  countries: [],
  at: END,
  size: 0,
  measure: "",
  facts: () => [],
  source: "",
  ...form,
});

test.each([
  ["a thing within the window", { at: END - DAY_MS }, true],
  ["a thing before the window", { at: END - 8 * DAY_MS }, false],
  ["a thing that began before the window and lasts", { at: END - 8 * DAY_MS, until: Number.POSITIVE_INFINITY }, true],
  ["a thing that ended in the window", { at: END - 8 * DAY_MS, until: END - DAY_MS }, true],
  ["a thing that ended before the window", { at: END - 9 * DAY_MS, until: END - 8 * DAY_MS }, false],
  ["a thing without a time", { at: undefined }, true],
])("for %s, with the times %j, isInWindow returns %s", (_, times, isIn) =>
  expect(isInWindow(times, END, 7 * DAY_MS)).toBe(isIn),
);

test("shownThings selects things by the countries in their rows, else by position, and sorts them newest first", () => {
  const choice = { end: END, lengthMs: Number.POSITIVE_INFINITY, country: "UA" };
  const things = [
    thing("named", { countries: ["UA"], at: 1 }),
    thing("other", { countries: ["PL"] }),
    thing("placed", { place: { lat: 49, lon: 31 }, at: 2 }),
    thing("elsewhere", { place: { lat: 0, lon: 0 } }),
    thing("nowhere", { place: undefined }),
  ];
  const land = { isIn: (code: string, { lat }: { readonly lat: number }) => code === "UA" && lat === 49 };
  expect(shownThings(things, choice, land).map(({ id }) => id)).toEqual(["placed", "named"]);
  expect(shownThings(things, choice, undefined).map(({ id }) => id)).toEqual(["named"]);
});

import { describe, expect, test } from "vitest";
import { recordedTitle, recordingsAbsent } from "../../support/recordings.js";
import { EVENT_CATEGORIES, heldOutCompanyEvents, labelledCompanyEvents } from "./company-events.js";
import { titleAt } from "./recorded-titles.js";
import { repeatedIn } from "./repeated.js";

const tuning = labelledCompanyEvents();
const heldOut = heldOutCompanyEvents();
const events = [...tuning, ...heldOut];

test.each([
  ["tuning", tuning, 480, 400],
  ["held-out", heldOut, 340, 280],
] as const)("the %s set has enough titles", (_, rows, rowsMin, headlinesMin) => {
  expect(rows.length).toBeGreaterThanOrEqual(rowsMin);
  expect(rows.filter(({ kind }) => kind === "headline").length).toBeGreaterThanOrEqual(headlinesMin);
});

describe.each(EVENT_CATEGORIES)("the category %s", (category) => {
  test.each([
    ["tuning", tuning, 20, 70],
    ["held-out", heldOut, 17, 45],
  ] as const)(
    "has enough rows in the %s set, with every direction that the category may have",
    (_, set, rowsMin, noneMin) => {
      const rows = set.filter((event) => event.category === category);
      expect(rows.length).toBeGreaterThanOrEqual(category === "none" ? noneMin : rowsMin);
      const directions = category === "none" ? [""] : ["mixed", "negative", "positive"];
      expect([...new Set(rows.map(({ direction }) => direction))].sort()).toEqual(directions);
    },
  );
});

test("no two rows share an id or a title", () => {
  expect(repeatedIn(events.map(({ id }) => id))).toEqual([]);
  expect(repeatedIn(events.map(({ text, recorded }) => (text || recorded).toLowerCase()))).toEqual([]);
});

test("every row has either a text or a locator, and its id begins with r or s if and only if it has a locator", () => {
  const wrong = events.filter(
    ({ id, text, recorded }) => (text === "") === (recorded === "") || /^[rs]/.test(id) !== (text === ""),
  );
  expect(wrong).toEqual([]);
});

test("an id begins with f or g if and only if the row is a filing with a text", () => {
  const wrong = events.filter(({ id, kind, text }) => /^[fg]/.test(id) !== (kind === "filing" && text !== ""));
  expect(wrong).toEqual([]);
});

describe.skipIf(recordingsAbsent)(recordedTitle, () => {
  test("every locator leads to a title with the locator's hash, and no two locators lead to the same title", () => {
    const locators = events.map(({ recorded }) => recorded).filter((locator) => locator !== "");
    expect(locators.length).toBeGreaterThanOrEqual(110);
    const titles = locators.map(titleAt);
    expect(titles).not.toContain("");
    expect(repeatedIn(titles)).toEqual([]);
  });

  test("a locator with a wrong hash is refused", () => {
    const [locator = ""] = events.map(({ recorded }) => recorded).filter((text) => text.startsWith("hacker-news/"));
    expect(() => titleAt(`${locator.slice(0, -12)}000000000000`)).toThrow("has the hash");
  });
});

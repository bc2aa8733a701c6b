import { describe, expect, test } from "vitest";
import { recordedTitle, recordingsAbsent } from "../support/recordings.js";
import { EVENT_CATEGORIES, labelledCompanyEvents } from "./company-events.js";
import { isHeldOut } from "./held-out.js";
import { titleAt } from "./recorded-titles.js";

const events = labelledCompanyEvents();

test("the set has enough titles, of which about 30 % are held out", () => {
  expect(events.length).toBeGreaterThanOrEqual(480);
  expect(events.filter(({ kind }) => kind === "headline").length).toBeGreaterThanOrEqual(400);
  const heldOutRatio = events.filter(({ id }) => isHeldOut(id)).length / events.length;
  expect(heldOutRatio).toBeGreaterThan(0.25);
  expect(heldOutRatio).toBeLessThan(0.35);
});

test.each(EVENT_CATEGORIES)("the category %s has enough rows and enough of them held out", (category) => {
  const rows = events.filter((event) => event.category === category);
  expect(rows.length).toBeGreaterThanOrEqual(category === "none" ? 70 : 20);
  expect(rows.filter(({ id }) => isHeldOut(id)).length).toBeGreaterThanOrEqual(4);
  const directions = category === "none" ? [""] : ["mixed", "negative", "positive"];
  expect([...new Set(rows.map(({ direction }) => direction))].sort()).toEqual(directions);
});

test("every row has an id and a title of its own", () => {
  const titles = events.map(({ text, recorded }) => text || recorded);
  expect(new Set(events.map(({ id }) => id)).size).toBe(events.length);
  expect(new Set(titles).size).toBe(events.length);
});

test("every row has either a text or a locator, and only the ids of recorded rows begin with r", () => {
  const wrong = events.filter(
    ({ id, text, recorded }) => (text === "") === (recorded === "") || id.startsWith("r") !== (text === ""),
  );
  expect(wrong).toEqual([]);
});

describe.skipIf(recordingsAbsent)(recordedTitle, () => {
  test("every locator leads to a title of that hash", () => {
    const locators = events.map(({ recorded }) => recorded).filter((locator) => locator !== "");
    expect(locators.length).toBeGreaterThanOrEqual(80);
    expect(locators.map(titleAt).filter((title) => title === "")).toEqual([]);
  });

  test("a locator with another hash is refused", () => {
    const [locator = ""] = events.map(({ recorded }) => recorded).filter((text) => text.startsWith("hacker-news/"));
    expect(() => titleAt(`${locator.slice(0, -12)}000000000000`)).toThrow("has the hash");
  });
});

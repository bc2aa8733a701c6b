import { expect, test } from "vitest";
import { builtFrom, collectedFrom, entryOf } from "../../../../test/support/collected-feeds.js";
import type { AvailableSnapshot } from "../../../contract/snapshot.js";
import { HOUR_MS, MINUTE_MS } from "../../../kit/clock.js";
import { allFeeds } from "../../news/catalogue/topic-feeds.js";
import type { ClimateNewsItem } from "../records.js";
import { climateNews } from "./climate-news.js";

const NOW = Date.UTC(2026, 10, 21, 12);
const off = { available: false, isOff: true, reason: "reliefweb-reports-v2 needs RELIEFWEB_APPNAME" } as const;
const report = { id: "r", title: "Report", url: "https://r.test/1", sourceName: "OCHA", publishedAt: NOW - HOUR_MS };

const reportsOf = (checkedAt: number): AvailableSnapshot<readonly ClimateNewsItem[]> => ({
  ...collectedFrom([]),
  view: [report],
  checkedAt,
});

const builtOf = (...entries: Parameters<typeof collectedFrom>[0]) =>
  builtFrom(climateNews, { feeds: collectedFrom(entries), reports: off }, NOW);

test("every publisher has a collected feed whose texts are all stored", () => {
  const withTexts = new Set(allFeeds.filter(({ hasAllTexts }) => hasAllTexts).map(({ id }) => id));
  const { reliefweb: _, ...statuses } = climateNews.partStatuses?.({ feeds: collectedFrom([]), reports: off }) ?? {};
  const ids = Object.values(statuses).map(({ error }) => error?.replace(" has not been read yet", "") ?? "");
  expect(ids).toHaveLength(8);
  expect(ids.filter((id) => !withTexts.has(id))).toEqual([]);
});

test("the feeds of NASA and Copernicus have an open licence, and the other feeds do not", () => {
  const open = new Set(allFeeds.flatMap(({ id, isOpen }) => (isOpen ? [id] : [])));
  expect(open).toEqual(new Set(["earth-observatory", "copernicus-climate"]));
});

test("an item has the name of its publisher and a teaser of at most 300 characters", () => {
  expect(builtOf(entryOf("unep", "Story", NOW - 1, "x".repeat(301))).unep).toEqual([
    {
      id: expect.stringMatching(/^[0-9a-f]{16}$/),
      title: "Story",
      url: "https://unep.example/Story",
      sourceName: "UNEP",
      publishedAt: NOW - 1,
      summary: `${"x".repeat(299)}…`,
    },
  ]);
});

test("an entry is left out if undated, dated more than an hour in the future, or not from a climate feed", () => {
  const { guardian } = builtOf(
    entryOf("guardian-climate", "undated", undefined),
    entryOf("guardian-climate", "ahead", NOW + HOUR_MS + 1),
    entryOf("guardian-climate", "soon", NOW + HOUR_MS),
    entryOf("guardian-world", "other", NOW),
  );
  expect(guardian.map(({ title }) => title)).toEqual(["soon"]);
});

test("ReliefWeb's reports are included until 90 minutes after they were last confirmed", () => {
  const reliefwebAt = (checkedAt: number) =>
    builtFrom(climateNews, { feeds: collectedFrom([]), reports: reportsOf(checkedAt) }, NOW).reliefweb;
  expect(reliefwebAt(NOW - 90 * MINUTE_MS + 1)).toEqual([report]);
  expect(reliefwebAt(NOW - 90 * MINUTE_MS)).toEqual([]);
});

test("ReliefWeb's reports are off without an app name, and missing if they could not be read", () => {
  const statusOf = (reports: Parameters<NonNullable<typeof climateNews.partStatuses>>[0]["reports"]) =>
    climateNews.partStatuses?.({ feeds: collectedFrom([]), reports }).reliefweb;
  expect(statusOf(off)).toEqual({ state: "off", confirmedAt: null, error: off.reason });
  expect(statusOf({ available: false, isOff: false, reason: "answered 500" })).toEqual({
    state: "missing",
    confirmedAt: null,
    error: "answered 500",
  });
  expect(statusOf(reportsOf(NOW))).toEqual({ state: "fresh", confirmedAt: NOW, error: null });
});

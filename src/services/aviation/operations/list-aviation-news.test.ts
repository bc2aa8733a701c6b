import { describe, expect, test } from "vitest";
import { queryOf } from "../../../../test/support/operations.js";
import { absent, BUILT_AT, snapshotOf, storedAnswerOf } from "../../../../test/support/stored-answers.js";
import { HOUR_MS } from "../../../kit/clock.js";
import type { AviationHeadline } from "../records/news-records.js";
import { listAviationNews } from "./list-aviation-news.js";

const headline = (title: string, hoursAgo: number, teaser = ""): AviationHeadline => ({
  title,
  url: `https://news.test/${hoursAgo}`,
  sourceName: "Test",
  publishedAt: BUILT_AT - hoursAgo * HOUR_MS,
  teaser,
});

const news = snapshotOf([
  headline("Airbus delivers a jet", 1),
  headline("A runway reopens", 24, "Boeing and Airbus jets land again."),
  headline("Boeing wins an order", 25),
]);

const titlesOf = (search: string): readonly string[] =>
  (storedAnswerOf(listAviationNews, search, { news }) as { items: AviationHeadline[] }).items.map(({ title }) => title);

describe("list-aviation-news", () => {
  test.each([
    ["the last 24 hours by default, both ends included", "", ["Airbus delivers a jet", "A runway reopens"]],
    ["a shorter window", "window_hours=23", ["Airbus delivers a jet"]],
    ["a longer window", "window_hours=25", ["Airbus delivers a jet", "A runway reopens", "Boeing wins an order"]],
    ["the newest items up to `max_items`", "max_items=1", ["Airbus delivers a jet"]],
    [
      "items that mention the entity in title or teaser, in upper or lower case",
      "entities=boeing&window_hours=48",
      ["A runway reopens", "Boeing wins an order"],
    ],
    ["no items for an entity that no headline mentions", "entities=Embraer", []],
  ])("list-aviation-news serves %s", (_, search, titles) => {
    expect(titlesOf(search)).toEqual(titles);
  });

  test("each item of list-aviation-news lists the requested entities that it mentions", () => {
    expect(storedAnswerOf(listAviationNews, "entities=Airbus,Boeing,Embraer", { news })).toMatchObject({
      items: [{ matchedEntities: ["AIRBUS"] }, { matchedEntities: ["AIRBUS", "BOEING"] }],
      source: "rss",
      updatedAt: BUILT_AT,
    });
  });

  test("list-aviation-news is valid until the next headline leaves the window", () => {
    const query = queryOf(listAviationNews, "window_hours=24");
    expect(listAviationNews.validUntil?.(query, { news }, BUILT_AT)).toBe(BUILT_AT + 1);
    expect(listAviationNews.validUntil?.(query, { news: absent }, BUILT_AT)).toBe(Number.POSITIVE_INFINITY);
  });

  test("list-aviation-news has the source `unavailable` while nothing is stored", () => {
    expect(storedAnswerOf(listAviationNews, "", { news: absent })).toEqual({
      items: [],
      source: "unavailable",
      updatedAt: 0,
    });
  });
});

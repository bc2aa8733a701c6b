import { expect, test } from "vitest";
import type { NewsItem } from "../../../src/sdk/index.js";
import { storiesIn, storyChanges, storyExpression, TOP } from "./stories.js";

const item = (storyId: string, importanceScore: number, title = storyId): NewsItem => ({
  source: "Example Times",
  title,
  link: `https://news.example/${storyId}`,
  publishedAt: 1,
  isAlert: false,
  importanceScore,
  credibilityScore: 50,
  corroborationCount: 1,
  storyId,
});

test("the top section has each story once, from the category in which it ranks highest", () => {
  const categories = { us: { items: [item("a", 40), item("b", 30)] }, asia: { items: [item("b", 60), item("c", 10)] } };
  expect(storiesIn(categories, TOP).map(({ category, item: { storyId } }) => `${category} ${storyId}`)).toEqual([
    "asia b",
    "us a",
    "asia c",
  ]);
  expect(storiesIn(categories, "us").map(({ item: { storyId } }) => storyId)).toEqual(["a", "b"]);
  expect(storiesIn(categories, "none")).toEqual([]);
});

test("earlier stories are marked if they have changed or gone since, and new stories are listed", () => {
  const story = (of: NewsItem) => ({ category: "us", item: of });
  const { marks, added } = storyChanges(
    [story(item("a", 40)), story(item("b", 30)), story(item("c", 20))],
    [story(item("a", 42)), story(item("b", 30)), story(item("d", 10))],
  );
  expect(Object.fromEntries(marks)).toEqual({
    a: { change: "changed since", details: "importance now 42" },
    c: { change: "gone since", details: "" },
  });
  expect(added.map(({ item: { storyId } }) => storyId)).toEqual(["d"]);
});

test("a story's parameter yields an expression only if both parts are letters, digits, hyphens and underscores", () => {
  expect(storyExpression("fin-regulation:8a7f")).toBe(`categories."fin-regulation".items[?storyId=='8a7f'] | [0]`);
  for (const hostile of ["", "us", "us:'] | @", 'u"s:a', "us:"]) expect(storyExpression(hostile)).toBeUndefined();
});

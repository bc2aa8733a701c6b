import { expect, test } from "vitest";
import { absent, BUILT_AT, snapshotOf, storedAnswerOf } from "../../../../test/support/stored-answers.js";
import { listClimateNews } from "./list-climate-news.js";

test("list-climate-news serves the stored headlines in their order, with the time of the build", () => {
  const items = [{ id: "b" }, { id: "a" }];
  expect(storedAnswerOf(listClimateNews, "", { news: snapshotOf(items) })).toEqual({
    dataAvailable: true,
    fetchedAt: BUILT_AT,
    items,
  });
});

test("list-climate-news returns `dataAvailable: false` and `fetchedAt: 0` while nothing is stored", () => {
  expect(storedAnswerOf(listClimateNews, "", { news: absent })).toEqual({
    dataAvailable: false,
    fetchedAt: 0,
    items: [],
  });
});

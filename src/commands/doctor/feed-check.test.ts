import { expect, test } from "vitest";
import { feedTable } from "./feed-check.js";

test("the table ends with the number of feeds in each state and the number that had not answered before a cancellation", () => {
  const checked = [
    { id: "a", state: "ok", items: 3, newestAt: "2026-11-18T11:30:00.000Z", why: null },
    { id: "b", state: "dead", items: 0, newestAt: null, why: "b.example/rss: answered 404; expected 200" },
  ] as const;
  expect(feedTable(checked, 5).split("\n")).toEqual([
    "feed  state  items  newest (UTC)      why",
    "----  -----  -----  ----------------  -----------------------------------------",
    "a     ok     3      2026-11-18 11:30",
    "b     dead   0      -                 b.example/rss: answered 404; expected 200",
    "",
    "2 feeds: 1 ok, 0 empty, 1 dead; cancelled before 3 more had answered",
  ]);
});

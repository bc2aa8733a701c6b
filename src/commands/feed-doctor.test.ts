import { describe, expect, test } from "vitest";
import type { FeedRow } from "../services/news/catalogue/feed-row.js";
import { feedTable, overridesWithout } from "./feed-doctor.js";

const row = (id: string): FeedRow => ({
  ...{ id, publisher: id, family: id, homepage: "https://a.example", url: `https://${id}.example/rss`, country: "GB" },
  ...{ kind: "other", risk: { profile: "unknown" }, placements: [{ variant: "full", category: "politics" }] },
});

describe("overrides that leave the dead out", () => {
  test("remove those of our own beside what the operator removes", () => {
    expect(overridesWithout(new Set(["b", "a"]), { remove: ["c", "a"] })).toEqual({ remove: ["a", "b", "c"] });
  });

  test("do not add what the operator added, and keep the removal that it replaced", () => {
    const overrides = { add: [row("mine"), row("other")], remove: ["mine"] };
    expect(overridesWithout(new Set(["mine"]), overrides)).toEqual({ add: [row("other")], remove: ["mine"] });
  });

  test("give no tier to what is gone", () => {
    const overrides = { retier: { a: 1, b: 2 } } as const;
    expect(overridesWithout(new Set(["a"]), overrides)).toEqual({ remove: ["a"], retier: { b: 2 } });
  });

  test("change nothing where nothing is dead", () => {
    expect(overridesWithout(new Set(), {})).toEqual({});
    const overrides = { add: [row("mine")], remove: ["x"], retier: { y: 4 as const } };
    expect(overridesWithout(new Set(), overrides)).toEqual(overrides);
  });
});

test("the table ends with the counts, and with what was not asked any more", () => {
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

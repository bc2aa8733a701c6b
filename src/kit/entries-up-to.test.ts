import { LRUCache } from "lru-cache";
import { expect, test } from "vitest";
import { entriesUpTo } from "./entries-up-to.js";

test("a cache with these options keeps the given number of entries and drops the least recently used one", () => {
  const cache = new LRUCache<string, { readonly large: string }>(entriesUpTo(2));
  cache.set("a", { large: "a".repeat(1_000) });
  cache.set("b", { large: "" });
  cache.get("a");
  cache.set("c", { large: "" });
  expect([...cache.keys()]).toEqual(["c", "a"]);
});

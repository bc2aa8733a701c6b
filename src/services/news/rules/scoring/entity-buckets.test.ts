import { describe, expect, test } from "vitest";
import { entityBuckets, type NamedItem } from "./entity-buckets.js";

const HOUR = 3_600_000;
const now = Date.UTC(2026, 4, 1, 12);
const item = (publisher: string, names: string[], more: Partial<NamedItem> = {}): NamedItem => ({
  publisher,
  names,
  tier: 3,
  publishedAt: now,
  ...more,
});

describe("a bucket", () => {
  test("contains the items that share two names", () => {
    const [first, second, third] = entityBuckets(
      [item("a", ["iran", "israel", "un"]), item("b", ["israel", "iran"], { tier: 2 }), item("c", ["iran"])],
      now,
    );
    expect(first).toEqual({ names: ["iran", "israel"], publisherCount: 2, reliableCount: 1 });
    expect(second).toEqual(first);
    expect(third).toBeUndefined();
  });

  test("needs two publishers", () => {
    const names = ["iran", "israel"];
    expect(entityBuckets([item("a", names), item("a", names)], now)).toEqual([undefined, undefined]);
  });

  test("contains items of the last 24 hours, including an item that is exactly 24 hours old", () => {
    const names = ["iran", "israel"];
    const then = (publishedAt: number) => entityBuckets([item("a", names), item("b", names, { publishedAt })], now);
    expect(then(now - 24 * HOUR)[1]?.publisherCount).toBe(2);
    expect(then(now - 24 * HOUR - 1)).toEqual([undefined, undefined]);
  });

  test("counts publishers of tiers 1 and 2 as reliable, each once", () => {
    const names = ["iran", "israel"];
    const buckets = entityBuckets(
      [1, 2, 2, 3, 4].map((tier, index) => item(["a", "b", "b", "c", "d"][index] ?? "", names, { tier })),
      now,
    );
    expect(buckets[0]).toMatchObject({ publisherCount: 4, reliableCount: 2 });
  });

  test("with the most publishers is chosen for an item that is in several buckets", () => {
    const [first] = entityBuckets(
      [item("a", ["x", "y", "z"]), item("b", ["x", "y"]), item("b", ["y", "z"]), item("c", ["y", "z"])],
      now,
    );
    expect(first?.names).toEqual(["y", "z"]);
  });
});

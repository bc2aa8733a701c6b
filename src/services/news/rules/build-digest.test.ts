import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { DigestItem, FeedEntry, FeedFacts, FeedReading, FeedTier, TitleClass } from "../digest-records.js";
import { buildDigest, type Digest, type DigestContext } from "./build-digest.js";
import { scoreOf } from "./scoring/score-terms.js";

const HOUR = 3_600_000;
const now = Date.UTC(2026, 4, 1, 12);
const nothing: TitleClass = { level: "info", category: "general", confidence: 0, reason: "" };
const feed = (id: string, more: Partial<FeedFacts> = {}): FeedFacts => ({
  id,
  publisher: id.toUpperCase(),
  family: id,
  tier: 2,
  risk: "low",
  language: "en",
  ...more,
});
const entry = (of: string, title: string, hoursAgo = 1, link = `https://${of}.example/${title}`): FeedEntry => ({
  kind: "entry",
  feed: of,
  title,
  link,
  snippet: "s",
  publishedAt: now - hoursAgo * HOUR,
});
const read = (id: string): FeedReading => ({
  kind: "feed",
  feed: id,
  state: "ok",
});
const quake = "Magnitude 7.1 earthquake strikes northern Chile";
const ferry = "Ferry with 180 aboard sinks off Basilan";

function build(inputs: Partial<DigestContext>): Digest {
  const categories = inputs.categories ?? [{ category: "world", feeds: [feed("a"), feed("b"), feed("c")] }];
  const readings = categories.flatMap(({ feeds }) => feeds.map(({ id }) => read(id)));
  return buildDigest({ entries: [], memory: [], now, classify: () => nothing, readings, ...inputs, categories });
}

test("an item has every served field", () => {
  const title = "Magnitude 7.1 earthquake strikes off Chile (NYSE: SQM)";
  const { categories } = build({
    entries: [entry("a", title, 6, "https://a.example/quake")],
    classify: () => ({ level: "high", category: "disaster", confidence: 0.9, reason: "quake" }),
  });
  // The type requires all fields, including the optional ones.
  const expected: Required<DigestItem> = {
    source: "A",
    title,
    link: "https://a.example/quake",
    snippet: "s",
    feed: "a",
    publishedAt: now - 6 * HOUR,
    isAlert: true,
    language: "en",
    corroborationCount: 1,
    // 0.55 × 75 + 0.20 × 75 + 0.15 × 20 + 0.10 × 75 = 66.75
    importanceScore: 67,
    credibilityScore: 77,
    tickers: ["SQM"],
    location: { latitude: expect.any(Number), longitude: expect.any(Number) },
    locationName: "Chile",
    threat: { level: "THREAT_LEVEL_HIGH", category: "disaster", confidence: 0.9, source: "keyword" },
    storyMeta: { firstSeen: now - 6 * HOUR, mentionCount: 1, sourceCount: 1, phase: "STORY_PHASE_BREAKING" },
    storyId: expect.any(String),
    explain: expect.objectContaining({ level: { classified: "high", applied: "high", reason: "quake" } }),
  };
  expect(categories[0]?.items).toEqual([expected]);
});

test("unknown fields of an item are absent", () => {
  const [item] = build({ entries: [entry("a", ferry)] }).categories[0]?.items ?? [];
  for (const name of ["threat", "location", "locationName", "tickers"]) expect(item).not.toHaveProperty(name);
});

test("an item without a publisher's summary has no snippet", () => {
  const entries = [{ ...entry("a", ferry), snippet: "" }];
  expect(build({ entries }).categories[0]?.items[0]).not.toHaveProperty("snippet");
});

describe("a story", () => {
  const categories = [
    { category: "world", feeds: [feed("a", { tier: 3 }), feed("b", { tier: 1 }), feed("c", { family: "b" })] },
    { category: "asia", feeds: [feed("a", { tier: 3 })] },
  ];

  test("appears once in a category, with its best item and the number of its publisher families", () => {
    const { coverage, ...digest } = build({ categories, entries: ["a", "b", "c"].map((id) => entry(id, quake)) });
    const [world, asia] = digest.categories;
    expect(world?.items).toHaveLength(1);
    expect(world?.items[0]).toMatchObject({ feed: "b", corroborationCount: 2, storyMeta: { sourceCount: 3 } });
    expect(world?.items[0]?.explain).toMatchObject({ families: ["a", "b"], mentions: [{}, {}, {}] });
    expect(asia?.items[0]).toMatchObject({ feed: "a", corroborationCount: 2, storyId: world?.items[0]?.storyId });
    expect(coverage).toMatchObject({ itemsServed: 2, foldedCount: 2, publisherCount: 2 });
  });

  test("is also corroborated by entries that are not among the five newest of their feed", () => {
    const older = ["x one", "y two", "z three", "u four", "v five"].map((title) => entry("b", title, 1));
    const { categories: built } = build({ categories, entries: [entry("a", quake), ...older, entry("b", quake, 2)] });
    expect(built[0]?.items.find(({ title }) => title === quake)).toMatchObject({ feed: "a", corroborationCount: 2 });
  });

  test("keeps its id from build to build", () => {
    const before = build({ entries: [entry("a", quake)] });
    const after = build({ entries: [entry("b", quake, 0), entry("c", ferry)], memory: before.memory });
    const [story] = before.categories[0]?.items ?? [];
    const sameStory = after.categories[0]?.items.find(({ title }) => title === quake);
    expect(sameStory?.storyId).toBe(story?.storyId);
    expect(sameStory?.storyMeta).toMatchObject({ mentionCount: 2, sourceCount: 2, firstSeen: now - HOUR });
    expect(new Set(after.categories[0]?.items.map(({ storyId }) => storyId)).size).toBe(2);
  });
});

test("three reliable publishers that use the same names lift a diplomacy story to the level high", () => {
  const titles = [
    "The envoy of Iran meets mediators from Qatar in secret",
    "Why oil traders watch talks between Iran and Qatar",
    "Airlines of Qatar reopen routes over Iran after weeks",
  ];
  const entries = titles.map((title, index) => entry(["a", "b", "c"][index] ?? "", title));
  const categories = ["a", "b", "c"].map((id) => ({ category: id, feeds: [feed(id)] }));
  const [item, ...others] = build({ categories, entries }).categories.flatMap(({ items }) => items);
  expect(item).toMatchObject({ feed: "a", isAlert: true, threat: { level: "THREAT_LEVEL_HIGH", source: "entities" } });
  expect(item?.explain).toMatchObject({
    level: { classified: "info", applied: "high", liftedBy: ["iran", "qatar"] },
    entities: { names: ["iran", "qatar"], publisherCount: 3 },
  });
  expect(others.map(({ isAlert }) => isAlert)).toEqual([false, false]);
});

describe("coverage", () => {
  const categories = [
    { category: "one", feeds: [feed("a")] },
    { category: "two", feeds: [feed("b"), feed("c")] },
  ];
  const entries = [entry("a", quake), entry("b", ferry)];
  const state = (readings: FeedReading[], readEntries = entries) =>
    build({ categories, readings, entries: readEntries }).coverage;

  test("has the state complete if every category has a completed feed and no feed timed out", () => {
    expect(state([read("a"), read("b"), { ...read("c"), state: "failed" }])).toMatchObject({
      state: "complete",
      feedTotal: 3,
      feedCompleted: 2,
      categoryTotal: 2,
      categoryCompleted: 2,
      categoryStates: { one: "ok", two: "ok" },
    });
  });

  test("has the state partial if a category has no completed feed, or a feed timed out or was never read", () => {
    const failed: FeedReading = { ...read("a"), state: "failed" };
    expect(state([failed, read("b"), read("c")])).toMatchObject({
      state: "partial",
      categoryStates: { one: "missing" },
    });
    expect(state([read("a"), read("b"), { ...read("c"), state: "timeout" }]).state).toBe("partial");
    expect(state([read("a"), read("b")]).state).toBe("partial");
  });

  test("has the state unavailable if there are no items", () =>
    expect(state([read("a"), read("b"), read("c")], []).state).toBe("unavailable"));

  test("counts the entries that the feed cap and the category cap drop", () => {
    const feeds = Array.from({ length: 5 }, (_, index) => feed(`f${index}`));
    const words = "amber birch cedar delta ember fjord grove heath inlet jetty knoll ledge marsh north ocean".split(
      " ",
    );
    const many = feeds.flatMap(({ id }, index) =>
      Array.from({ length: 6 }, (_, place) => entry(id, `${words[(index * 6 + place) % 15]} ${index}x${place}`, place)),
    );
    const digest = build({ categories: [{ category: "one", feeds }], entries: many });
    expect(digest.coverage.droppedFeedCap).toBe(5);
    const { itemsServed, droppedCategoryCap, foldedCount } = digest.coverage;
    expect(itemsServed + droppedCategoryCap + foldedCount).toBe(25);
    expect(itemsServed).toBe(Math.min(20, 25 - foldedCount));
  });
});

test("only feeds with problems have a status", () => {
  const readings: FeedReading[] = [read("a"), { ...read("b"), state: "timeout" }];
  expect(build({ readings, entries: [entry("a", quake)] }).feedStatuses).toEqual({ b: "timeout", c: "timeout" });
});

const anyDigest = fc
  .record({
    feeds: fc.array(
      fc.record({
        family: fc.constantFrom("x", "y", "z"),
        tier: fc.constantFrom<FeedTier>(1, 2, 3, 4),
        risk: fc.constantFrom("low" as const, "medium" as const, "high" as const, "unknown" as const),
        language: fc.constantFrom("en", "de", "zh"),
      }),
      { minLength: 1, maxLength: 6 },
    ),
    entries: fc.array(
      fc.record({
        of: fc.nat(5),
        words: fc.array(
          fc.constantFrom(
            "Iran",
            "Qatar",
            "ceasefire",
            "quake",
            "in Chile",
            "7.1",
            "$ABC",
            "Ferry",
            "sinks",
            "暴雨",
            "dead",
          ),
          { minLength: 1, maxLength: 6 },
        ),
        hoursAgo: fc.integer({ min: -3, max: 110 }),
        link: fc.nat(30),
      }),
      { maxLength: 40 },
    ),
    level: fc.constantFrom("info" as const, "low" as const, "high" as const, "critical" as const),
  })
  .map(({ feeds, entries, level }): DigestContext => {
    const rows = feeds.map((more, index) => feed(`f${index}`, more));
    return {
      categories: [
        { category: "one", feeds: rows },
        { category: "two", feeds: rows.slice(1) },
      ],
      readings: rows.map(({ id }) => read(id)),
      entries: entries.map(({ of, words, hoursAgo, link }) =>
        entry(`f${of}`, words.join(" "), hoursAgo, `https://x/${link}`),
      ),
      memory: [],
      now,
      classify: () => ({ level, category: "conflict", confidence: 0.5, reason: "" }),
    };
  });

test("no category repeats a story, scores equal the sum of their terms, and items match their explanations", () => {
  fc.assert(
    fc.property(anyDigest, (inputs) => {
      for (const { items } of buildDigest(inputs).categories) {
        expect(new Set(items.map(({ storyId }) => storyId)).size).toBe(items.length);
        for (const item of items) {
          expect(scoreOf(item.explain.importance)).toBe(item.importanceScore);
          expect(scoreOf(item.explain.credibility)).toBe(item.credibilityScore);
          expect(item.credibilityScore >= 0 && item.credibilityScore <= 100).toBe(true);
          expect(item.isAlert).toBe(["high", "critical"].includes(item.explain.level.applied));
          expect(item.corroborationCount).toBe(item.explain.families.length);
          expect(item.explain.mentions.some(({ link }) => link === item.link)).toBe(true);
        }
      }
    }),
  );
});

test("the digest is plain JSON, independent of entry order, and the same when rebuilt with its own memory", () => {
  fc.assert(
    fc.property(anyDigest, (inputs) => {
      // If a feed repeats a link, only the first entry with this link is used. The digest would then depend on the
      // order of the entries, so repeated links are removed.
      const distinct = [...new Map(inputs.entries.map((entry) => [`${entry.feed} ${entry.link}`, entry])).values()];
      const digest = buildDigest({ ...inputs, entries: distinct });
      expect(buildDigest({ ...inputs, entries: [...distinct].reverse() })).toEqual(digest);
      expect(JSON.parse(JSON.stringify(digest))).toEqual(digest);
      const again = buildDigest({ ...inputs, entries: distinct, memory: digest.memory });
      expect(again.categories).toEqual(digest.categories);
      expect(again.memory).toEqual(digest.memory);
    }),
  );
});

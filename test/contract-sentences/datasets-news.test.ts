import { afterAll, beforeAll, expect } from "vitest";
import { readFeed } from "../../src/feeds/read-feed.js";
import { HOUR_MS, MINUTE_MS, SECOND_MS } from "../../src/kit/clock.js";
import { type DigestVariant, digestVariants } from "../../src/services/news/catalogue/digest-variants.js";
import { digestLanguages, feedCatalogue, feedsFor } from "../../src/services/news/catalogue/feed-catalogue.js";
import { allFeeds } from "../../src/services/news/catalogue/topic-feeds.js";
import type { FeedReading } from "../../src/services/news/digest-records.js";
import { withinCategoryCap, withinFeedCap } from "../../src/services/news/rules/digest-caps.js";
import { feedStatus, isFresh, publicationOf } from "../../src/services/news/rules/entry-dates.js";
import { dueFeeds } from "../../src/services/news/rules/feed-turns.js";
import { corroborationCount, familiesOf } from "../../src/services/news/rules/scoring/corroboration.js";
import { credibilityTerms } from "../../src/services/news/rules/scoring/credibility.js";
import { entityBuckets, type NamedItem } from "../../src/services/news/rules/scoring/entity-buckets.js";
import { importanceTerms } from "../../src/services/news/rules/scoring/importance.js";
import { scoreOf } from "../../src/services/news/rules/scoring/score-terms.js";
import { appliedLevel, isAlert, servedThreat } from "../../src/services/news/rules/scoring/threat-served.js";
import { storyPhase } from "../../src/services/news/rules/stories/story-phase.js";
import { classifyTitle } from "../../src/services/news/rules/titles/threat-class.js";
import { newsFeeds } from "../../src/services/news/sources/news-feeds.js";
import { firstRequest, stepOf } from "../support/reading.js";
import { refusedFields, type Sentence, testSentences } from "../support/sentences.js";
import { simulatedFeeds } from "../support/simulated-feeds.js";
import { json, NOON, type Stack, startStack } from "../support/stack.js";

/* Section 14 of NOTES.md (news digest), with rulings 11 and 23 and decision 0019. */

const DIGEST = "/api/news/v1/list-feed-digest";

interface Item {
  readonly link: string;
  readonly publishedAt: number;
  readonly importanceScore: number;
  readonly credibilityScore: number;
  readonly corroborationCount: number;
  readonly isAlert: boolean;
  readonly threat?: { readonly level: string };
}
interface Digest {
  readonly categories: Readonly<Record<string, { readonly items: readonly Item[] }>>;
  readonly coverage: Readonly<Record<string, unknown>> & { readonly categoryStates: Readonly<Record<string, string>> };
  readonly feedStatuses: Readonly<Record<string, string>>;
  readonly generatedAt: string;
}

function feedAt(id: string, category: string, language?: string) {
  return {
    id,
    publisher: id,
    family: id,
    country: "GB",
    kind: "other",
    risk: { profile: "unknown" },
    homepage: `https://${id}.example.org`,
    url: `https://${id}.example.org/${id}.xml`,
    ...(language !== undefined && { language }),
    placements: [{ variant: "full", category }],
  };
}

const feeds = [
  ...["p1", "p2", "p3", "p4", "p5", "p6"].map((id) => feedAt(id, "politics")),
  feedAt("europe", "europe"),
  feedAt("un", "europe", "fr"),
  feedAt("deux", "europe", "fr"),
];

function startDigests(datasets: readonly string[]): Promise<Stack> {
  const overrides = { remove: allFeeds.map(({ id }) => id), add: feeds };
  const upstreams = [
    simulatedFeeds(
      "own-feeds",
      feeds.map(({ url }) => url),
    ),
  ];
  return startStack({ env: { VIGIL_FEEDS: JSON.stringify(overrides) }, upstreams, datasets });
}

let stack: Stack;
beforeAll(async () => {
  stack = await startDigests(["digest-full-en", "digest-full-fr"]);
  await stack.run("digest-full-en");
}, 60_000);
afterAll(() => stack.close());

async function digestOf(query = ""): Promise<Digest> {
  const answer = await stack.get(`${DIGEST}?${query}`);
  expect(answer.status, String(answer.body)).toBe(200);
  // The cast is safe, because the operation declares this shape.
  return json(answer) as Digest;
}

const itemsOf = async (category: string) => (await digestOf()).categories[category]?.items ?? [];

/** The categories of each variant, as listed in the contract's NOTES.md. */
const VARIANTS: Readonly<Record<DigestVariant, string>> = {
  full: "politics, us, europe, middleeast, tech, ai, finance, commodities, gov, africa, latam, asia, energy, thinktanks, crisis, layoffs, intel",
  tech: "tech, ai, startups, vcblogs, regionalStartups, unicorns, accelerators, security, policy, github, funding, cloud, layoffs, finance, dev, ipo, producthunt, hardware, outages",
  finance:
    "markets, forex, bonds, commodities, crypto, centralbanks, economic, ipo, derivatives, fintech, fin-regulation, institutional, analysis, gccNews",
  commodity:
    "commodity-news, gold-silver, energy, mining-news, critical-minerals, base-metals, mining-companies, supply-chain, commodity-regulation, markets, finance",
  happy: "positive, science, nature, inspiring, community",
};
const LANGUAGES = "en fr el hu pl es uk ro zh hi de hr ru it nl sv cs bg tr fa ar ja th vi ko".split(" ");

const catalogue: readonly Sentence[] = [
  ...Object.entries(VARIANTS).map(
    ([variant, names]): Sentence => ({
      place: "NOTES §14 digest",
      sentence: `the categories of ${variant} are those of the contract`,
      async check() {
        expect(digestVariants[variant as DigestVariant]).toEqual(names.split(", "));
        const own = await startDigests([`digest-${variant}-en`]);
        try {
          const { categories } = json(await own.get(`${DIGEST}?variant=${variant}`)) as Digest;
          expect(Object.keys(categories)).toEqual(names.split(", "));
        } finally {
          await own.close();
        }
      },
    }),
  ),
  {
    place: "NOTES §14 digest",
    sentence: "every category of every variant has at least one feed for English",
    check() {
      for (const variant of Object.keys(VARIANTS) as readonly DigestVariant[]) {
        for (const [category, own] of feedsFor(feedCatalogue, variant, "en")) {
          expect([variant, category, own.length > 0]).toEqual([variant, category, true]);
        }
      }
    },
  },
  {
    place: "NOTES §14 digest, decision 0019",
    sentence: "every language tag of the contract's feeds is accepted, and a language without feeds is not",
    async check() {
      expect(LANGUAGES.filter((language) => !digestLanguages.includes(language))).toEqual([]);
      for (const language of ["xx", "EN", "en-GB", "la"]) {
        expect(refusedFields(await stack.get(`${DIGEST}?lang=${language}`))).toEqual(["lang"]);
      }
    },
  },
  {
    place: "NOTES §14 digest",
    sentence:
      "a feed is read for a language if it has no language tag, has the tag of that language, or is flagged default",
    check() {
      for (const language of digestLanguages) {
        const running = new Set([...feedsFor(feedCatalogue, "full", language).values()].flat().map(({ id }) => id));
        for (const feed of feedCatalogue.filter(({ placements }) =>
          placements.some(({ variant }) => variant === "full"),
        )) {
          const runs = feed.language === undefined || feed.language === language || feed.byDefault === true;
          expect([language, feed.id, running.has(feed.id)]).toEqual([language, feed.id, runs]);
        }
      }
    },
  },
];

const dateRows: readonly (readonly [tag: string, feed: "rss" | "atom", element: string])[] = [
  ["pubDate", "rss", "<pubDate>Wed, 18 Nov 2026 09:00:00 GMT</pubDate>"],
  ["dc:date", "rss", "<dc:date>2026-11-18T09:00:00Z</dc:date>"],
  ["dc:date.issued", "rss", "<dc:date.issued>2026-11-18T09:00:00Z</dc:date.issued>"],
  ["dc:Date.Issued", "rss", "<dc:Date.Issued>2026-11-18T09:00:00Z</dc:Date.Issued>"],
  ["published", "rss", "<published>2026-11-18T09:00:00Z</published>"],
  ["published", "atom", "<published>2026-11-18T09:00:00Z</published>"],
  ["updated", "atom", "<updated>2026-11-18T09:00:00Z</updated>"],
  ["dc:date", "atom", "<dc:date>2026-11-18T09:00:00Z</dc:date>"],
];
const DC = 'xmlns:dc="http://purl.org/dc/elements/1.1/"';
const documentOf = {
  rss: (date: string) =>
    `<rss version="2.0" ${DC}><channel><title>x</title><item><title>t</title><link>https://a.example/1</link>${date}</item></channel></rss>`,
  atom: (date: string) =>
    `<feed xmlns="http://www.w3.org/2005/Atom" ${DC}><title>x</title><entry><title>t</title><id>1</id><link href="https://a.example/1"/>${date}</entry></feed>`,
};

const limits: readonly Sentence[] = [
  {
    place: "NOTES §14 digest",
    sentence: "the latest 5 items of a feed are used",
    async check() {
      expect(withinFeedCap([1, 2, 3, 4, 5, 6])).toEqual({ kept: [1, 2, 3, 4, 5], dropped: 1 });
      const links = (await itemsOf("europe")).map(({ link }) => link);
      expect(links).toHaveLength(5);
    },
  },
  {
    place: "NOTES §14 digest",
    sentence: "a category has at most 20 items",
    async check() {
      expect(withinCategoryCap(Array(25).fill(0))).toMatchObject({ dropped: 5 });
      expect(await itemsOf("politics")).toHaveLength(20);
      expect((await digestOf()).coverage["droppedCategoryCap"]).toBe(10);
    },
  },
  {
    place: "NOTES §14 digest",
    sentence: "the time limit is 8 s for a feed and 10 s for a build, and at most 20 feeds are read at the same time",
    check() {
      const due = [{ id: "a", url: "https://a.example", isStored: false, plannedAt: NOON }];
      const request = firstRequest(newsFeeds, { feeds: ["a"], due });
      expect(request.timeoutMs).toBe(8 * SECOND_MS);
      expect(stepOf(newsFeeds, "feed").gather).toMatchObject({ parallelMax: 20, timeLimitMs: 10 * SECOND_MS });
    },
  },
  {
    place: "NOTES §14 digest",
    sentence: "a request waits at most 14 s for a digest",
    async check() {
      const own = await startDigests(["digest-full-fr"]);
      try {
        own.simulator.faults.set({ upstream: "*" }, { kind: "hang" });
        own.service.ingest.start();
        const answering = own.get(`${DIGEST}?lang=fr`);
        await expect.poll(() => own.simulator.requests.list().length).toBeGreaterThanOrEqual(feeds.length);
        own.clock.advance(14 * SECOND_MS);
        expect(json(await answering)).toMatchObject({ coverage: { state: "unavailable" } });
      } finally {
        await own.close();
      }
    },
  },
  {
    place: "NOTES §14 digest",
    sentence: "a feed is due again within 1 h, or within 5 min if it was empty",
    check() {
      const due = (requestedMsAgo: number, readings: readonly FeedReading[]) => {
        const times = { askedAt: { a: NOON - requestedMsAgo }, readAt: {} };
        return dueFeeds([{ id: "a" }], new Map(readings.map((reading) => ["a", reading])), times, NOON).length > 0;
      };
      const reading = { kind: "feed", feed: "a" } as const;
      expect(due(HOUR_MS, [{ ...reading, state: "ok" }])).toBe(true);
      expect(due(5 * MINUTE_MS, [{ ...reading, state: "ok" }])).toBe(false);
      expect(due(5 * MINUTE_MS, [{ ...reading, state: "empty", since: NOON }])).toBe(true);
    },
  },
  {
    place: "NOTES §14 digest",
    sentence: "a digest is built every 15 min, and again within 2 min after a failed build",
    async check() {
      expect(stack.dataset("digest-full-en")).toMatchObject({ cadenceMs: 15 * MINUTE_MS });
      const own = await startDigests(["digest-full-en"]);
      try {
        own.simulator.faults.set({ upstream: "*" }, { kind: "down" });
        const { outcome, status } = await own.run("digest-full-en");
        expect(outcome).toBe("failed");
        expect((status.nextAt ?? 0) - own.clock.now()).toBeLessThan(2 * MINUTE_MS);
      } finally {
        await own.close();
      }
    },
  },
  {
    place: "NOTES §14 digest",
    sentence: "items are at most 96 h old",
    check() {
      expect(isFresh(NOON - 96 * HOUR_MS, NOON)).toBe(true);
      expect(isFresh(NOON - 96 * HOUR_MS - 1, NOON)).toBe(false);
    },
  },
  {
    place: "NOTES §14 digest",
    sentence: "a date more than 1 h in the future counts as missing",
    check() {
      expect(publicationOf({ publishedAt: NOON + HOUR_MS }, NOON)).toBe(NOON + HOUR_MS);
      expect(publicationOf({ publishedAt: NOON + HOUR_MS + 1 }, NOON)).toBeUndefined();
    },
  },
  ...dateRows.map(
    ([tag, kind, element]): Sentence => ({
      place: "NOTES §14 digest",
      sentence: `${tag} is read as the date of an entry in ${kind}`,
      check: () =>
        expect(readFeed(documentOf[kind](element)).items).toEqual([
          expect.objectContaining({ publishedAt: Date.UTC(2026, 10, 18, 9) }),
        ]),
    }),
  ),
  {
    place: "NOTES §14 digest",
    sentence: "an unreadable date counts as missing",
    check() {
      const [item] = readFeed(documentOf.rss("<pubDate>the other day</pubDate>")).items;
      expect([item?.title, item?.publishedAt]).toEqual(["t", undefined]);
    },
  },
  {
    place: "NOTES §14 digest",
    sentence: "a body that is not a feed, such as HTML, is rejected",
    check() {
      for (const body of [
        "<!doctype html><html><body>News</body></html>",
        "<html><head></head></html>",
        "no feed",
        "",
      ]) {
        expect(() => readFeed(body)).toThrow();
      }
    },
  },
];

const base = { level: "info", tier: 4, storySources: 0, entitySources: 0, publishedAt: 0, now: NOON } as const;
const importance = (changes: Partial<Parameters<typeof importanceTerms>[0]>): number =>
  scoreOf(importanceTerms({ ...base, isDiplomacy: false, ...changes }));
const credibility = (changes: Partial<Parameters<typeof credibilityTerms>[0]>): number =>
  scoreOf(credibilityTerms({ tier: 4, risk: "unknown", storySources: 0, ...changes }));
const TIER_4 = 0.2 * 25;

const named = (names: readonly string[], publisher: string, tier = 3, publishedAt = NOON): NamedItem => ({
  names,
  publisher,
  tier,
  publishedAt,
});

const scores: readonly Sentence[] = [
  ...(
    [
      ["critical", 55],
      ["high", 41.25],
      ["medium", 27.5],
      ["low", 13.75],
      ["info", 0],
    ] as const
  ).map(
    ([level, points]): Sentence => ({
      place: "NOTES §14 digest",
      sentence: `severity ${level} adds ${points} to the importance`,
      check: () => expect(importance({ level })).toBe(Math.round(points + TIER_4)),
    }),
  ),
  ...(
    [
      [1, 20],
      [2, 15],
      [3, 10],
      [4, 5],
    ] as const
  ).map(
    ([tier, points]): Sentence => ({
      place: "NOTES §14 digest",
      sentence: `tier ${tier} adds ${points} to the importance`,
      check: () => expect(importance({ tier })).toBe(points),
    }),
  ),
  ...([0, 1, 2, 3, 4, 5, 6] as const).map(
    (sources): Sentence => ({
      place: "NOTES §14 digest",
      sentence: `a story source count of ${sources} adds ${Math.min(sources, 5) * 3} to the importance`,
      check: () => expect(importance({ storySources: sources })).toBe(5 + Math.min(sources, 5) * 3),
    }),
  ),
  {
    place: "NOTES §14 digest",
    sentence: "corroboration uses the larger of the number of story sources and the number of entity sources",
    check() {
      expect(importance({ storySources: 2, entitySources: 4 })).toBe(5 + 4 * 3 + 4 * 4);
      expect(importance({ storySources: 4, entitySources: 2 })).toBe(5 + 4 * 3 + 2 * 4);
    },
  },
  ...(
    [
      [0, 10],
      [12, 5],
      [24, 0],
      [48, 0],
    ] as const
  ).map(
    ([hours, points]): Sentence => ({
      place: "NOTES §14 digest",
      sentence: `an age of ${hours} h adds ${points} to the importance`,
      check: () => expect(importance({ publishedAt: NOON - hours * HOUR_MS })).toBe(5 + points),
    }),
  ),
  {
    place: "NOTES §14 digest",
    sentence: "a title about diplomacy adds 18 to the importance",
    check: () => expect(importance({ isDiplomacy: true })).toBe(5 + 18),
  },
  {
    place: "NOTES §14 digest",
    sentence: "each entity source adds 4 to the importance, for at most five sources",
    check() {
      const bonusOf = (entitySources: number) =>
        importanceTerms({ ...base, isDiplomacy: false, entitySources }).find(({ name }) => name === "entities")?.points;
      expect([0, 1, 5, 9].map(bonusOf)).toEqual([0, 4, 20, 20]);
    },
  },
  {
    place: "NOTES §14 digest",
    sentence: "the maximum importance is 138",
    check: () =>
      expect(
        importance({
          level: "critical",
          tier: 1,
          storySources: 9,
          entitySources: 9,
          publishedAt: NOON,
          isDiplomacy: true,
        }),
      ).toBe(138),
  },
  {
    place: "NOTES §14 digest",
    sentence: "two entities form a bucket only if at least 2 publishers name both within the last 24 h",
    check() {
      const names = ["A", "B"];
      const counts = (...items: readonly NamedItem[]) =>
        entityBuckets(items, NOON).map((bucket) => bucket?.publisherCount);
      expect(counts(named(names, "x"), named(names, "y"))).toEqual([2, 2]);
      expect(counts(named(names, "x"), named(names, "x"))).toEqual([undefined, undefined]);
      expect(counts(named(names, "x"), named(names, "y", 3, NOON - 24 * HOUR_MS - 1))).toEqual([undefined, undefined]);
    },
  },
  {
    place: "NOTES §14 digest",
    sentence: "at least 3 publishers of tier 1 or 2 raise a story about diplomacy to the level high",
    check() {
      expect(appliedLevel("low", { isDiplomacy: true, reliablePublishers: 3 })).toBe("high");
      expect(appliedLevel("low", { isDiplomacy: true, reliablePublishers: 2 })).toBe("low");
      expect(appliedLevel("low", { isDiplomacy: false, reliablePublishers: 9 })).toBe("low");
      expect(appliedLevel("critical", { isDiplomacy: true, reliablePublishers: 9 })).toBe("critical");
    },
  },
  ...(
    [
      [1, 30],
      [2, 23],
      [3, 15],
      [4, 8],
    ] as const
  ).map(
    ([tier, points]): Sentence => ({
      place: "NOTES §14 digest",
      sentence: `a source of tier ${tier} with a low risk has a credibility of ${points + 50}`,
      check: () => expect(credibility({ tier, risk: "low" })).toBe(points + 50),
    }),
  ),
  ...(
    [
      ["low", 50],
      ["medium", 25],
      ["unknown", 17.5],
      ["high", 6],
    ] as const
  ).map(
    ([risk, points]): Sentence => ({
      place: "NOTES §14 digest",
      sentence: `the risk ${risk} adds ${points} to the credibility`,
      check: () => expect(credibility({ risk, tier: 1 })).toBe(Math.round(30 + points)),
    }),
  ),
  {
    place: "NOTES §14 digest",
    sentence: "five sources add 20 to the credibility, more sources add no more, and the maximum is 100",
    check() {
      const none = credibility({ storySources: 0 });
      expect([1, 4, 5, 7].map((storySources) => credibility({ storySources }) - none)).toEqual([4, 16, 20, 20]);
      expect(credibility({ tier: 1, risk: "low", storySources: 7 })).toBe(100);
    },
  },
  {
    place: "NOTES §14 digest",
    sentence: "the credibility of a high-risk source is at most 40",
    check: () => expect(credibility({ tier: 1, risk: "high", storySources: 5 })).toBe(40),
  },
  {
    place: "NOTES §14 digest",
    sentence: "corroborationCount counts distinct publisher families and is at least 1",
    check() {
      expect(corroborationCount(familiesOf([{ family: "a" }, { family: "a" }, { family: "b" }]))).toBe(2);
      expect(corroborationCount([])).toBe(1);
    },
  },
];

const threats: readonly Sentence[] = [
  {
    place: "NOTES §14 digest",
    sentence: "isAlert is true only for the levels critical and high",
    check() {
      const levels = ["critical", "high", "medium", "low", "info"] as const;
      expect(levels.map(isAlert)).toEqual([true, true, false, false, false]);
    },
  },
  {
    place: "NOTES §14 digest",
    sentence: "the level info is served as THREAT_LEVEL_UNSPECIFIED",
    check() {
      const threat = { level: "info", category: "health", confidence: 0.4 } as const;
      expect(servedThreat(threat, "info")?.level).toBe("THREAT_LEVEL_UNSPECIFIED");
      expect(servedThreat(threat, "high")?.level).toBe("THREAT_LEVEL_HIGH");
    },
  },
  ...["On this day in 1944: the invasion of Normandy", "Fifty years on: remembering the Aberfan disaster"].map(
    (title): Sentence => ({
      place: "NOTES §14 digest",
      sentence: `a title about the past has the level info: ${title}`,
      check: () => expect(classifyTitle(title).level).toBe("info"),
    }),
  ),
  ...(
    [
      ["Russian missile strike kills 12 in Kharkiv", "conflict"],
      ["Thousands protest against pension reform in Paris", "protest"],
      ["Magnitude 7.1 earthquake strikes northern Chile", "disaster"],
      ["Foreign ministers meet for peace talks in Geneva", "diplomatic"],
      ["Central bank raises interest rates to fight inflation", "economic"],
      ["Suicide bomber attacks market in Kabul", "terrorism"],
      ["Ransomware attack cripples hospital network", "cyber"],
      ["Cholera outbreak spreads in refugee camps", "health"],
      ["Oil spill threatens coral reef", "environmental"],
      ["Navy deploys warships to the strait", "military"],
      ["Police arrest suspect in bank robbery", "crime"],
      ["Power outage leaves millions without electricity", "infrastructure"],
      ["New smartphone chip announced at tech conference", "tech"],
    ] as const
  ).map(
    ([title, category]): Sentence => ({
      place: "NOTES §14 digest",
      sentence: `a title has the category ${category}: ${title}`,
      check: () => expect(classifyTitle(title)).toMatchObject({ category }),
    }),
  ),
  {
    place: "NOTES §14 digest",
    sentence: "the fourteenth category, general, is for titles without a recognised category",
    check: () => expect(classifyTitle("A quiet afternoon")).toMatchObject({ category: "general", level: "info" }),
  },
  {
    place: "NOTES §14 digest",
    sentence: "a classification has a confidence of 0 to 1",
    check() {
      for (const title of ["A quiet afternoon", "Suicide bomber attacks market in Kabul"]) {
        const { confidence } = classifyTitle(title);
        expect(confidence).toBeGreaterThan(0);
        expect(confidence).toBeLessThanOrEqual(1);
      }
    },
  },
];

const phase = (mentionCount: number, hours: number, currentCount = mentionCount, peakCount = mentionCount): string =>
  storyPhase({ mentionCount, ageMs: hours * HOUR_MS, currentCount, peakCount }).replace("STORY_PHASE_", "");

const stories: readonly Sentence[] = [
  {
    place: "NOTES §14 digest",
    sentence: "a story with one mention is BREAKING",
    check: () => expect([phase(0, 50), phase(1, 50)]).toEqual(["BREAKING", "BREAKING"]),
  },
  {
    place: "NOTES §14 digest",
    sentence: "a story with two to five mentions is DEVELOPING until it is 2 h old",
    check: () =>
      expect([phase(2, 2), phase(5, 2), phase(6, 2), phase(5, 2.01)]).toEqual([
        "DEVELOPING",
        "DEVELOPING",
        "SUSTAINED",
        "SUSTAINED",
      ]),
  },
  {
    place: "NOTES §14 digest",
    sentence: "a story whose current mentions are fewer than half of its peak is FADING",
    check: () => expect([phase(20, 30, 4, 10), phase(20, 30, 5, 10)]).toEqual(["FADING", "SUSTAINED"]),
  },
];

const served: readonly Sentence[] = [
  {
    place: "NOTES §14 digest",
    sentence: "items are sorted by importance, then by time, both descending",
    async check() {
      const order = (await itemsOf("politics")).map((item) => [item.importanceScore, item.publishedAt] as const);
      expect(order).toEqual(order.toSorted(([a, b], [c, d]) => c - a || d - b));
      expect(new Set(order.map(([score]) => score)).size).toBeGreaterThan(1);
    },
  },
  {
    place: "NOTES §14 digest",
    sentence: "isAlert of each served item follows its level",
    async check() {
      for (const { isAlert: alerts, threat } of await itemsOf("politics")) {
        expect(alerts).toBe(/(?:CRITICAL|HIGH)$/.test(threat?.level ?? ""));
      }
    },
  },
  {
    place: "NOTES §14 digest",
    sentence: "scores of served items are in their ranges",
    async check() {
      for (const { importanceScore, credibilityScore, corroborationCount: count } of await itemsOf("politics")) {
        expect(importanceScore).toBeGreaterThan(0);
        expect(importanceScore).toBeLessThanOrEqual(138);
        expect(credibilityScore).toBeGreaterThan(0);
        expect(credibilityScore).toBeLessThanOrEqual(100);
        expect(count).toBeGreaterThanOrEqual(1);
      }
    },
  },
  ...(
    [
      ["all-undated", { state: "ok" }, 0, 3],
      ["partial-undated", { state: "ok" }, 2, 1],
      ["empty", { state: "ok" }, 0, 0],
      ["empty", { state: "failed" }, 4, 0],
      ["timeout", undefined, 0, 0],
      [undefined, { state: "ok" }, 4, 0],
    ] as const
  ).map(
    ([status, reading, dated, undated]): Sentence => ({
      place: "NOTES §14 digest, decision 0019",
      sentence: `a feed whose reading is ${reading?.state ?? "not started"}, with ${dated} dated and ${undated} undated entries, has the status ${status ?? "none"}`,
      check() {
        expect(feedStatus(reading, dated, undated)).toBe(status);
      },
    }),
  ),
  {
    place: "NOTES §14 digest",
    sentence: "a category without a completed feed has the state missing, which makes the coverage partial",
    async check() {
      const { coverage } = await digestOf();
      expect(coverage["state"]).toBe("partial");
      expect(coverage.categoryStates).toMatchObject({ politics: "ok", europe: "ok", asia: "missing" });
    },
  },
  {
    place: "NOTES §14 digest",
    sentence:
      "a build without items never replaces earlier content, which is then served as stale with the reason empty-rebuild",
    async check() {
      const before = await digestOf();
      stack.simulator.faults.set({ upstream: "*" }, { kind: "empty" });
      stack.clock.advance(2 * HOUR_MS);
      await stack.run("digest-full-en");
      const { categories, coverage, generatedAt } = await digestOf();
      expect([categories, generatedAt]).toEqual([before.categories, before.generatedAt]);
      expect(coverage).toMatchObject({
        state: "stale",
        servedStale: true,
        staleReason: "empty-rebuild",
        staleAgeSeconds: 7_200,
      });
    },
  },
];

testSentences([...catalogue, ...limits, ...scores, ...threats, ...stories, ...served]);

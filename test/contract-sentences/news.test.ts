import { describe, expect } from "vitest";
import { HOUR_MS, MINUTE_MS } from "../../src/kit/clock.js";
import { digestVariants } from "../../src/services/news/catalogue/digest-variants.js";
import { digestLanguages, feedCatalogue } from "../../src/services/news/catalogue/feed-catalogue.js";
import { simulatedUpstream } from "../../src/simulator/upstream.js";
import { bodyOf, fieldsRefusedAt, type Sentence, sharedStack, testSentences } from "../support/sentences.js";
import { simulatedFeeds } from "../support/simulated-feeds.js";
import { NOON, type StackOptions } from "../support/stack.js";

/* Sentences of SPEC and RULINGS about the news digest, on a catalogue of a few feeds. */

const PATH = "/api/news/v1/list-feed-digest";
const ENDPOINT = "SPEC endpoints, news";
const RECORD = "SPEC resources, news digest";
const CATEGORY_ITEMS_MAX = 20;
const FEED_ITEMS_MAX = 5;

interface Digest {
  readonly categories: Readonly<Record<string, { readonly items: readonly Readonly<Record<string, unknown>>[] }>>;
  readonly coverage: {
    readonly attemptedAt?: string;
    readonly state: string;
    readonly categoryCompleted: number;
    readonly categoryTotal: number;
    readonly droppedCategoryCap: number;
    readonly categoryStates: Readonly<Record<string, string>>;
  };
  readonly feedStatuses: Readonly<Record<string, string>>;
  readonly generatedAt?: string;
}

/** Returns an entry of the feed catalogue that these checks use. */
function feed(id: string, category: string, variant = "full") {
  return {
    id,
    publisher: id,
    family: id,
    country: "GB",
    kind: "other",
    risk: { profile: "unknown" },
    homepage: `https://${id}.example.org`,
    url: `https://${id}.example.org/${id}.xml`,
    placements: [{ variant, category }],
  };
}

const crowd = Array.from({ length: 5 }, (_, index) => feed(`crowd-${index}`, "politics"));
const regular = [
  ...crowd,
  feed("alone", "europe"),
  feed("tech-one", "ai", "tech"),
  feed("finance-one", "markets", "finance"),
  feed("happy-one", "science", "happy"),
  feed("commodity-one", "energy", "commodity"),
];
const undated = feed("undated", "asia");
const partly = feed("partly", "asia");
const broken = feed("broken", "gov");
const hollow = feed("hollow", "gov");

/** Feeds in which all or some of the entries lack dates, and a feed without entries. */
const oddFeeds = simulatedUpstream({
  name: "odd-feeds",
  routes: [undated, partly, hollow].map(({ id, url }) => ({
    host: new URL(url).host,
    path: new URL(url).pathname,
    variants: { changed: (xml) => xml, empty: (xml) => xml, badRow: (xml) => xml },
    handle: ({ clock }) => {
      const date = `<pubDate>${new Date(clock.now() - HOUR_MS).toUTCString()}</pubDate>`;
      const names = id === hollow.id ? [] : ["first", "second"];
      const items = names.map((name, index) => {
        const isDated = id === "partly" && index === 0;
        return `<item><title>The ${name} of ${id}</title><link>https://${id}.example.org/${name}</link>${isDated ? date : ""}</item>`;
      });
      const body = `<rss version="2.0"><channel><title>${id}</title>${items.join("")}</channel></rss>`;
      return { status: 200, contentType: "application/rss+xml", body };
    },
  })),
});

const options: StackOptions = {
  env: {
    VIGIL_FEEDS: JSON.stringify({
      remove: feedCatalogue.map(({ id }) => id),
      add: [...regular, undated, partly, broken, hollow],
    }),
  },
  upstreams: [
    simulatedFeeds(
      "own-feeds",
      [...regular, broken].map(({ url }) => url),
    ),
    oddFeeds,
  ],
};

const variants = Object.keys(digestVariants) as readonly (keyof typeof digestVariants)[];
const stackOf = sharedStack(
  variants.map((variant) => `digest-${variant}-en`),
  options,
);

const digest = (query = ""): Promise<Digest> => bodyOf(stackOf(), query === "" ? PATH : `${PATH}?${query}`);
const itemsOf = ({ categories }: Digest) => Object.values(categories).flatMap(({ items }) => items);

const endpoint: readonly Sentence[] = [
  {
    place: ENDPOINT,
    sentence: "the members of the answer are categories, coverage, feedStatuses and generatedAt",
    check: async () =>
      expect(Object.keys(await digest()).sort()).toEqual(["categories", "coverage", "feedStatuses", "generatedAt"]),
  },
  {
    place: ENDPOINT,
    sentence: "the variants are full, tech, finance, happy and commodity",
    check: () => expect([...variants].sort()).toEqual(["commodity", "finance", "full", "happy", "tech"]),
  },
  ...variants.map(
    (variant): Sentence => ({
      place: RECORD,
      sentence: `the keys of categories are the categories of the variant: ${variant}`,
      check: async () => {
        const { categories, coverage } = await digest(`variant=${variant}`);
        expect(Object.keys(categories)).toEqual([...digestVariants[variant]]);
        expect(Object.keys(coverage.categoryStates).sort()).toEqual([...digestVariants[variant]].sort());
        expect(itemsOf({ categories, coverage, feedStatuses: {} }).length).toBeGreaterThan(0);
      },
    }),
  ),
  ...["energy", "FULL", "nonsense", "", "constructor"].map(
    (variant): Sentence => ({
      place: ENDPOINT,
      sentence: `the unsupported variant ${JSON.stringify(variant)} falls back to full`,
      check: async () => expect(await digest(`variant=${variant}`)).toEqual(await digest()),
    }),
  ),
  ...digestLanguages.map(
    (language): Sentence => ({
      place: ENDPOINT,
      sentence: `language is an ISO 639-1 code, and ${language} is supported`,
      check: async () => {
        expect(language).toMatch(/^[a-z]{2}$/);
        expect((await stackOf().get(`${PATH}?lang=${language}`)).status).toBe(200);
      },
    }),
  ),
  ...["tlh", "xx", "EN", "english", "en-GB", "0"].map(
    (language): Sentence => ({
      place: `${ENDPOINT}, errors rule 2`,
      sentence: `the unsupported language ${language} is a 400`,
      check: async () => expect(await fieldsRefusedAt(stackOf(), `${PATH}?lang=${language}`)).toEqual(["lang"]),
    }),
  ),
];

const records: readonly Sentence[] = [
  {
    place: RECORD,
    sentence: "a healthy feed is absent from feedStatuses",
    check: async () => {
      const { feedStatuses } = await digest();
      for (const { id } of [...crowd, feed("alone", "europe")]) expect(feedStatuses).not.toHaveProperty([id]);
    },
  },
  {
    place: RECORD,
    sentence: "a feed without a readable date is all-undated",
    check: async () => expect((await digest()).feedStatuses["undated"]).toBe("all-undated"),
  },
  {
    place: RECORD,
    sentence: "a feed in which only some entries have a date is partial-undated",
    check: async () => expect((await digest()).feedStatuses["partly"]).toBe("partial-undated"),
  },
  {
    place: RECORD,
    sentence: "a feed that could not be read, or has no items, is empty",
    check: async () => {
      const stack = stackOf();
      stack.simulator.faults.set({ upstream: "own-feeds", match: "/broken" }, { kind: "status", code: 500 });
      stack.clock.advance(HOUR_MS);
      await stack.run("digest-full-en");
      stack.simulator.faults.clear();
      expect((await digest()).feedStatuses).toMatchObject({ broken: "empty", hollow: "empty" });
    },
  },
  {
    place: RECORD,
    sentence: "an item has title, link, source, isAlert, corroborationCount, credibilityScore and importanceScore",
    check: async () => {
      for (const item of itemsOf(await digest())) {
        expect(item).toMatchObject({
          title: expect.stringMatching(/./),
          link: expect.stringMatching(/^https?:\/\//),
          source: expect.stringMatching(/./),
          isAlert: expect.any(Boolean),
          corroborationCount: expect.any(Number),
          credibilityScore: expect.any(Number),
          importanceScore: expect.any(Number),
        });
      }
    },
  },
  {
    place: `RULINGS 19, ${RECORD}`,
    sentence: "an item without a publisher's summary has no snippet",
    check: async () => {
      const items = itemsOf(await digest());
      const bare = items.filter(({ source }) => source === "partly");
      expect(bare).toHaveLength(1);
      expect(bare[0]).not.toHaveProperty("snippet");
      expect(items.filter(({ snippet }) => snippet === "")).toEqual([]);
    },
  },
  {
    place: `RULINGS 11, ${RECORD}`,
    sentence: "an item whose title mentions neither a place nor a threat has no location and no threat",
    check: async () => {
      for (const item of itemsOf(await digest("variant=happy"))) {
        for (const name of ["location", "locationName", "threat", "tickers"]) expect(item).not.toHaveProperty(name);
      }
    },
  },
  {
    place: RECORD,
    sentence: "droppedCategoryCap counts the items beyond a category's maximum",
    check: async () => {
      const { categories, coverage } = await digest();
      expect(categories["politics"]?.items).toHaveLength(CATEGORY_ITEMS_MAX);
      expect(coverage.droppedCategoryCap).toBe(crowd.length * FEED_ITEMS_MAX - CATEGORY_ITEMS_MAX);
    },
  },
  {
    place: RECORD,
    sentence: "categoryTotal counts the categories, and categoryCompleted those with a feed that was read",
    check: async () => {
      const { coverage } = await digest("variant=happy");
      expect([coverage.categoryTotal, coverage.categoryCompleted]).toEqual([digestVariants.happy.length, 1]);
      const states = Object.values(coverage.categoryStates);
      expect(states.filter((state) => state === "ok")).toHaveLength(1);
    },
  },
  {
    place: `${RECORD}, convention 4`,
    sentence: "generatedAt and attemptedAt are ISO 8601 in UTC",
    check: async () => {
      const { generatedAt = "", coverage } = await digest("variant=tech");
      expect(generatedAt).toBe(new Date(NOON).toISOString());
      expect(coverage.attemptedAt).toBe(new Date(NOON).toISOString());
    },
  },
];

describe("the digest", () => testSentences([...endpoint, ...records]));

describe("the digest before, during and after an outage of all feeds", () => {
  const replayed = sharedStack([], { ...options, datasets: ["digest-full-en"] });
  const ask = (): Promise<Digest> => bodyOf(replayed(), PATH);
  let good: Digest;
  let builtAt: number;

  testSentences([
    {
      place: "RULINGS 23",
      sentence: "a digest that was never built has no generatedAt",
      check: async () => {
        const body = await ask();
        expect(body).not.toHaveProperty("generatedAt");
        expect(body.coverage).not.toHaveProperty("attemptedAt");
        expect(body.coverage.state).toBe("unavailable");
      },
    },
    {
      place: "RULINGS 23",
      sentence: "after a successful build, attemptedAt equals generatedAt",
      check: async () => {
        await replayed().run("digest-full-en");
        builtAt = replayed().clock.now();
        good = await ask();
        expect(good.generatedAt).toBe(new Date(builtAt).toISOString());
        expect(good.coverage.attemptedAt).toBe(good.generatedAt);
      },
    },
    {
      place: "SPEC rule of the news digest",
      sentence:
        "after a failed attempt, generatedAt is the time of the served content and attemptedAt that of the attempt",
      check: async () => {
        replayed().simulator.faults.set({ upstream: "*" }, { kind: "down" });
        replayed().clock.advance(HOUR_MS);
        await replayed().run("digest-full-en");
        const body = await ask();
        expect([body.generatedAt, body.coverage.attemptedAt]).toEqual([
          new Date(builtAt).toISOString(),
          new Date(builtAt + HOUR_MS).toISOString(),
        ]);
        expect(body.categories).toEqual(good.categories);
      },
    },
    {
      place: "RULINGS 23",
      sentence: "coverage, category states and feed statuses describe the latest attempt",
      check: async () => {
        const { coverage, feedStatuses } = await ask();
        expect([coverage.state, coverage.categoryCompleted]).toEqual(["stale", 0]);
        expect(new Set(Object.values(coverage.categoryStates))).toEqual(new Set(["missing"]));
        expect(feedStatuses).toMatchObject({ alone: "empty", "crowd-0": "empty" });
      },
    },
    {
      place: "RULINGS 7 and 23",
      sentence: "content that is served again after a failed build is no-store",
      check: async () => {
        const { headers } = await replayed().get(PATH);
        expect([headers["X-Vigil-State"], headers["Cache-Control"]]).toEqual(["stale", "no-store"]);
      },
    },
    {
      place: "RULINGS 23",
      sentence: "after the next successful build, attemptedAt equals generatedAt again",
      check: async () => {
        replayed().simulator.faults.clear();
        replayed().clock.advance(15 * MINUTE_MS);
        await replayed().run("digest-full-en");
        const { generatedAt, coverage } = await ask();
        expect(generatedAt).toBe(new Date(replayed().clock.now()).toISOString());
        expect(coverage.attemptedAt).toBe(generatedAt);
      },
    },
  ]);
});

describe("the digest without items", () => {
  const emptyStackOf = sharedStack([], { ...options, datasets: ["digest-full-en"], gated: false });

  testSentences([
    {
      place: "RULINGS 23",
      sentence: "a digest without items never has the state ok",
      check: async () => {
        emptyStackOf().simulator.faults.set({ upstream: "*" }, { kind: "down" });
        await emptyStackOf().run("digest-full-en");
        const { headers } = await emptyStackOf().get(PATH);
        expect(headers["X-Vigil-State"]).not.toBe("ok");
        expect(headers["Cache-Control"]).toBe("no-store");
        expect((await bodyOf<Digest>(emptyStackOf(), PATH)).coverage.state).toBe("unavailable");
      },
    },
  ]);
});

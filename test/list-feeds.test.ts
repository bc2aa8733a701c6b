import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { DAY_MS } from "../src/kit/clock.js";
import { loadServices } from "../src/services/registry.js";
import { json, type Stack, startStack } from "./support/stack.js";

/* Lists whose rows can be served as the entries of a feed, in Atom and JSON Feed. */

const { operations } = await loadServices();
const withFeeds = operations.filter(({ operation }) => operation.list?.feed !== undefined);
const DIGEST = "/api/news/v1/list-feed-digest";

interface JsonFeed {
  readonly title: string;
  readonly feed_url: string;
  readonly items: readonly {
    readonly id: string;
    readonly url?: string;
    readonly title: string;
    readonly content_text: string;
    readonly date_published: string;
  }[];
}

interface Digest {
  readonly categories: Readonly<
    Record<
      string,
      { readonly items: readonly { readonly title: string; readonly link: string; readonly publishedAt: number }[] }
    >
  >;
}

let stack: Stack;
let key: Readonly<Record<string, string>>;
beforeAll(async () => {
  stack = await startStack({ datasets: ["digest-full-en"], filled: ["digest-full-en"] });
  key = { "x-service-key": stack.service.access.ownerKey.key ?? "" };
}, 120_000);
afterAll(() => stack.close());

const get = (target: string, headers: Readonly<Record<string, string>> = {}) =>
  stack.get(target, { ...key, ...headers });

test("the news digest can be served as a feed", () => {
  expect(withFeeds.map(({ path }) => path)).toContain(DIGEST);
});

test("a feed has the items of all categories once, newest first", async () => {
  const { categories } = json(await get(DIGEST)) as Digest;
  const items = new Map(
    Object.values(categories).flatMap((own) => own.items.map((item) => [item.link, item] as const)),
  );
  const expected = [...items.values()].toSorted((a, b) => b.publishedAt - a.publishedAt);
  const answer = await get(`${DIGEST}?format=jsonfeed`);
  const feed = json(answer) as JsonFeed;
  expect([answer.status, answer.headers["Content-Type"]]).toEqual([200, "application/feed+json; charset=utf-8"]);
  expect(items.size).toBeGreaterThan(20);
  expect(feed.items.map(({ url, date_published }) => [url, Date.parse(date_published)])).toEqual(
    expected.map(({ link, publishedAt }) => [link, publishedAt]),
  );
  expect(feed.items.map(({ title }) => title)).toEqual(expected.map(({ title }) => `[simulated] ${title}`));
  expect(answer.headers).toMatchObject({
    "X-Vigil-State": "ok",
    "X-Vigil-Generation": "digest-full-en=1",
    "X-Vigil-Rows": `count=${items.size}`,
  });
});

test("Atom and JSON Feed have the same entries, and each feed links to its own address", async () => {
  const atom = String((await get(`${DIGEST}?lang=en&variant=full`, { accept: "application/atom+xml" })).body);
  const feed = json(await get(DIGEST, { accept: "application/feed+json" })) as JsonFeed;
  const ids = Array.from(atom.matchAll(/<entry>\n<id>([^<]+)<\/id>/g), ([, id = ""]) => id.replaceAll("&amp;", "&"));
  expect(ids).toEqual(feed.items.map(({ id }) => id));
  expect(atom).toContain(
    `<link rel="self" type="application/atom+xml" href="http://127.0.0.1:8787${DIGEST}?format=atom"/>`,
  );
  expect(feed.feed_url).toBe(`http://127.0.0.1:8787${DIGEST}?format=jsonfeed`);
});

test.each([
  [
    `${DIGEST}?format=atom&jmespath=categories`,
    "must not be a feed format if jmespath, since_generation or explain is used: a feed has the whole list",
  ],
  [
    `${DIGEST}?format=atom&since_generation=1`,
    "must not be a feed format if jmespath, since_generation or explain is used: a feed has the whole list",
  ],
  [
    `${DIGEST}?format=jsonfeed&explain=true`,
    "must not be a feed format if jmespath, since_generation or explain is used: a feed has the whole list",
  ],
  [
    "/api/seismology/v1/list-earthquakes?format=atom",
    "must be one of json, csv, ndjson, geojson here: the rows are not entries of a feed",
  ],
])("%s is refused", async (target, description) => {
  const answer = await get(target);
  expect([answer.status, json(answer)]).toEqual([400, { violations: [{ field: "format", description }] }]);
});

test("Accept selects a feed only for the whole list, not for a projection of it", async () => {
  const answer = await get(`${DIGEST}?jmespath=coverage.state`, { accept: "application/atom+xml" });
  expect([answer.status, json(answer)]).toEqual([200, "complete"]);
});

describe("a feed of a list", () => {
  test("is refused with a 503 and Retry-After while there is no data, instead of having no entries", async () => {
    const empty = await startStack({ datasets: ["digest-full-en"] });
    try {
      const headers = { "x-service-key": empty.service.access.ownerKey.key ?? "" };
      for (const format of ["atom", "jsonfeed"]) {
        const answer = await empty.get(`${DIGEST}?format=${format}`, headers);
        expect([answer.status, answer.headers["Retry-After"]]).toEqual([503, "5"]);
        expect(json(answer)).toMatchObject({ error: "There is no data for this feed now (absent); try again later" });
      }
      expect((await empty.get(DIGEST, headers)).status).toBe(200);
    } finally {
      await empty.close();
    }
  });

  test('begins with the entry "These entries are not current" while its data is stale, and has another ETag', async () => {
    const fresh = await get(`${DIGEST}?format=jsonfeed`);
    stack.clock.advance(DAY_MS);
    const answer = await get(`${DIGEST}?format=jsonfeed`);
    const { items } = json(answer) as JsonFeed;
    expect(answer.headers["X-Vigil-State"]).toBe("stale");
    expect(items[0]).toMatchObject({
      id: "urn:vigil:list:list-feed-digest:stale:2026-11-18",
      title: "[simulated] These entries are not current",
      url: "http://127.0.0.1:8787/docs/concepts#states",
    });
    expect(items.slice(1)).toEqual((json(fresh) as JsonFeed).items);
    expect(answer.headers["ETag"]).not.toBe(fresh.headers["ETag"]);
  });
});

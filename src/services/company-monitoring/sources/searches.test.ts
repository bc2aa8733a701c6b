import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { failureOf, firstRequest, readBody, requestsOf } from "../../../../test/support/reading.js";
import { DAY_MS } from "../../../kit/clock.js";
import { manualClock } from "../../../kit/manual-clock.js";
import { type Simulator, startSimulator } from "../../../simulator/simulator.js";
import { braveNews, type NewsAnswer, newsSearch } from "./brave-news.js";
import { type PostAnswer, recentPosts, xPosts } from "./x-posts.js";

const NOW = Date.UTC(2026, 10, 22, 12);

describe("the search of news", () => {
  const question = firstRequest(braveNews, { text: '"Vigil & Sons"', freshness: "pd" });
  const result = (values: object = {}) => ({
    type: "news_result",
    title: "Vigil &amp; Sons <strong>recalls</strong> heaters",
    url: "https://www.wire.example/a?utm_source=x#top",
    description: "A <em>recall</em>\u202e of&nbsp;heaters",
    age: "2 hours ago",
    page_age: "2026-11-22T10:00:00",
    page_fetched: "2026-11-22T10:05:00Z",
    meta_url: { scheme: "https", netloc: "wire.example", hostname: "www.wire.example", path: "/a" },
    ...values,
  });
  const answer = (...results: readonly unknown[]) =>
    readBody(braveNews, question, { type: "news", query: { original: '"Vigil & Sons"' }, results })
      .records[0] as NewsAnswer;

  test("the query and its limits are in the address, and the key is in a header", () => {
    const [request] = requestsOf(
      braveNews,
      { text: '"Vigil & Sons"', freshness: "pd" },
      { VIGIL_BRAVE_SEARCH_KEY: "secret-key" },
    );
    const url = new URL(request?.url ?? "");
    expect(url.origin + url.pathname).toBe("https://api.search.brave.com/res/v1/news/search");
    expect(Object.fromEntries(url.searchParams)).toEqual({
      q: '"Vigil & Sons"',
      country: "ALL",
      count: "25",
      freshness: "pd",
      safesearch: "off",
      spellcheck: "false",
    });
    expect(request?.secretHeaders).toEqual({ "x-subscription-token": "secret-key" });
    expect(request?.url).not.toContain("secret-key");
  });

  test("a result becomes plain text with a canonical link", () => {
    expect(answer(result())).toEqual({
      searchedFor: '"Vigil & Sons"',
      results: [
        {
          link: "https://www.wire.example/a",
          title: "Vigil & Sons recalls heaters",
          description: "A recall of heaters",
          publishedAt: Date.UTC(2026, 10, 22, 10),
        },
      ],
      resultCount: 1,
    });
  });

  test("texts are bounded, and the fetch time replaces a missing publication time", () => {
    const [long, undated] = answer(
      result({ title: "t".repeat(5_000), description: "d".repeat(5_000), page_age: null }),
      result({ page_age: undefined, page_fetched: undefined, description: null }),
    ).results;
    expect([long?.title.length, long?.description.length, long?.publishedAt]).toEqual([
      300,
      400,
      Date.UTC(2026, 10, 22, 10, 5),
    ]);
    expect(undated).toEqual(expect.not.objectContaining({ publishedAt: expect.anything() }));
  });

  test.each([
    ["no address", result({ url: 7 })],
    ["an address that is not a link", result({ url: "javascript:alert(1)" })],
    ["no title", result({ title: "" })],
    ["a title of markup only", result({ title: "<b></b>" })],
    ["no fields", "text"],
  ])("a result with %s is counted and omitted", (_name, broken) => {
    expect(answer(broken, result())).toMatchObject({ results: [{}], resultCount: 2 });
  });

  test("an answer without results is valid, and an answer without a list or a query is reported as changed", () => {
    expect(answer()).toEqual({ searchedFor: '"Vigil & Sons"', results: [], resultCount: 0 });
    for (const body of [{ query: { original: "x" } }, { results: [] }, []]) {
      expect(failureOf(() => readBody(braveNews, question, body)).kind).toBe("changed");
    }
  });

  test("an empty query is not sent", () => {
    expect(newsSearch.plan({ text: "", freshness: "pd" })).toBeUndefined();
  });
});

describe("the search of posts", () => {
  const plan = { query: '("Vigil") -is:retweet', from: "2026-11-21T12:00:00Z", to: "2026-11-22T12:00:00Z" };
  const question = firstRequest(xPosts, plan);
  const post = (values: object = {}) => ({
    id: "1990000000000000001",
    text: "Vigil &amp; Sons <recalls> heaters\u0000 now",
    created_at: "2026-11-22T10:00:00.000Z",
    edit_history_tweet_ids: ["1990000000000000001"],
    ...values,
  });
  const read = (body: object) => readBody(xPosts, question, body).records[0] as PostAnswer;

  test("the query, its time range and its limit are in the address, and the token is in a header", () => {
    const [request] = requestsOf(xPosts, plan, { VIGIL_X_BEARER_TOKEN: "secret-token" });
    const url = new URL(request?.url ?? "");
    expect(url.origin + url.pathname).toBe("https://api.x.com/2/tweets/search/recent");
    expect(Object.fromEntries(url.searchParams)).toMatchObject({
      query: plan.query,
      start_time: plan.from,
      end_time: plan.to,
      max_results: "100",
    });
    expect(request?.secretHeaders).toEqual({ authorization: "Bearer secret-token" });
    expect(request?.url).not.toContain("secret-token");
  });

  test("a post becomes plain text with its time", () => {
    const meta = { newest_id: "1", oldest_id: "1", result_count: 1, next_token: "b26v89c19zqg8o3f" };
    expect(read({ data: [post()], meta })).toEqual({
      posts: [
        {
          postId: "1990000000000000001",
          text: expect.stringMatching(/^Vigil & Sons .*heaters ?now$/),
          postedAt: Date.UTC(2026, 10, 22, 10),
        },
      ],
      listedCount: 1,
      statedCount: 1,
      hasMore: true,
      hasErrors: false,
    });
  });

  test("posts that cannot be read are counted, and partial errors are noted", () => {
    const data = [post({ id: "x" }), post({ created_at: "lately" }), post({ text: 7 }), post()];
    const answer = read({ data, meta: { result_count: 4 }, errors: [{ title: "Not Found Error" }] });
    expect(answer).toMatchObject({ listedCount: 4, hasErrors: true, hasMore: false });
    expect(answer.posts).toHaveLength(1);
  });

  test("an answer that states that it has no posts is valid, and an answer without a count is reported as changed", () => {
    expect(read({ meta: { result_count: 0 } })).toMatchObject({ posts: [], statedCount: 0 });
    for (const body of [{}, { data: [post()] }, { errors: [{ title: "Service Unavailable" }] }]) {
      expect(failureOf(() => readBody(xPosts, question, body)).kind).toBe("changed");
    }
  });

  test("an empty query is not sent", () => {
    expect(recentPosts.plan({ ...plan, query: "" })).toBeUndefined();
  });
});

describe("simulated searches", () => {
  let simulator: Simulator;
  beforeAll(async () => {
    simulator = await startSimulator({ clock: manualClock(NOW), seed: 1 });
  });
  afterAll(() => simulator.close());

  const ask = async (url: string, headers: Readonly<Record<string, string>>) => {
    const answer = await fetch(url.replace("https://", `${simulator.baseUrl}/`), { headers });
    return { status: answer.status, body: await answer.text() };
  };

  test("the simulated searches answer in the upstreams' formats, and find nothing about companies of the simulated registers", async () => {
    for (const [name, count] of [
      ["Northlight Shipping", 1],
      ["Simulated Merzurla 0", 0],
    ] as const) {
      const news = firstRequest(braveNews, { text: `"${name}"`, freshness: "pd" });
      const { body } = await ask(news.url, { "x-subscription-token": "k" });
      expect(readBody(braveNews, news, body).records).toMatchObject([
        {
          searchedFor: `"${name}"`,
          resultCount: count,
          results: Array(count).fill({ description: expect.anything() }),
        },
      ]);
      const posts = firstRequest(xPosts, {
        query: `("${name}") -is:retweet`,
        from: new Date(NOW - DAY_MS).toISOString(),
        to: new Date(NOW).toISOString(),
      });
      const answer = await ask(posts.url, { authorization: "Bearer k" });
      expect(readBody(xPosts, posts, answer.body).records).toMatchObject([
        { listedCount: 2 * count, statedCount: 2 * count, posts: Array(2 * count).fill({ text: expect.anything() }) },
      ]);
    }
  });

  test("the simulated searches refuse calls without a key and queries that the upstreams reject", async () => {
    const news = firstRequest(braveNews, { text: '"Vigil"', freshness: "pd" });
    expect((await ask(news.url, {})).status).toBe(422);
    const late = { query: "x", from: new Date(NOW - 8 * DAY_MS).toISOString(), to: new Date(NOW).toISOString() };
    const posts = firstRequest(xPosts, late);
    expect((await ask(posts.url, {})).status).toBe(401);
    expect((await ask(posts.url, { authorization: "Bearer k" })).status).toBe(400);
  });
});

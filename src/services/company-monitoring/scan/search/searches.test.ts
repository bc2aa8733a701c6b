import { describe, expect, test } from "vitest";
import type { Observation } from "../../../../contract/on-demand.js";
import { DAY_MS, HOUR_MS, MINUTE_MS } from "../../../../kit/clock.js";
import { companyMatcher } from "../../matching/company-matcher.js";
import type { NewsAnswer, NewsPlan } from "../../sources/brave-news.js";
import type { PostAnswer, PostPlan } from "../../sources/x-posts.js";
import type { ScannedCompany } from "../provider.js";
import { searchedCompany } from "../providers/searched-company.js";
import { postSearch } from "./post-search.js";
import { searchCompanies } from "./search-companies.js";
import type { SearchProvider } from "./search-provider.js";
import { webSearch } from "./web-search.js";

const NOW = Date.UTC(2026, 10, 22, 12);
const COMPLETE = "PROVIDER_COVERAGE_STATE_COMPLETE";
const FAILED = "PROVIDER_COVERAGE_STATE_FAILED";

const companyOf = (name: string): ScannedCompany => ({
  companyKey: name,
  accountId: "acc",
  name,
  domicileCountry: "US",
  claims: [],
});

const fresh = <T>(data: T, fetchedAt = NOW): Observation<readonly T[]> => ({
  state: "fresh",
  fetchedAt,
  expiresAt: fetchedAt + 1,
  data: [data],
});
const failed = (error: string, rest: object = {}): Observation<never> => ({
  state: "error",
  fetchedAt: NOW,
  expiresAt: NOW,
  error,
  ...rest,
});

interface RoundOptions {
  readonly completeUntil?: number | null;
  readonly deadline?: number;
  readonly now?: number;
}

function search(provider: SearchProvider, names: readonly string[], options: RoundOptions = {}) {
  const companies = names.map(companyOf);
  return searchCompanies(
    companies.map((company) => ({ company, completeUntil: options.completeUntil ?? null })),
    {
      provider,
      matcher: companyMatcher(companies.map(searchedCompany)),
      now: () => options.now ?? NOW,
      deadline: options.deadline ?? NOW + MINUTE_MS,
    },
  );
}

const article = (title: string, values: object = {}) => ({
  link: "https://wire.example/1",
  title,
  description: "",
  publishedAt: NOW - HOUR_MS,
  ...values,
});

function news(answerOf: (plan: NewsPlan) => Observation<readonly NewsAnswer[]>, now = NOW) {
  const plans: NewsPlan[] = [];
  const provider = webSearch({
    observe: async (plan) => {
      plans.push(plan);
      return answerOf(plan);
    },
    publisherOf: (link) =>
      link.startsWith("https://wire.example/") ? { publisher: "Wire", family: "wire", isAuthority: true } : undefined,
    now: () => now,
  });
  return { provider, plans };
}

const results = (text: string, ...rows: NewsAnswer["results"]): NewsAnswer => ({
  searchedFor: text,
  results: rows,
  resultCount: rows.length,
});

describe("the web search", () => {
  test("an article that names the company is a finding, with the tier and origin of its publisher", async () => {
    const { provider } = news(({ text }) =>
      fresh(
        results(
          text,
          article("Orrin Shipping recalls ferries"),
          article("Orrin Shipping denies it", { link: "https://www.blog.example/2", publishedAt: undefined }),
          article("Others recall ferries", { link: "https://wire.example/3" }),
          article("Orrin Shipping, eight days ago", { publishedAt: NOW - 8 * DAY_MS }),
        ),
      ),
    );
    const { outcomes } = await search(provider, ["Orrin Shipping LLC"]);
    expect(outcomes.get("Orrin Shipping LLC")).toMatchObject({
      window: {
        state: COMPLETE,
        reasonCode: "complete",
        capped: false,
        start: NOW - 23 * HOUR_MS + MINUTE_MS,
        end: NOW - HOUR_MS,
      },
      findings: [
        {
          provider: "MONITORING_PROVIDER_SEARCH",
          sourceId: "https://wire.example/1",
          publisher: "Wire",
          origin: "wire",
          authorityTier: "EVIDENCE_AUTHORITY_TIER_INDEPENDENT_AUTHORITATIVE",
          attribution: expect.any(Number),
        },
        {
          publisher: "blog.example",
          origin: "blog.example",
          authorityTier: "EVIDENCE_AUTHORITY_TIER_ORDINARY",
          publishedAt: NOW,
        },
      ],
    });
  });

  test.each([0, 1, 30_000, 59_999])(
    "the first search of a company asks for the last 24 hours, also %d ms after a whole minute",
    async (sinceMinute) => {
      const now = NOW + sinceMinute;
      const { provider, plans } = news(({ text }) => fresh(results(text), now), now);
      const { outcomes } = await search(provider, ["Orrin"], { now });
      expect(plans).toEqual([{ text: '"Orrin"', freshness: "pd" }]);
      expect(outcomes.get("Orrin")?.window).toMatchObject({ start: NOW - 23 * HOUR_MS + MINUTE_MS });
    },
  );

  test("each company has its own query, and a window continues where the last one ended", async () => {
    const { provider, plans } = news(({ text }) => fresh(results(text)));
    const recent = await search(provider, ["Orrin", "Tessel"], { completeUntil: NOW - 13 * HOUR_MS });
    await search(provider, ["Orrin"], { completeUntil: NOW - 3 * DAY_MS });
    const late = await search(provider, ["Orrin"], { completeUntil: NOW - 30 * DAY_MS });
    expect(plans).toEqual([
      { text: '"Orrin"', freshness: "pd" },
      { text: '"Tessel"', freshness: "pd" },
      { text: '"Orrin"', freshness: "2026-11-19to2026-11-22" },
      { text: '"Orrin"', freshness: "2026-11-15to2026-11-22" },
    ]);
    expect(recent.outcomes.get("Tessel")?.window).toMatchObject({ start: NOW - 13 * HOUR_MS });
    // A window reaches back at most seven days, so a gap remains after the end of the previous window.
    expect(late.outcomes.get("Orrin")?.window).toMatchObject({ start: NOW - HOUR_MS - 7 * DAY_MS });
  });

  test("the window of a cached answer ends an hour before the answer was fetched, not an hour before now", async () => {
    const { provider } = news(({ text }) => fresh(results(text), NOW - 30 * MINUTE_MS));
    const { outcomes } = await search(provider, ["Orrin"]);
    expect(outcomes.get("Orrin")?.window).toMatchObject({ end: NOW - 90 * MINUTE_MS });
  });

  test("a full answer is capped, and an answer with unreadable results is malformed", async () => {
    const { provider } = news(({ text }) => fresh({ ...results(text), resultCount: text === '"Full"' ? 25 : 2 }));
    const { outcomes } = await search(provider, ["Full", "Broken"]);
    expect(outcomes.get("Full")?.window).toMatchObject({ capped: true });
    expect(outcomes.get("Broken")?.window).toMatchObject({
      state: "PROVIDER_COVERAGE_STATE_PARTIAL",
      reasonCode: "malformed",
      capped: false,
    });
  });

  test("an empty answer is valid only if it repeats the query", async () => {
    const { provider } = news(() => fresh(results('"Orrin"')));
    const { outcomes } = await search(provider, ["Orrin", "Tessel"]);
    expect(outcomes.get("Orrin")?.window.state).toBe(COMPLETE);
    expect(outcomes.get("Tessel")?.window).toEqual({ state: FAILED, reasonCode: "invalid_empty" });
  });

  test.each([
    ["api: answered 429; expected 200", {}, "rate_limited", 1],
    ["api: the host requested a pause; expected a call after 2026", {}, "rate_limited", 1],
    ["the budget company-search of this billing cycle is spent", { reason: "budget" }, "rate_limited", 1],
    ["api: answered 402; expected 200", {}, "rate_limited", 1],
    ["api: answered 401; expected 200", {}, "authentication_failed", 1],
    ["api: answered 422; expected 200", {}, "request_rejected", 3],
    ["api: answered 503; expected 200", {}, "provider_unavailable", 3],
    ["no answer within 20000 ms", {}, "timeout", 3],
    ["expected the results of a news search", { isChanged: true }, "malformed", 3],
  ])(
    "the error %j makes every window fail, and stops further queries only if they would fail too",
    async (error, rest, reasonCode, calls) => {
      const { provider, plans } = news(() => failed(error, rest));
      const { outcomes, refusal } = await search(provider, ["Orrin", "Tessel", "Adara"]);
      expect([...outcomes.values()]).toEqual(Array(3).fill({ window: { state: FAILED, reasonCode }, findings: [] }));
      expect([plans.length, refusal]).toEqual([calls, calls === 1 ? reasonCode : undefined]);
    },
  );

  test("nothing is sent after the deadline, and the remaining companies have no outcome", async () => {
    const { provider, plans } = news(({ text }) => fresh(results(text)));
    expect([(await search(provider, ["Orrin"], { deadline: NOW })).outcomes.size, plans]).toEqual([0, []]);
  });
});

const none: PostAnswer = { posts: [], listedCount: 0, statedCount: 0, hasMore: false, hasErrors: false };
const postsAbout = (...texts: readonly string[]): PostAnswer => ({
  ...none,
  posts: texts.map((text, at) => ({ postId: String(at + 1), text, postedAt: NOW - HOUR_MS })),
  listedCount: texts.length,
  statedCount: texts.length,
});

function posts(answerOf: (plan: PostPlan) => Observation<readonly PostAnswer[]>) {
  const plans: PostPlan[] = [];
  const provider = postSearch(async (plan) => {
    plans.push(plan);
    return answerOf(plan);
  });
  return { provider, plans };
}

describe("the search of posts", () => {
  test("companies share a query, and the names in the posts identify them", async () => {
    const { provider, plans } = posts(() => fresh(postsAbout("Orrin Shipping sinks", "Tessel Foods soars", "nothing")));
    const { outcomes } = await search(provider, ["Orrin Shipping", "Tessel Foods", "Adara Pharma"]);
    expect(plans).toEqual([
      {
        query: '("Orrin Shipping" OR "Tessel Foods" OR "Adara Pharma") -is:retweet',
        from: "2026-11-21T11:59:00Z",
        to: "2026-11-22T11:59:00Z",
      },
    ]);
    const titles = [...outcomes.values()].map(({ findings }) => findings.map(({ title }) => title));
    expect(titles).toEqual([["Orrin Shipping sinks"], ["Tessel Foods soars"], []]);
    expect(outcomes.get("Orrin Shipping")?.findings[0]).toMatchObject({
      provider: "MONITORING_PROVIDER_SOCIAL",
      canonicalUrl: "https://x.com/i/web/status/1",
      origin: "X",
      authorityTier: "EVIDENCE_AUTHORITY_TIER_ORDINARY",
    });
  });

  test("a search for a company that was searched a moment ago covers one minute, because X refuses an empty period", async () => {
    const { provider, plans } = posts(() => fresh(none));
    const { outcomes } = await search(provider, ["Orrin"], { completeUntil: NOW - MINUTE_MS });
    expect(plans).toMatchObject([{ from: "2026-11-22T11:58:00Z", to: "2026-11-22T11:59:00Z" }]);
    const [start, end] = [NOW - 2 * MINUTE_MS, NOW - MINUTE_MS];
    expect(outcomes.get("Orrin")?.window).toMatchObject({ state: COMPLETE, start, end });
  });

  test("a query has at most 25 companies and 512 characters", async () => {
    const { provider, plans } = posts(() => fresh(none));
    await search(
      provider,
      Array.from({ length: 60 }, (_, at) => `C${at}`),
    );
    await search(
      provider,
      Array.from({ length: 25 }, (_, at) => `Company with the long name number ${at}`),
    );
    const sizes = plans.map(({ query }) => query.split(" OR ").length);
    expect(sizes.slice(0, 3)).toEqual([25, 25, 10]);
    expect(sizes.slice(3).reduce((sum, size) => sum + size, 0)).toBe(25);
    expect(Math.max(...plans.map(({ query }) => query.length))).toBeLessThanOrEqual(512);
  });

  test("only the busy company of a group is capped, because the group is split", async () => {
    const { provider, plans } = posts(({ query }) => fresh({ ...none, hasMore: query.includes('"Busy"') }));
    const { outcomes } = await search(provider, ["Orrin", "Tessel", "Busy", "Adara"]);
    const capped = [...outcomes].map(([name, { window }]) => [name, "capped" in window && window.capped]);
    expect(capped).toEqual([
      ["Orrin", false],
      ["Tessel", false],
      ["Busy", true],
      ["Adara", false],
    ]);
    expect(plans).toHaveLength(5);
  });

  test("a company whose query is rejected does not make the others fail", async () => {
    const { provider } = posts(({ query }) =>
      query.includes("Odd") ? failed("x: answered 400; expected 200") : fresh(none),
    );
    const { outcomes } = await search(provider, ["Orrin", "Odd"]);
    expect(outcomes.get("Orrin")?.window.state).toBe(COMPLETE);
    expect(outcomes.get("Odd")?.window).toEqual({ state: FAILED, reasonCode: "request_rejected" });
  });

  test("an empty answer is valid only if it states a count of zero, and unreadable posts make an answer partial", async () => {
    const answers: Readonly<Record<string, PostAnswer>> = {
      Quiet: none,
      Lost: { ...none, statedCount: 3 },
      Broken: { ...none, listedCount: 1, statedCount: 1 },
      Partial: { ...none, hasErrors: true },
    };
    const seen: unknown[] = [];
    for (const [name, answer] of Object.entries(answers)) {
      const { outcomes } = await search(posts(() => fresh(answer)).provider, [name]);
      const window = outcomes.get(name)?.window;
      seen.push([name, window?.state.slice("PROVIDER_COVERAGE_STATE_".length), window?.reasonCode]);
    }
    expect(seen).toEqual([
      ["Quiet", "COMPLETE", "complete"],
      ["Lost", "FAILED", "invalid_empty"],
      ["Broken", "PARTIAL", "malformed"],
      ["Partial", "PARTIAL", "provider_partial"],
    ]);
  });
});

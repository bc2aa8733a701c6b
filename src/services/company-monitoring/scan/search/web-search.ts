import type { Observation } from "../../../../contract/on-demand.js";
import { DAY_MS, HOUR_MS, MINUTE_MS } from "../../../../kit/clock.js";
import { NEWS_RESULTS_MAX, type NewsAnswer, type NewsPlan, type NewsResult } from "../../sources/brave-news.js";
import { failureReason } from "../failure-reason.js";
import type { ScannedCompany } from "../provider.js";
import { hostOf, type KnownPublisher } from "./known-publishers.js";
import { accountRefusals, type ResultText, type SearchAnswer, type SearchProvider } from "./search-provider.js";
import { quoted, searchedPhrases } from "./searched-phrases.js";

const FINDING_AGE_MAX_MS = 7 * DAY_MS;
const AHEAD_MAX_MS = HOUR_MS;

export interface WebSearchParts {
  observe(plan: NewsPlan): Promise<Observation<readonly NewsAnswer[]>>;
  publisherOf(link: string): KnownPublisher | undefined;
  /** Now, epoch ms. */
  now(): number;
}

/**
 * Searches the web for articles that name a company. Each company needs its own query: results are ranked and few,
 * so an answer about several companies would not show which of them has no articles.
 */
export function webSearch({ observe, publisherOf, now }: WebSearchParts): SearchProvider {
  return {
    provider: "MONITORING_PROVIDER_SEARCH",
    everyMs: 12 * HOUR_MS,
    freshMs: 36 * HOUR_MS,
    // A day, less the hour until the index shows an article, and less the hour for which an answer is shared. One more
    // minute is taken off because the end of a period is rounded down to a minute, which moves the start back as well.
    firstMs: DAY_MS - 2 * HOUR_MS - MINUTE_MS,
    reachMs: 7 * DAY_MS,
    // The index shows an article within about an hour.
    lagMs: HOUR_MS,
    fitsTogether: ({ length }) => length === 1,
    async ask([company], { start }) {
      const text = company ? queryOf(company) : "";
      return answerOf(await observe({ text, freshness: freshnessOf(start, now()) }), text, publisherOf, now());
    },
  };
}

/**
 * Builds the query for articles that contain at least one of a company's names. The upstream accepts 400 characters and
 * 50 words. A query has at most four phrases and stays within these limits.
 */
export function queryOf(company: ScannedCompany): string {
  return searchedPhrases(company).map(quoted).join(" OR ");
}

/**
 * Returns the period to search: the last 24 hours (`pd`) if `start` is at most 23 hours ago, otherwise whole UTC days
 * from `start` on. The limit is 23 hours, because a shared answer may be an hour old.
 */
function freshnessOf(start: number, now: number): string {
  return now - start <= DAY_MS - HOUR_MS ? "pd" : `${dayOf(start)}to${dayOf(now)}`;
}

function dayOf(at: number): string {
  return new Date(at).toISOString().slice(0, 10);
}

function answerOf(
  observation: Observation<readonly NewsAnswer[]>,
  text: string,
  publisherOf: WebSearchParts["publisherOf"],
  now: number,
): SearchAnswer {
  if (observation.state === "error") {
    const reasonCode = failureReason(observation);
    return { state: "failed", reasonCode, isRefused: accountRefusals.has(reasonCode) };
  }
  const answer = observation.state === "miss" || observation.state === "not-asked" ? undefined : observation.data[0];
  // An empty answer is valid only if it repeats the query.
  if (!answer || (answer.resultCount === 0 && answer.searchedFor !== text)) {
    return { state: "failed", reasonCode: "invalid_empty", isRefused: false };
  }
  return {
    state: "read",
    texts: answer.results.flatMap((result) => textOf(result, observation.fetchedAt, now, publisherOf)),
    isCapped: answer.resultCount >= NEWS_RESULTS_MAX,
    ...(answer.results.length < answer.resultCount && { lacks: "malformed" as const }),
    readAt: observation.fetchedAt,
  };
}

function textOf(
  { link, title, description, publishedAt }: NewsResult,
  fetchedAt: number,
  now: number,
  publisherOf: WebSearchParts["publisherOf"],
): readonly ResultText[] {
  // The search was limited to recent articles, so an undated article counts as published at the time of the search.
  const at = publishedAt ?? fetchedAt;
  if (at < now - FINDING_AGE_MAX_MS || at > now + AHEAD_MAX_MS) return [];
  const host = hostOf(link);
  const publisher = publisherOf(link);
  return [
    {
      parts: [
        { text: title, kind: "title" },
        { text: description, kind: "text" },
      ],
      finding: {
        provider: "MONITORING_PROVIDER_SEARCH",
        sourceId: link,
        canonicalUrl: link,
        publisher: publisher?.publisher ?? host,
        origin: publisher?.family ?? host,
        authorityTier: `EVIDENCE_AUTHORITY_TIER_${publisher?.isAuthority ? "INDEPENDENT_AUTHORITATIVE" : "ORDINARY"}`,
        title,
        excerpt: description,
        publishedAt: at,
      },
    },
  ];
}

import type { Observation } from "../../../../contract/on-demand.js";
import { DAY_MS, HOUR_MS, MINUTE_MS } from "../../../../kit/clock.js";
import type { Post, PostAnswer, PostPlan } from "../../sources/x-posts.js";
import { failureReason } from "../failure-reason.js";
import type { ScannedCompany } from "../provider.js";
import { accountRefusals, type ResultText, type SearchAnswer, type SearchProvider } from "./search-provider.js";
import { quoted, searchedPhrases } from "./searched-phrases.js";

/** Maximum number of companies in one query. */
const COHORT_MAX = 25;
/** The upstream accepts 512 characters. */
const QUERY_CHARACTERS_MAX = 512;
/** Reposts are not evidence. */
const WITHOUT_COPIES = " -is:retweet";

/**
 * Searches for posts that name a company. Up to 25 companies share a query, which finds the posts that name at least
 * one of them. The names in the text of a post show which companies it is about.
 */
export function postSearch(observe: (plan: PostPlan) => Promise<Observation<readonly PostAnswer[]>>): SearchProvider {
  return {
    provider: "MONITORING_PROVIDER_SOCIAL",
    everyMs: 12 * HOUR_MS,
    freshMs: 36 * HOUR_MS,
    firstMs: DAY_MS,
    // The search rejects times more than seven days ago.
    reachMs: 7 * DAY_MS - HOUR_MS,
    lagMs: MINUTE_MS,
    fitsTogether: (companies) => companies.length <= COHORT_MAX && queryOf(companies).length <= QUERY_CHARACTERS_MAX,
    async ask(companies, { start, end }) {
      return answerOf(await observe({ query: queryOf(companies), from: instantOf(start), to: instantOf(end) }));
    },
  };
}

/** Builds the query for posts with any of the companies' names. The names of one company always fit into a query. */
export function queryOf(companies: readonly ScannedCompany[]): string {
  return `(${companies.flatMap(searchedPhrases).map(quoted).join(" OR ")})${WITHOUT_COPIES}`;
}

function instantOf(at: number): string {
  return `${new Date(at).toISOString().slice(0, 19)}Z`;
}

function answerOf(observation: Observation<readonly PostAnswer[]>): SearchAnswer {
  if (observation.state === "error") {
    const reasonCode = failureReason(observation);
    return { state: "failed", reasonCode, isRefused: accountRefusals.has(reasonCode) };
  }
  const answer = observation.state === "miss" || observation.state === "not-asked" ? undefined : observation.data[0];
  // An empty answer is valid only if the upstream states that it has no posts.
  if (!answer || (answer.listedCount === 0 && answer.statedCount > 0)) {
    return { state: "failed", reasonCode: "invalid_empty", isRefused: false };
  }
  const isWhole = answer.posts.length === answer.listedCount;
  return {
    state: "read",
    texts: answer.posts.map(textOf),
    isCapped: answer.hasMore,
    ...(!isWhole ? { lacks: "malformed" as const } : answer.hasErrors && { lacks: "provider_partial" as const }),
    readAt: observation.fetchedAt,
  };
}

/**
 * Posts are matched as running text, in which a name is weaker evidence of a company than in a title. All posts
 * together count as one origin.
 */
function textOf({ postId, text, postedAt }: Post): ResultText {
  const link = `https://x.com/i/web/status/${postId}`;
  return {
    parts: [{ text, kind: "text" }],
    finding: {
      provider: "MONITORING_PROVIDER_SOCIAL",
      sourceId: postId,
      canonicalUrl: link,
      publisher: "X",
      origin: "X",
      authorityTier: "EVIDENCE_AUTHORITY_TIER_ORDINARY",
      title: text,
      excerpt: text,
      publishedAt: postedAt,
    },
  };
}

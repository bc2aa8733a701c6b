import { type Static, Type } from "typebox";
import { Value } from "typebox/value";
import { header } from "../../../contract/auth.js";
import type { OnDemandRead } from "../../../contract/on-demand.js";
import { SourceFailure, source, step } from "../../../contract/source.js";
import { canonicalLink } from "../../../feeds/canonical-link.js";
import { plainText } from "../../../feeds/plain-text.js";
import { HOUR_MS, SECOND_MS } from "../../../kit/clock.js";
import { isoInstant } from "../../../kit/iso-instant.js";

/** An article in the answer to a search. */
export interface NewsResult {
  readonly link: string;
  /** Plain text, like the description. */
  readonly title: string;
  readonly description: string;
  /** Epoch ms; absent if the article has no time in the answer. */
  readonly publishedAt?: number;
}

/** The answer to one search. */
export interface NewsAnswer {
  /** The search text, as the upstream repeats it. */
  readonly searchedFor: string;
  readonly results: readonly NewsResult[];
  /** Number of results in the answer, including unreadable ones. */
  readonly resultCount: number;
}

export interface NewsPlan {
  /** Search text, at most 400 characters and 50 words. */
  readonly text: string;
  /** `pd` for the last 24 hours, or `YYYY-MM-DDtoYYYY-MM-DD`. */
  readonly freshness: string;
}

/** Maximum number of results per search. The upstream allows 50. */
export const NEWS_RESULTS_MAX = 25;
const [TITLE_CHARACTERS_MAX, DESCRIPTION_CHARACTERS_MAX] = [300, 400];
/** Brave's smallest subscription allows one request a second. */
const SPACING_MS = SECOND_MS;

const Text = Type.Optional(Type.Union([Type.String(), Type.Null()]));
const Answer = Type.Object({
  query: Type.Object({ original: Type.String() }),
  results: Type.Array(Type.Unknown()),
});
const Result = Type.Object({
  url: Type.String(),
  title: Type.String({ minLength: 1 }),
  description: Text,
  page_age: Text,
  page_fetched: Text,
});

/** Articles in Brave's news index that contain the words of a search. Each answer is one record. */
export const braveNews = source({
  id: "brave-news-search",
  title: "Brave Search, news",
  home: "https://api-dashboard.search.brave.com/documentation/services/news-search",
  seen: "described",
  licence: {
    name: "Brave Search API terms; storing results needs a plan with storage rights",
    url: "https://brave.com/search/api/",
    open: false,
  },
  auth: header("x-subscription-token", {
    variable: "VIGIL_BRAVE_SEARCH_KEY",
    description: "Key for the Brave Search API; without it, company monitoring does not search the web for news",
  }),
  budgets: ["company-search"],
  steps: {
    news: step({
      request: ({ text, freshness }: NewsPlan) => ({
        key: text,
        url: `https://api.search.brave.com/res/v1/news/search?${new URLSearchParams({
          q: text,
          country: "ALL",
          count: String(NEWS_RESULTS_MAX),
          freshness,
          safesearch: "off",
          spellcheck: "false",
        })}`,
        headers: { accept: "application/json" },
        timeoutMs: 10 * SECOND_MS,
        bytesMax: 2 ** 20,
        spacingMs: SPACING_MS,
      }),
      format: { kind: "json" },
      row: Answer,
      rows(document) {
        if (!Value.Check(Answer, document)) {
          throw new SourceFailure("changed", "expected the results of a news search and its query");
        }
        return [document];
      },
      record: ({ query, results }): NewsAnswer => ({
        searchedFor: query.original,
        results: results.flatMap(resultOf),
        resultCount: results.length,
      }),
    }),
  },
  observedAt: () => undefined,
  ranges: { resultCount: [0, 10_000] },
});

function resultOf(row: unknown): readonly NewsResult[] {
  if (!Value.Check(Result, row)) return [];
  const link = canonicalLink(row.url);
  const title = plainText(row.title, TITLE_CHARACTERS_MAX);
  if (link === undefined || title === "") return [];
  const publishedAt = publishedAtOf(row);
  return [
    {
      link,
      title,
      description: plainText(row.description ?? "", DESCRIPTION_CHARACTERS_MAX),
      ...(publishedAt !== undefined && { publishedAt }),
    },
  ];
}

/**
 * Returns the `page_age` of a page, or else the time at which the page was fetched. `page_age` has no offset and is
 * UTC.
 */
function publishedAtOf({ page_age, page_fetched }: Static<typeof Result>): number | undefined {
  for (const text of [page_age, page_fetched]) {
    const at = isoInstant(/(?:Z|[+-]\d{2}:\d{2})$/.test(text ?? "") ? (text ?? "") : `${text}Z`);
    if (at !== undefined) return at;
  }
  return undefined;
}

/** Searches the news. Accounts that monitor the same company share an answer for an hour. */
export const newsSearch: OnDemandRead<NewsPlan, NewsAnswer> = {
  name: "news search",
  source: braveNews,
  ttlMs: HOUR_MS,
  missTtlMs: HOUR_MS,
  timeLimitMs: 20 * SECOND_MS,
  plan: ({ text, freshness }): NewsPlan | undefined => (text === "" ? undefined : { text, freshness }),
};

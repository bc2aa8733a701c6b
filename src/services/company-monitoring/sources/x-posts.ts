import { Type } from "typebox";
import { Value } from "typebox/value";
import { header } from "../../../contract/auth.js";
import type { OnDemandRead } from "../../../contract/on-demand.js";
import { SourceFailure, source, step } from "../../../contract/source.js";
import { plainText } from "../../../feeds/plain-text.js";
import { MINUTE_MS, SECOND_MS } from "../../../kit/clock.js";
import { isoInstant } from "../../../kit/iso-instant.js";

export interface Post {
  readonly postId: string;
  /** Plain text. */
  readonly text: string;
  /** Epoch ms. */
  readonly postedAt: number;
}

/** The answer to one search. */
export interface PostAnswer {
  readonly posts: readonly Post[];
  /** Number of posts in the answer, including unreadable ones. */
  readonly listedCount: number;
  /** Number of posts in the answer, as stated by the upstream; 0 confirms that the search found none. */
  readonly statedCount: number;
  /** There are further pages. */
  readonly hasMore: boolean;
  /** The upstream could not read some of the posts. */
  readonly hasErrors: boolean;
}

export interface PostPlan {
  /** Search text with operators, at most 512 characters. */
  readonly query: string;
  /** ISO instants without fractions of a second. `to` is exclusive. */
  readonly from: string;
  readonly to: string;
}

/** Maximum number of posts per page. */
const PAGE_POSTS_MAX = 100;
const TEXT_CHARACTERS_MAX = 400;
/** X lets an application send 450 searches in 15 minutes: one every two seconds. */
const SPACING_MS = 2 * SECOND_MS;

const Answer = Type.Object({
  data: Type.Optional(Type.Array(Type.Unknown())),
  meta: Type.Object({ result_count: Type.Integer({ minimum: 0 }), next_token: Type.Optional(Type.String()) }),
  errors: Type.Optional(Type.Array(Type.Unknown())),
});
const Row = Type.Object({
  id: Type.String({ pattern: "^\\d{1,20}$" }),
  text: Type.String(),
  created_at: Type.String(),
});

/** Public posts of the last seven days on X, newest first. Each answer is one record. */
export const xPosts = source({
  id: "x-recent-search",
  title: "X, recent posts",
  home: "https://docs.x.com/x-api/posts/search/introduction",
  seen: "described",
  licence: {
    name: "X Developer Agreement",
    url: "https://developer.x.com/en/developer-terms/agreement-and-policy",
    open: false,
  },
  auth: header(
    "authorization",
    {
      variable: "VIGIL_X_BEARER_TOKEN",
      description: "Bearer token of an X app; without it, company monitoring does not search posts",
    },
    "Bearer",
  ),
  budgets: ["company-social"],
  steps: {
    posts: step({
      request: ({ query, from, to }: PostPlan) => ({
        key: `${from} ${query}`,
        url: `https://api.x.com/2/tweets/search/recent?${new URLSearchParams({
          query,
          start_time: from,
          end_time: to,
          max_results: String(PAGE_POSTS_MAX),
          sort_order: "recency",
          "tweet.fields": "created_at",
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
          throw new SourceFailure("changed", "expected posts with a meta.result_count");
        }
        return [document];
      },
      record: ({ data = [], meta, errors = [] }): PostAnswer => ({
        posts: data.flatMap(postOf),
        listedCount: data.length,
        statedCount: meta.result_count,
        hasMore: meta.next_token !== undefined,
        hasErrors: errors.length > 0,
      }),
    }),
  },
  observedAt: () => undefined,
  ranges: { listedCount: [0, 10_000], statedCount: [0, 10_000] },
});

function postOf(row: unknown): readonly Post[] {
  if (!Value.Check(Row, row)) return [];
  const postedAt = isoInstant(row.created_at);
  const text = plainText(row.text, TEXT_CHARACTERS_MAX);
  return postedAt === undefined || text === "" ? [] : [{ postId: row.id, text, postedAt }];
}

/** Searches posts. */
export const recentPosts: OnDemandRead<PostPlan, PostAnswer> = {
  name: "recent posts",
  source: xPosts,
  ttlMs: 5 * MINUTE_MS,
  missTtlMs: 5 * MINUTE_MS,
  timeLimitMs: 20 * SECOND_MS,
  plan: (query): PostPlan | undefined => (query.query === "" ? undefined : query),
};

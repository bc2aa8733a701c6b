import { Type } from "typebox";
import { operation } from "../../../contract/operation.js";
import { type QueryField, quoted, single, text } from "../../../contract/query-field.js";
import type { Snapshot } from "../../../contract/snapshot.js";
import { SECOND_MS } from "../../../kit/clock.js";
import { type DigestVariant, digestVariants, isDigestVariant } from "../catalogue/digest-variants.js";
import { digestLanguages } from "../catalogue/feed-catalogue.js";
import type { DigestCounts } from "../digest-records.js";
import { type DigestCoverage, ListFeedDigestResponse } from "../digest-schemas.js";
import { digestKey, digests, STALE_AFTER_MS } from "../products/digests.js";
import type { DigestView, StoredCoverage } from "../rules/digest-view.js";

const variantNames = Object.keys(digestVariants).join(", ");

/** The digest variant by name. Unknown names select the full digest. */
const variantText = text(`Kind of digest: ${variantNames}; any other value means full`);
const variant: QueryField<DigestVariant> = {
  ...variantText,
  schema: Type.String({ ...variantText.schema, default: "full" }),
  decode(values, now) {
    const decoded = variantText.decode(values, now);
    if ("violation" in decoded) return decoded;
    return { value: isDigestVariant(decoded.value) ? decoded.value : "full" };
  },
  canonical: (value) => (value === "full" ? undefined : value),
};

const lang: QueryField<string> = {
  schema: Type.Enum([...digestLanguages], { default: "en" }),
  description: "Language of the digest; English feeds are in every digest",
  required: false,
  decode: single("en", (code) =>
    digestLanguages.includes(code)
      ? { value: code }
      : { violation: `must be one of ${digestLanguages.join(", ")}, got ${quoted(code)}` },
  ),
  canonical: (value) => (value === "en" ? undefined : value),
};

/** Serves the scored news digest by category. Sources: the feeds of the catalogue, as changed by the operator. */
export const listFeedDigest = operation({
  rpc: "list-feed-digest",
  summary: "The most important news now, by category",
  description:
    "Headlines by category, most important first, with scores and story. After a failed attempt the last good content (`generatedAt`) is served as `stale`; `coverage` and `feedStatuses` describe that attempt. The first request for a digest in a language other than English may take 14 seconds, because it waits for the build.",
  cache: "slow",
  showsAttempts: true,
  reads: digests,
  readsFor: ({ variant, lang }) => [digestKey(variant, lang)],
  query: {
    variant,
    lang,
  },
  response: ListFeedDigestResponse,
  list: {
    groups: "categories",
    rows: "items",
    identity: ({ link }) => link,
    location: "location",
    feed: {
      title: "News digest",
      description: "The most important news now",
      entry: ({ title, link, publishedAt, source, snippet }) => ({
        id: link,
        title,
        text: snippet === undefined ? source : `${snippet}\n\n${source}`,
        link,
        at: publishedAt,
      }),
    },
  },
  examples: [{}, { variant: "tech" }, { explain: "true", jmespath: "coverage.state" }],
  run({ variant, lang }, snapshots, { tally }) {
    // The cast is safe, because `readsFor` returns the key of this digest.
    const snapshot = snapshots[digestKey(variant, lang)] as Snapshot<DigestView>;
    if (!snapshot.available) return nothing(variant, snapshot);
    const { view } = snapshot;
    const replay = replayOf(snapshot);
    tally.whole(Object.values(view.categories).flatMap(({ items }) => items));
    const newest = replay ? (accountOf(snapshot) ?? nothingRead(variant, view.counts.feedTotal)) : view;
    return {
      categories: tally.isCounting ? view.explained : view.categories,
      coverage: coverageOf(snapshot, newest.counts, replay),
      feedStatuses: newest.feedStatuses,
      generatedAt: isoOf(replay ? snapshot.builtAt : (attemptedAt(snapshot) ?? snapshot.builtAt)),
    };
  },
});

type Available = Extract<Snapshot<DigestView>, { available: true }>;
/** The outcome of an attempt to build the digest. */
type Attempted = Pick<DigestView, "counts" | "feedStatuses">;

/**
 * Builds the coverage. The counts are those of the newest attempt, except the numbers of items and publishers, which
 * are those of the served digest.
 */
function coverageOf(snapshot: Available, newest: DigestCounts, replay: Replay | undefined): DigestCoverage {
  const { foldedCount: _folded, state, ...counts } = newest;
  const { itemsServed, publisherCount } = snapshot.view.counts;
  return {
    attemptedAt: isoOf(attemptedAt(snapshot) ?? snapshot.builtAt),
    state: replay ? "stale" : state,
    ...counts,
    itemsServed,
    publisherCount,
    servedStale: replay !== undefined,
    staleAgeSeconds: replay?.ageSeconds ?? 0,
    staleReason: replay?.reason ?? "",
  };
}

/** Returns the summary of the newest attempt; undefined if there is none. */
function accountOf({ attempt }: Snapshot<DigestView>): Attempted | undefined {
  // The cast is safe, because the product returns this type as its summary.
  const account = attempt?.account as StoredCoverage | undefined;
  return account && { counts: account.coverage, feedStatuses: account.feedStatuses };
}

interface Replay {
  readonly reason: "empty-rebuild" | "build-error";
  /**
   * Age of the content at the newest attempt; `STALE_AFTER_MS` in seconds if that attempt succeeded. It does not grow
   * between attempts, so answers change only after an attempt.
   */
  readonly ageSeconds: number;
}

/** Returns the reason for serving older content. Undefined if the content is current. */
function replayOf({ state, attempt, builtAt }: Available): Replay | undefined {
  const ageSeconds = attempt ? Math.max(0, Math.floor((attempt.at - builtAt) / SECOND_MS)) : 0;
  if (attempt?.ended === "held") return { reason: "empty-rebuild", ageSeconds };
  if (attempt?.ended === "failed") return { reason: "build-error", ageSeconds };
  // The newest attempt did not fail, but the last build is too old or the news feeds are stale.
  return state === "stale" ? { reason: "build-error", ageSeconds: STALE_AFTER_MS / SECOND_MS } : undefined;
}

/**
 * Builds the answer while no digest exists. Every category is empty, and the numbers of feeds are those of the newest
 * attempt.
 */
function nothing(variant: DigestVariant, snapshot: Snapshot<DigestView>): ListFeedDigestResponse {
  const categories: readonly string[] = digestVariants[variant];
  const { counts, feedStatuses } = accountOf(snapshot) ?? nothingRead(variant, 0);
  const { foldedCount: _folded, ...read } = counts;
  const at = attemptedAt(snapshot);
  return {
    categories: Object.fromEntries(categories.map((category) => [category, { items: [] }])),
    coverage: {
      ...(at !== undefined && { attemptedAt: isoOf(at) }),
      ...read,
      state: "unavailable",
      itemsServed: 0,
      publisherCount: 0,
      servedStale: false,
      staleAgeSeconds: 0,
      staleReason: "",
    },
    feedStatuses,
  };
}

/** Returns the outcome of an attempt in which no feed was read. It stands in for an attempt that has no summary. */
function nothingRead(variant: DigestVariant, feedTotal: number): Attempted {
  const categories: readonly string[] = digestVariants[variant];
  return {
    counts: {
      state: "unavailable",
      itemsServed: 0,
      publisherCount: 0,
      feedTotal,
      feedCompleted: 0,
      categoryTotal: categories.length,
      categoryCompleted: 0,
      droppedUndated: 0,
      droppedFreshness: 0,
      droppedFeedCap: 0,
      droppedCategoryCap: 0,
      foldedCount: 0,
      categoryStates: Object.fromEntries(categories.map((category) => [category, "missing"])),
    },
    feedStatuses: {},
  };
}

/** Returns the end of the newest attempt, epoch ms. Undefined before the first attempt. */
function attemptedAt({ attempt }: Snapshot<DigestView>): number | undefined {
  return attempt?.at;
}

function isoOf(at: number): string {
  return new Date(at).toISOString();
}

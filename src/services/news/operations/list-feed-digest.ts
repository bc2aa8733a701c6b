import { Type } from "typebox";
import { operation } from "../../../contract/operation.js";
import { flag, type QueryField, quoted, single, text } from "../../../contract/query-field.js";
import type { Snapshot } from "../../../contract/snapshot.js";
import { SECOND_MS } from "../../../kit/clock.js";
import { type DigestVariant, digestVariants, isDigestVariant } from "../catalogue/digest-variants.js";
import { digestLanguages } from "../catalogue/feed-catalogue.js";
import { digestKey, digests, STALE_AFTER_MS } from "../datasets/digests.js";
import type { DigestCounts } from "../digest-records.js";
import { type DigestCoverage, ListFeedDigestResponse } from "../digest-schemas.js";
import type { DigestView, StoredCoverage } from "../rules/digest-view.js";

const variantNames = Object.keys(digestVariants).join(", ");

/** A variant by its name; any other name is that of the full digest. */
const variantText = text(`Kind of digest: ${variantNames}; any other counts as full`);
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
  description: "Language of the publishers",
  required: false,
  decode: single("en", (given) =>
    digestLanguages.includes(given)
      ? { value: given }
      : { violation: `must be one of ${digestLanguages.join(", ")}, got ${quoted(given)}` },
  ),
  canonical: (value) => (value === "en" ? undefined : value),
};

/** What matters in the news now, by category and scored. Source: our own catalogue of publishers' feeds. */
export const listFeedDigest = operation({
  rpc: "list-feed-digest",
  summary: "What matters in the news now, by category",
  description:
    "Headlines by category, most important first, with scores and story. After a failed attempt the last good content (`generatedAt`) is served as `stale`; `coverage` and `feedStatuses` describe that attempt. A first request may wait 14 seconds.",
  cache: "slow",
  showsAttempts: true,
  reads: digests,
  readsFor: ({ variant, lang }) => [digestKey(variant, lang)],
  query: {
    variant,
    lang,
    explain: flag("Adds to every item what its scores are made of"),
  },
  response: ListFeedDigestResponse,
  examples: [{}, { variant: "tech" }, { explain: "true", jmespath: "coverage.state" }],
  run({ variant, lang, explain }, snapshots) {
    // One digest for each variant and language is read, as `readsFor` says.
    const snapshot = snapshots[digestKey(variant, lang)] as Snapshot<DigestView>;
    if (!snapshot.available) return nothing(variant, snapshot);
    const { view } = snapshot;
    const replay = replayOf(snapshot);
    const newest = replay ? (accountOf(snapshot) ?? nothingRead(variant, view.counts.feedTotal)) : view;
    return {
      categories: explain ? view.explained : view.categories,
      coverage: coverageOf(snapshot, newest.counts, replay),
      feedStatuses: newest.feedStatuses,
      generatedAt: isoOf(replay ? snapshot.builtAt : (attemptedAt(snapshot) ?? snapshot.builtAt)),
    };
  },
});

type Available = Extract<Snapshot<DigestView>, { available: true }>;
/** How an attempt went. */
type Attempted = Pick<DigestView, "counts" | "feedStatuses">;

/** What was read of the feeds is that of the newest attempt; what is served is counted as it is served. */
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

/** The newest attempt's own account; undefined where it came to none. */
function accountOf({ attempt }: Snapshot<DigestView>): Attempted | undefined {
  // What the dataset's part gives as its account.
  const account = attempt?.accounts?.["feeds"] as StoredCoverage | undefined;
  return account && { counts: account.coverage, feedStatuses: account.feedStatuses };
}

interface Replay {
  readonly reason: "empty-rebuild" | "build-error";
  /** As of the newest attempt, so that answers change with attempts and not with every second. */
  readonly ageSeconds: number;
}

/** Why older content is served; undefined where it is the newest there is. */
function replayOf({ state, attempt, builtAt }: Available): Replay | undefined {
  const ageSeconds = attempt ? Math.max(0, Math.floor((attempt.at - builtAt) / SECOND_MS)) : 0;
  if (attempt?.ended === "held") return { reason: "empty-rebuild", ageSeconds };
  if (attempt?.ended === "failed") return { reason: "build-error", ageSeconds };
  // Nobody has built for too long.
  return state === "stale" ? { reason: "build-error", ageSeconds: STALE_AFTER_MS / SECOND_MS } : undefined;
}

/** While there is nothing to serve: every category empty. The newest attempt says which feeds it read all the same. */
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

/** An attempt of which nothing is known: no feed was read. */
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

/** When the newest attempt ended, epoch ms; undefined before the first. */
function attemptedAt({ attempt }: Snapshot<DigestView>): number | undefined {
  return attempt?.at;
}

function isoOf(at: number): string {
  return new Date(at).toISOString();
}

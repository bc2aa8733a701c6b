import { Type } from "typebox";
import { operation } from "../../contract/operation.js";
import { flag, type QueryField, quoted, single, text } from "../../contract/query-field.js";
import type { Snapshot } from "../../contract/snapshot.js";
import { SECOND_MS } from "../../kit/clock.js";
import { type DigestVariant, digestVariants, isDigestVariant } from "./catalogue/digest-variants.js";
import { digestLanguages } from "./catalogue/feed-catalogue.js";
import { digestKey, digests, STALE_AFTER_MS } from "./datasets/digests.js";
import { type DigestCoverage, ListFeedDigestResponse } from "./digest-schemas.js";
import type { DigestView } from "./digest-view.js";

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
  description: `Language of the digest, one of ${digestLanguages.join(", ")}; English without it`,
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
    "Headlines of publishers' feeds by category, most important first, each with its scores, its story and how many independent publishers have it. `generatedAt` is when the content was made and `coverage.attemptedAt` the newest attempt; after one that failed, the last good content is served and `coverage.state` is stale. Only feeds with trouble are in `feedStatuses`. A language that nobody has asked for within 24 hours is built by the first request, which waits for it up to 14 seconds.",
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
    return {
      categories: explain ? view.explained : view.categories,
      coverage: coverageOf(snapshot),
      feedStatuses: view.feedStatuses,
      generatedAt: isoOf(snapshot.builtAt),
    };
  },
});

type Available = Extract<Snapshot<DigestView>, { available: true }>;

function coverageOf(snapshot: Available): DigestCoverage {
  const { foldedCount: _folded, state, ...counts } = snapshot.view.counts;
  const replay = replayOf(snapshot);
  return {
    attemptedAt: attemptedAt(snapshot),
    state: replay ? "stale" : state,
    ...counts,
    servedStale: replay !== undefined,
    staleAgeSeconds: replay?.ageSeconds ?? 0,
    staleReason: replay?.reason ?? "",
  };
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

/** While there is nothing to serve: every category empty, and said to be missing. */
function nothing(variant: DigestVariant, snapshot: Snapshot<DigestView>): ListFeedDigestResponse {
  const categories: readonly string[] = digestVariants[variant];
  return {
    categories: Object.fromEntries(categories.map((category) => [category, { items: [] }])),
    coverage: {
      attemptedAt: attemptedAt(snapshot),
      state: "unavailable",
      ...{ itemsServed: 0, publisherCount: 0, feedTotal: 0, feedCompleted: 0 },
      ...{ categoryTotal: categories.length, categoryCompleted: 0 },
      ...{ droppedFeedCap: 0, droppedUndated: 0, droppedFreshness: 0, droppedCategoryCap: 0 },
      ...{ servedStale: false, staleAgeSeconds: 0, staleReason: "" },
      categoryStates: Object.fromEntries(categories.map((category) => [category, "missing"])),
    },
    feedStatuses: {},
    generatedAt: "",
  };
}

/** Empty before the first attempt. */
function attemptedAt({ attempt }: Snapshot<DigestView>): string {
  return attempt ? isoOf(attempt.at) : "";
}

function isoOf(at: number): string {
  return new Date(at).toISOString();
}

import { type Collection, dataset, part, type RunGiven } from "../../../contract/dataset.js";
import { DAY_MS, HOUR_MS, MINUTE_MS } from "../../../kit/clock.js";
import { type DigestVariant, digestVariants } from "../catalogue/digest-variants.js";
import { digestLanguages, feedsFor } from "../catalogue/feed-catalogue.js";
import type { Feed } from "../catalogue/feed-row.js";
import { feedsSetting } from "../catalogue/feeds-setting.js";
import type { FeedEntry, FeedReading, RememberedStory } from "../digest-records.js";
import { buildDigest } from "../rules/build-digest.js";
import { contentAges } from "../rules/content-ages.js";
import { type DigestView, digestView, type StoredCategory, type StoredCoverage } from "../rules/digest-view.js";
import { classifyTitle } from "../rules/titles/threat-class.js";
import { type FeedPlan, newsFeeds } from "../sources/news-feeds.js";

/** A stored record of a digest: an entry or a reading of a feed, a remembered story, a served category or coverage. */
export type DigestRecord = FeedEntry | FeedReading | RememberedStory | StoredCategory | StoredCoverage;

/** The age from which a digest is stale. Failed builds serve the older digest, marked stale from the first failure. */
export const STALE_AFTER_MS = HOUR_MS;
/** The longest time for which earlier entries of a feed replace a failed reading. */
const KEPT_MS_MAX = 6 * HOUR_MS;

type DigestParts = { readonly feeds: ReturnType<typeof feedsPart> };

function feedsPart(variant: DigestVariant, language: string) {
  const byCategory = (context: RunGiven) => feedsFor(context.settingOf(feedsSetting), variant, language);
  return part<DigestRecord, { readonly feeds: readonly FeedPlan[] }>({
    sources: [newsFeeds],
    plan: (context) => ({ feeds: plannedFeeds(byCategory(context)) }),
    account: coverageOf,
    merge(kept, fresh, context) {
      const { readings, entries } = standingEntries(kept, fresh, context.now);
      const isRead = readings.some(({ state }) => state === "ok" || state === "empty");
      const digest = buildDigest({
        categories: [...byCategory(context)].map(([category, feeds]) => ({ category, feeds: feeds.map(factsOf) })),
        readings,
        // If every feed fails, earlier entries do not count as news.
        entries: isRead ? entries : [],
        memory: kept.filter((record) => record.kind === "story"),
        now: context.now,
        classify: classifyTitle,
      });
      const { categories, coverage, feedStatuses, memory } = digest;
      return [
        { kind: "coverage", coverage, feedStatuses },
        ...categories.map((category): StoredCategory => ({ kind: "category", ...category })),
        ...readings,
        ...entries,
        ...memory,
      ];
    },
  });
}

function factsOf({ id, publisher, family, tier, risk, language = "en" }: Feed) {
  return { id, publisher, family, tier, risk: risk.profile, language };
}

/** Plans every feed once, in the lane of its first category. */
function plannedFeeds(byCategory: ReadonlyMap<string, readonly Feed[]>): readonly FeedPlan[] {
  const planned = new Map<string, FeedPlan>();
  for (const [lane, feeds] of byCategory) {
    for (const { id, url } of feeds) if (!planned.has(id)) planned.set(id, { id, url, lane });
  }
  return [...planned.values()];
}

interface Standing {
  readonly readings: readonly FeedReading[];
  readonly entries: readonly FeedEntry[];
}

/** Combines the entries read in this run with recent earlier entries of feeds that could not be read. */
function standingEntries(kept: readonly DigestRecord[], fresh: readonly DigestRecord[], now: number): Standing {
  const before = new Map(kept.flatMap((record) => (record.kind === "feed" ? [[record.feed, record] as const] : [])));
  const readings = fresh.flatMap((record): FeedReading[] => {
    if (record.kind !== "feed") return [];
    const earlier = before.get(record.feed);
    if (record.state === "ok" || record.state === "empty" || earlier?.readAt === undefined) return [record];
    if (now - earlier.readAt > KEPT_MS_MAX) return [record];
    const { readAt, entries, undated } = earlier;
    return [{ ...record, readAt, entries, undated }];
  });
  const standIns = new Set(
    readings.flatMap(({ feed, state, readAt }) =>
      (state === "failed" || state === "timeout") && readAt !== undefined ? [feed] : [],
    ),
  );
  const entriesOf = (records: readonly DigestRecord[]): readonly FeedEntry[] =>
    records.filter((record) => record.kind === "entry");
  return { readings, entries: [...entriesOf(fresh), ...entriesOf(kept).filter(({ feed }) => standIns.has(feed))] };
}

function coverageOf(records: readonly DigestRecord[]): StoredCoverage | undefined {
  return records.find((record) => record.kind === "coverage");
}

/** Explains why the feeds yielded no items. */
function emptiness(records: readonly DigestRecord[]): string {
  const readings = records.filter((record) => record.kind === "feed");
  const count = (state: FeedReading["state"]): number => readings.filter((reading) => reading.state === state).length;
  const example = readings.find(({ error }) => error !== undefined)?.error;
  const counts = `${readings.length} feeds, of which ${count("failed")} failed and ${count("timeout")} came too late`;
  return `no item of ${counts}${example === undefined ? "" : `, such as: ${example}`}`;
}

export type DigestDataset = Collection<DigestParts, DigestView>;

function digestOf(variant: DigestVariant, language: string): DigestDataset {
  return dataset({
    name: `digest-${variant}-${language}`,
    title: `News digest, ${variant}, ${language}`,
    description: `What ${variant === "full" ? "all kinds of" : variant} news feeds say that run in the language ${language}, by category and scored.`,
    family: {
      name: "digest-<variant>-<language>",
      title: "News digests",
      description: `Scored headlines of the feeds of our own catalogue. Variants: ${Object.keys(digestVariants).join(", ")}. Languages: ${digestLanguages.join(", ")}; English is always built, any other while it has been asked for within 24 hours, and the first request waits for its build.`,
    },
    cadenceMs: 15 * MINUTE_MS,
    retryMs: 2 * MINUTE_MS,
    staleAfterMs: STALE_AFTER_MS,
    partAges: contentAges.digest.parts,
    ...(language === "en" ? { historyWholeMs: 2 * DAY_MS } : { historyWholeMs: 6 * HOUR_MS, whileAskedForMs: DAY_MS }),
    isStaleOnFailure: true,
    gaps: [
      "Of each feed the newest five entries of at most four days may be served, of each category the twenty most important items.",
      "A feed that cannot be read keeps its entries for six hours.",
      "Every publisher's headlines are its own; a score says how much is made of a story and by whom, not that it is true.",
    ],
    settings: [feedsSetting],
    parts: { feeds: feedsPart(variant, language) },
    gateRule: "at least one item",
    gate: ({ feeds }) => ((coverageOf(feeds)?.coverage.itemsServed ?? 0) > 0 ? undefined : emptiness(feeds)),
    lacking({ feeds }) {
      const coverage = coverageOf(feeds)?.coverage;
      if (coverage?.state === "unavailable") return "none of the feeds has an item";
      if (coverage?.state !== "partial") return undefined;
      return `${coverage.categoryCompleted} of ${coverage.categoryTotal} categories and ${coverage.feedCompleted} of ${coverage.feedTotal} feeds were read in time`;
    },
    view: ({ feeds }) => digestView(feeds),
    newestAt({ feeds }) {
      const times = feeds
        .flatMap((record) => (record.kind === "category" ? record.items : []))
        .map(({ publishedAt }) => publishedAt);
      return times.length > 0 ? times.reduce((a, b) => Math.max(a, b)) : null;
    },
  });
}

/** Returns the key of a digest in `digests`. */
export const digestKey = (variant: DigestVariant, language: string): string => `${variant}-${language}`;

// Object.keys returns string[].
const variants = Object.keys(digestVariants) as readonly DigestVariant[];

/** The English digest of all kinds of news. Other services read it too. */
export const fullDigest = digestOf("full", "en");

/** One digest for each variant and language. */
export const digests: Readonly<Record<string, DigestDataset>> = {
  ...Object.fromEntries(
    variants.flatMap((variant) =>
      digestLanguages.map((language) => [digestKey(variant, language), digestOf(variant, language)]),
    ),
  ),
  [digestKey("full", "en")]: fullDigest,
};

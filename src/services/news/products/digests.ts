import { listOf, type Product, product } from "../../../contract/product.js";
import type { RowTally } from "../../../contract/row-tally.js";
import type { ReadSetting } from "../../../contract/setting.js";
import { SourceFailure } from "../../../contract/source.js";
import { DAY_MS, HOUR_MS, MINUTE_MS } from "../../../kit/clock.js";
import { type DigestVariant, digestVariants } from "../catalogue/digest-variants.js";
import { digestLanguages, feedsFor } from "../catalogue/feed-catalogue.js";
import type { Feed } from "../catalogue/feed-row.js";
import { feedsSetting } from "../catalogue/feeds-setting.js";
import { newsFeeds } from "../datasets/news-feeds.js";
import type { FeedFacts, FeedReading, RememberedStory } from "../digest-records.js";
import { buildDigest } from "../rules/build-digest.js";
import type { FeedsById } from "../rules/collected-feeds.js";
import { contentAges } from "../rules/content-ages.js";
import { type DigestView, digestView, type StoredCategory, type StoredCoverage } from "../rules/digest-view.js";
import { classifyTitle } from "../rules/titles/threat-class.js";

/** A stored record of a digest: a remembered story, a served category or the coverage. */
export type DigestRecord = RememberedStory | StoredCategory | StoredCoverage;

/**
 * Age at which a digest becomes stale. If a build fails, the service serves the previous digest and immediately marks
 * it as stale, whatever its age.
 */
export const STALE_AFTER_MS = HOUR_MS;

const parts = { feeds: listOf<DigestRecord>(newestItemAt, ["kind", "category", "id"]) };

/** Returns the publication time of the newest item of a category; undefined for other records and empty categories. */
function newestItemAt(record: DigestRecord): number | undefined {
  if (record.kind !== "category" || record.items.length === 0) return undefined;
  return record.items.reduce((newest, { publishedAt }) => Math.max(newest, publishedAt), 0);
}

function factsOf({ id, publisher, family, tier, risk, language = "en" }: Feed): FeedFacts {
  return { id, publisher, family, tier, risk: risk.profile, language };
}

interface DigestKind {
  readonly variant: DigestVariant;
  readonly language: string;
}

interface DigestBuild {
  readonly kept: readonly DigestRecord[];
  readonly now: number;
  readonly settingOf: ReadSetting;
  readonly tally: RowTally;
}

/** Builds the records of a digest from the collected feeds of its categories. */
function digestRecords(
  { variant, language }: DigestKind,
  { readings, entries }: FeedsById,
  { kept, now, settingOf, tally }: DigestBuild,
): readonly DigestRecord[] {
  const byCategory = feedsFor(settingOf(feedsSetting), variant, language);
  const ids = [...new Set([...byCategory.values()].flatMap((feeds) => feeds.map(({ id }) => id)))];
  const own = ids.flatMap((id) => readings.get(id) ?? []);
  const isRead = own.some(({ state }) => state === "ok" || state === "empty");
  const collected = tally.whole(ids.flatMap((id) => entries.get(id) ?? []));
  const digest = buildDigest({
    categories: [...byCategory].map(([category, feeds]) => ({ category, feeds: feeds.map(factsOf) })),
    readings: own,
    // If no feed could be read, the entries of earlier readings are not used.
    entries: tally.filter(collected, { "no feed could be read": () => isRead }),
    memory: kept.filter((record) => record.kind === "story"),
    now,
    classify: classifyTitle,
    tally,
  });
  const { categories, coverage, feedStatuses, memory } = digest;
  tally.joined("items of a category", coverage.itemsServed);
  tally.made("categories, stories and coverage", 1 + categories.length + memory.length);
  return [
    {
      kind: "coverage",
      coverage,
      feedStatuses,
      ...(coverage.itemsServed === 0 && { emptiness: emptiness(own, ids.length) }),
    },
    ...categories.map((category): StoredCategory => ({ kind: "category", ...category })),
    ...memory,
  ];
}

function coverageOf(records: readonly DigestRecord[]): StoredCoverage | undefined {
  return records.find((record) => record.kind === "coverage");
}

/** Explains why the feeds yielded no items. */
function emptiness(readings: readonly FeedReading[], feedCount: number): string {
  const count = (state: FeedReading["state"]): number => readings.filter((reading) => reading.state === state).length;
  const late = feedCount - readings.length + count("timeout");
  const example = readings.find(({ error }) => error !== undefined)?.error;
  const counts = `${feedCount} feeds, of which ${count("failed")} failed and ${late} came too late`;
  return `no items from ${counts}${example === undefined ? "" : `; one of the errors: ${example}`}`;
}

export type DigestDataset = Product<{ readonly feeds: typeof newsFeeds }, typeof parts, DigestView>;

function digestOf(variant: DigestVariant, language: string): DigestDataset {
  return product({
    name: `digest-${variant}-${language}`,
    title: `News digest, ${variant}, ${language}`,
    description: `Scored headlines of ${variant === "full" ? "all" : variant} news feeds in ${language === "en" ? "English" : `English or the language ${language}`}, by category.`,
    family: {
      name: "digest-<variant>-<language>",
      title: "News digests",
      description: `Scored headlines from the feeds of Vigil's own catalogue. Variants: ${Object.keys(digestVariants).join(", ")}. Languages: ${digestLanguages.join(", ")}; English is always built. Any other language is built for 24 hours after its last request, and its first request waits for the build.`,
    },
    cadenceMs: 15 * MINUTE_MS,
    onChange: { spacingMs: 5 * MINUTE_MS },
    staleAfterMs: STALE_AFTER_MS,
    partAges: contentAges.digest.parts,
    ...(language === "en" ? { historyWholeMs: 2 * DAY_MS } : { historyWholeMs: 6 * HOUR_MS, awakeForMs: DAY_MS }),
    gaps: [
      "A digest serves at most five entries of each feed, none older than four days, and at most twenty items in each category.",
      "A feed that cannot be read keeps its entries for six hours.",
      "Headlines are the publishers' own. A score measures how many publishers cover a story and how prominently, not whether it is true.",
    ],
    settings: [feedsSetting],
    reads: { feeds: newsFeeds },
    parts,
    build({ feeds: { view, parts: read } }, { kept, ...context }) {
      const { state, error } = read["feeds"] ?? {};
      if (state === "off") throw new SourceFailure("unconfigured", error ?? "the news feeds are switched off");
      return { feeds: digestRecords({ variant, language }, view, { ...context, kept: kept.feeds }) };
    },
    account: ({ feeds }) => coverageOf(feeds),
    gateRule: "at least one item",
    gate({ feeds }) {
      const stored = coverageOf(feeds);
      return (stored?.coverage.itemsServed ?? 0) > 0 ? undefined : (stored?.emptiness ?? "no item");
    },
    lacking({ feeds }) {
      const coverage = coverageOf(feeds)?.coverage;
      if (coverage?.state === "unavailable") return "none of the feeds has an item";
      if (coverage?.state !== "partial") return undefined;
      return `${coverage.categoryCompleted} of ${coverage.categoryTotal} categories and ${coverage.feedCompleted} of ${coverage.feedTotal} feeds were read in time`;
    },
    view: ({ feeds }, _pace, tally) => {
      const view = digestView(feeds);
      tally.joined("categories, stories and coverage", feeds.length);
      tally.made("items of a category", view.counts.itemsServed);
      return view;
    },
    newestAt({ feeds }) {
      const times = feeds.flatMap((record) => newestItemAt(record) ?? []);
      return times.length > 0 ? times.reduce((a, b) => Math.max(a, b)) : null;
    },
  });
}

/** Returns the key of a digest in `digests`. */
export const digestKey = (variant: DigestVariant, language: string): string => `${variant}-${language}`;

// The cast is needed because `Object.keys` returns string[].
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

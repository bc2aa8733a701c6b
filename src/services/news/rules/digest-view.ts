import type { DigestCategory, DigestCounts, DigestItem, FeedStatus } from "../digest-records.js";
import type { ListFeedDigestResponse, NewsItem } from "../digest-schemas.js";

/** A category of a stored digest. */
export interface StoredCategory extends DigestCategory {
  readonly kind: "category";
}

/** The build report of a stored digest. */
export interface StoredCoverage {
  readonly kind: "coverage";
  readonly coverage: DigestCounts;
  readonly feedStatuses: Readonly<Record<string, FeedStatus>>;
  /** A sentence that explains why there are no items; absent if there are items. */
  readonly emptiness?: string;
}

type Buckets = ListFeedDigestResponse["categories"];

/** A digest in its served form. */
export interface DigestView {
  readonly categories: Buckets;
  /** The same categories with the explanation of each item. */
  readonly explained: Buckets;
  readonly feedStatuses: Record<string, FeedStatus>;
  readonly counts: DigestCounts;
}

/** Builds the view of stored records. Throws if they lack the coverage, because then they are not a digest. */
export function digestView(records: readonly { readonly kind: string }[]): DigestView {
  const coverage = records.find((record): record is StoredCoverage => record.kind === "coverage");
  if (!coverage) throw new Error("the records of a digest contain no coverage");
  const categories = records.filter((record): record is StoredCategory => record.kind === "category");
  const buckets = (form: (item: DigestItem) => NewsItem): Buckets =>
    Object.fromEntries(categories.map(({ category, items }) => [category, { items: items.map(form) }]));
  return {
    categories: buckets(plainItem),
    explained: buckets(explainedItem),
    feedStatuses: coverage.feedStatuses,
    counts: coverage.coverage,
  };
}

/**
 * Drops the internal fields of an item. Callers do not need `feed`: `source` is the publisher, and the explanation
 * lists the feeds.
 */
function plainItem({ explain: _explain, feed: _feed, language: _language, ...served }: DigestItem): NewsItem {
  // The cast is needed because the lists in the schema's type are not readonly.
  return served as NewsItem;
}

function explainedItem(item: DigestItem): NewsItem {
  return { ...plainItem(item), explain: item.explain as NonNullable<NewsItem["explain"]> };
}

import type { DigestCategory, DigestCounts, DigestItem, FeedStatus } from "../digest-records.js";
import type { ListFeedDigestResponse, NewsItem } from "../digest-schemas.js";

/** A category of a stored digest. */
export interface StoredCategory extends DigestCategory {
  readonly kind: "category";
}

/** What a stored digest says of its making. */
export interface StoredCoverage {
  readonly kind: "coverage";
  readonly coverage: DigestCounts;
  readonly feedStatuses: Readonly<Record<string, FeedStatus>>;
}

type Buckets = ListFeedDigestResponse["categories"];

/** A digest in the form of its answers. */
export interface DigestView {
  readonly categories: Buckets;
  /** The same, each item with what its scores are made of. */
  readonly explained: Buckets;
  readonly feedStatuses: Record<string, FeedStatus>;
  readonly counts: DigestCounts;
}

/** The view of stored records. Throws where they hold no coverage: then they are no digest. */
export function digestView(records: readonly { readonly kind: string }[]): DigestView {
  const coverage = records.find((record): record is StoredCoverage => record.kind === "coverage");
  if (!coverage) throw new Error("the records of a digest hold no coverage");
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

/** Where the item was read is in its explanation; its publisher is its source. */
function plainItem({ explain: _explain, feed: _feed, language: _language, ...served }: DigestItem): NewsItem {
  // The types of schemas know no readonly lists.
  return served as NewsItem;
}

function explainedItem(item: DigestItem): NewsItem {
  return { ...plainItem(item), explain: item.explain as NonNullable<NewsItem["explain"]> };
}

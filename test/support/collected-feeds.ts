import type { Ingredients, Product, ProductParts, ProductRecords } from "../../src/contract/product.js";
import { silentTally } from "../../src/contract/row-tally.js";
import { settingReader } from "../../src/contract/setting.js";
import type { AvailableSnapshot } from "../../src/contract/snapshot.js";
import { isSteps, type Steps } from "../../src/kit/loop-turns.js";
import type { FeedEntry, FeedReading } from "../../src/services/news/digest-records.js";
import { byFeed, type FeedsById } from "../../src/services/news/rules/collected-feeds.js";
import { resultOf } from "./views.js";

/** An entry of a feed. Its summary is kept whole, and its snippet is empty. */
export function entryOf(feed: string, title: string, publishedAt: number | undefined, summary = ""): FeedEntry {
  return {
    kind: "entry",
    feed,
    title,
    link: `https://${feed}.example/${title}`,
    ...(publishedAt !== undefined && { publishedAt }),
    snippet: "",
    ...(summary !== "" && { summary }),
  };
}

/** The snapshot of collected feeds with these entries; each feed has been read unless `readings` says otherwise. */
export function collectedFrom(
  entries: readonly FeedEntry[],
  readings: readonly FeedReading[] = [],
): AvailableSnapshot<FeedsById> {
  const read = [...new Set(entries.map(({ feed }) => feed))].map(
    (feed) => ({ kind: "feed", feed, state: "ok" }) as const,
  );
  return {
    available: true,
    state: "ok",
    view: byFeed([...read, ...readings, ...entries]),
    generation: 1,
    contentHash: "",
    builtAt: 0,
    checkedAt: 0,
    newestAt: null,
    nextBuildAt: null,
    attempt: null,
    parts: {},
  };
}

/** The records that a product builds from these ingredients, with no records of an earlier build. */
export function builtFrom<R extends Ingredients, P extends ProductParts, View, O extends Ingredients>(
  product: Product<R, P, View, O>,
  ingredients: Parameters<Product<R, P, View, O>["build"]>[0],
  now: number,
): ProductRecords<P> {
  // Every part of a product is a list.
  const kept = Object.fromEntries(Object.keys(product.parts).map((name) => [name, []])) as unknown as ProductRecords<P>;
  const built = product.build(ingredients, { kept, now, settingOf: settingReader({}), tally: silentTally });
  return isSteps(built) ? resultOf(built as Steps<ProductRecords<P>>) : built;
}

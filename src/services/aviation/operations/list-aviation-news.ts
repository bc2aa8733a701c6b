import { Type } from "typebox";
import { epochMs } from "../../../contract/field.js";
import { operation } from "../../../contract/operation.js";
import { int32UpTo, texts } from "../../../contract/query-field.js";
import { HOUR_MS } from "../../../kit/clock.js";
import { aviationNews } from "../products/aviation-news.js";
import { AviationNewsItem } from "../records/news-records.js";
import { newsItems, nextExpiry } from "../rules/news-search.js";

/**
 * Aviation headlines of the last day or, on request, of up to a week, newest first. Sources: nine publishers' feeds.
 */
export const listAviationNews = operation({
  rpc: "list-aviation-news",
  summary: "Aviation headlines of the last day, or of up to a week",
  description:
    "Headlines with teaser and link, newest first; with `entities`, only headlines that name one of them. `updatedAt` is 0 if no data is available.",
  cache: "slow",
  reads: { news: aviationNews },
  query: {
    entities: texts("Names to search for: airlines, airports, aircraft", {
      itemsMax: 10,
      charactersMax: 500,
      inUpperCase: true,
      isSet: true,
    }),
    windowHours: int32UpTo("Length of the window, in hours", 168, 24),
    maxItems: int32UpTo("Maximum number of items", 50, 20),
  },
  response: Type.Object(
    {
      items: Type.Array(AviationNewsItem, { description: "Newest first" }),
      source: Type.String({ description: "`rss`, or `unavailable` without data" }),
      updatedAt: epochMs("Time of collection; 0 without data"),
    },
    { title: "ListAviationNewsResponse" },
  ),
  list: { rows: "items", identity: ({ id }) => id },
  examples: [{}, { entities: "Airbus,Boeing", window_hours: "168" }, { max_items: "5", jmespath: "items[].title" }],
  validUntil: ({ windowHours }, { news }, now) =>
    news.available ? nextExpiry(news.view, windowHours * HOUR_MS, now) : Number.POSITIVE_INFINITY,
  run({ entities, windowHours, maxItems }, { news }, { now, tally }) {
    if (!news.available) return { items: [], source: "unavailable", updatedAt: 0 };
    const question = { entities, since: now() - windowHours * HOUR_MS, itemsMax: maxItems };
    return { items: newsItems(tally.whole(news.view), question, tally), source: "rss", updatedAt: news.builtAt };
  },
});

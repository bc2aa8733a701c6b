import { storeJob } from "../../../../database/service-store.js";
import { SECOND_MS } from "../../../../kit/clock.js";
import { newsFeeds } from "../../../news/datasets/news-feeds.js";
import { hostOf, knownPublishers } from "../../scan/search/known-publishers.js";
import { postSearch } from "../../scan/search/post-search.js";
import { webSearch } from "../../scan/search/web-search.js";
import { newsSearch } from "../../sources/brave-news.js";
import { recentPosts } from "../../sources/x-posts.js";
import { searchRound } from "./search-round.js";

const EVERY_MS = 20 * SECOND_MS;

/**
 * Searches the web for news of each company whose search is due. A budget limits the number of calls, and the source
 * sets the time between two calls.
 */
export const webSearchJob = storeJob({
  name: "company search",
  everyMs: EVERY_MS,
  reads: { news: newsFeeds },
  fetches: [newsSearch],
  async run(parts, { snapshots: { news }, observe, turns, signal }) {
    if (!parts.isConfigured(newsSearch)) return;
    // Without the collected feeds, no publisher is known, so each article is attributed to its host.
    const publishers = news.available ? knownPublishers(news.view, parts.settingOf) : undefined;
    const provider = webSearch({
      observe: (plan) => observe(newsSearch, plan),
      publisherOf: (link) => publishers?.get(hostOf(link)),
      now: parts.clock.now,
    });
    await searchRound(parts, { provider, turns, signal });
  },
});

/** Searches for posts about each company whose search is due. */
export const postSearchJob = storeJob({
  name: "company posts",
  everyMs: EVERY_MS,
  reads: {},
  fetches: [recentPosts],
  async run(parts, { observe, turns, signal }) {
    if (!parts.isConfigured(recentPosts)) return;
    const provider = postSearch((plan) => observe(recentPosts, plan));
    await searchRound(parts, { provider, turns, signal });
  },
});

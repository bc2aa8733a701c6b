import { feedToken } from "../../../contract/feed-link.js";
import { linkedFeed } from "../../../contract/linked-feed.js";
import { watchFeeds } from "../ports.js";
import { firingFeed } from "../rules/firing/firing-feed.js";

const ENTRIES_MAX = 50;

export const getWatchFeed = linkedFeed({
  rpc: "get-watch-feed",
  summary: "Firings of a watch as a feed",
  description:
    "The last 50 firings of one watch, newest first, for feed readers. `get-watch` returns the link; anyone who has the link can read the feed without a key. `rotate-watch-feed` replaces the link.",
  uses: { feeds: watchFeeds },
  query: { token: feedToken },
  async run({ token }, { feeds }) {
    const source = await feeds.read(token, ENTRIES_MAX);
    return source && firingFeed(source);
  },
});

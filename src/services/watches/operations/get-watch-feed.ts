import { feedToken } from "../../../contract/feed-link.js";
import { linkedFeed } from "../../../contract/linked-feed.js";
import { storedAnswers } from "../../../contract/stored-answers.js";
import { watchFeeds } from "../ports.js";
import { firingFeed } from "../rules/firing/firing-feed.js";
import { includedFirings } from "../rules/firing/included-firings.js";

const ENTRIES_MAX = 50;

export const getWatchFeed = linkedFeed({
  rpc: "get-watch-feed",
  summary: "Firings of a watch as a feed",
  description:
    "The last 50 firings of one watch, newest first, for feed readers. `get-watch` returns the link; anyone who has the link can read the feed without a key while the plan of the account is in force. Firings of calls that the plan does not include are left out. `rotate-watch-feed` replaces the link.",
  uses: { feeds: watchFeeds, answers: storedAnswers },
  query: { token: feedToken },
  async run({ token }, { feeds, answers }) {
    const source = await feeds.read(token, ENTRIES_MAX);
    return source && firingFeed({ ...source, firings: includedFirings(source.firings, source.account, answers) });
  },
});

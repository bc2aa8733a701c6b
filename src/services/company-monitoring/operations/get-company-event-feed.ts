import { feedToken } from "../../../contract/feed-link.js";
import { linkedFeed } from "../../../contract/linked-feed.js";
import { impactFeed } from "../changes/impact-feed.js";
import { impactFeeds } from "../ports.js";

const ENTRIES_MAX = 50;

export const getCompanyEventFeed = linkedFeed({
  rpc: "get-company-event-feed",
  summary: "Impacts on the companies of an account as a feed",
  description:
    "The last 50 changes of impacts, newest first, for feed readers. `rotate-company-event-feed` returns the link; anyone who has it can read the feed without a key while the plan of the account is in force.",
  uses: { feeds: impactFeeds },
  query: { token: feedToken },
  async run({ token }, { feeds }) {
    const source = await feeds.read(token, ENTRIES_MAX);
    return source && impactFeed(source);
  },
});

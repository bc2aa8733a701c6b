import { json } from "../../../contract/setting.js";
import { applyFeedOverrides, parseFeedOverrides } from "./feed-overrides.js";
import type { Feed } from "./feed-row.js";
import { allFeeds } from "./topic-feeds.js";

/** All feeds with the operator's overrides applied. */
export const feedsSetting = json<readonly Feed[]>(
  "VIGIL_FEEDS",
  allFeeds,
  "Changes to the catalogue of news feeds: an object with `add`, `remove` and `retier`.",
  (value) => applyFeedOverrides(allFeeds, parseFeedOverrides(value)),
);

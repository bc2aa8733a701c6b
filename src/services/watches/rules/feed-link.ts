import { feedLinks } from "../../../contract/feed-link.js";

/** The links to the feeds of watches. Their subject is a watch. */
export const watchFeedLinks = feedLinks("wfd1", "/api/watches/v1/get-watch-feed");

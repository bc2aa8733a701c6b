import { feedLinks } from "../../../contract/feed-link.js";

/** The links to the feeds of watches. The subject of a link is the id of its watch. */
export const watchFeedLinks = feedLinks("wfd1", "/api/watches/v1/get-watch-feed");

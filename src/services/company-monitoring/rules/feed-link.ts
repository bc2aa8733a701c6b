import { feedLinks } from "../../../contract/feed-link.js";

/** The links to the feeds of impacts. Their subject is an account. */
export const impactFeedLinks = feedLinks("cif1", "/api/company-monitoring/v1/get-company-event-feed");

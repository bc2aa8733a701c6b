import { feedLinks } from "../../../contract/feed-link.js";

/** The links to the feeds of impacts. The `subject` of a link is an account id. */
export const impactFeedLinks = feedLinks("cif1", "/api/company-monitoring/v1/get-company-event-feed");

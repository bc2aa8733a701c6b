import { json } from "../../../contract/setting.js";
import { feedCatalogue } from "./feed-catalogue.js";
import { applyFeedOverrides, parseFeedOverrides } from "./feed-overrides.js";
import type { Feed } from "./feed-row.js";

/** The catalogue with the operator's overrides applied. */
export const feedsSetting = json<readonly Feed[]>(
  "VIGIL_FEEDS",
  feedCatalogue,
  "Changes to the catalogue of news feeds: an object with `add`, `remove` and `retier`.",
  (value) => applyFeedOverrides(feedCatalogue, parseFeedOverrides(value)),
);

import { readFileSync } from "node:fs";
import { countryCell, oneOf, rowsIn, textCell, textLike } from "../../../kit/csv-table.js";
import { ownFile } from "../../../kit/own-file.js";
import { feedCatalogue } from "./feed-catalogue.js";
import { riskOf, slugCell } from "./feed-file.js";
import { type Feed, feedKinds, feedOf } from "./feed-row.js";
import { type RiskGround, riskGrounds } from "./risk-grounds.js";

// The cast is needed because `Object.keys` returns string[].
const grounds = Object.keys(riskGrounds) as readonly RiskGround[];

const columns = {
  id: slugCell,
  publisher: textCell,
  country: countryCell,
  kind: oneOf(feedKinds),
  ground: oneOf(["", ...grounds]),
  licence: oneOf(["", "open"]),
  url: textLike(/^https:\/\/\S+$/, "an https address"),
  homepage: textCell,
};

/** The feeds of src/data/topic-feeds.csv in file order, including those that are also in the catalogue. */
export const topicFeeds: readonly Feed[] = rowsIn(
  readFileSync(ownFile("data/topic-feeds.csv"), "utf8"),
  "topic-feeds.csv",
  columns,
).map(({ id, publisher, country, kind, ground, licence, url, homepage }) => {
  const listed = feedCatalogue.find((feed) => feed.id === id);
  const row = { id, publisher, family: id, homepage: `https://${homepage}`, url, country, kind };
  const feed = listed ?? feedOf({ ...row, risk: riskOf(ground), placements: [] });
  return { ...feed, hasAllTexts: true, ...(licence === "open" && { isOpen: true }) };
});

const byId = new Map(topicFeeds.map((feed) => [feed.id, feed]));

/** Every built-in feed: the digests' catalogue, then the topic feeds that the catalogue does not contain. */
export const allFeeds: readonly Feed[] = [
  ...feedCatalogue.map((feed) => byId.get(feed.id) ?? feed),
  ...topicFeeds.filter(({ id }) => !feedCatalogue.some((feed) => feed.id === id)),
];

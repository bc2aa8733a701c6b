import { Type } from "typebox";
import { epochMs } from "../../../contract/field.js";
import { operation } from "../../../contract/operation.js";
import { climateNews } from "../products/climate-news.js";
import { ClimateNewsItem } from "../records.js";

/** The newest climate headlines. Sources: eight publishers' feeds and ReliefWeb. */
export const listClimateNews = operation({
  rpc: "list-climate-news",
  summary: "The hundred newest climate headlines",
  description:
    "Headlines with a teaser and a link, newest first. If no data is available, `dataAvailable` is false and `fetchedAt` is 0.",
  cache: "slow",
  reads: { news: climateNews },
  query: {},
  response: Type.Object(
    {
      dataAvailable: Type.Boolean({ description: "False if no snapshot can be read" }),
      fetchedAt: epochMs("Time of collection; 0 without data"),
      items: Type.Array(ClimateNewsItem, { description: "Newest first" }),
    },
    { title: "ListClimateNewsResponse" },
  ),
  list: { rows: "items", identity: ({ id }) => id },
  examples: [{}, { jmespath: "items[:10].title" }],
  run: (_query, { news }, { tally }) =>
    news.available
      ? { dataAvailable: true, fetchedAt: news.builtAt, items: [...tally.whole(news.view)] }
      : { dataAvailable: false, fetchedAt: 0, items: [] },
});

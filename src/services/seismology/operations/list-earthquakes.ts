import { Type } from "typebox";
import { operation } from "../../../contract/operation.js";
import { Pagination, pageFields } from "../../../contract/paging.js";
import { instant } from "../../../contract/query-field.js";
import { decimal } from "../../../contract/value-fields.js";
import { earthquakes } from "../datasets/earthquakes.js";
import { Earthquake } from "../records.js";

/** Earthquakes of the last seven days, newest first. Sources: USGS, Natural Resources Canada. */
export const listEarthquakes = operation({
  rpc: "list-earthquakes",
  summary: "Earthquakes of magnitude 4.5 and more of the last seven days",
  description:
    "Newest first, from the US Geological Survey and Natural Resources Canada. Earthquakes within 100 km of a known nuclear test site are marked. An empty list with `X-Vigil-State: absent` means that there is no data; with `ok`, it means that no earthquake matches.",
  cache: "slow",
  reads: { recent: earthquakes },
  query: {
    start: instant("Earliest origin time, included; epoch milliseconds"),
    end: instant("Latest origin time, included; epoch milliseconds"),
    ...pageFields(500),
    minMagnitude: decimal("Minimum magnitude; nothing below 4.5 is served", { min: 0, max: 10 }),
  },
  ranges: [["start", "end"]],
  response: Type.Object(
    { earthquakes: Type.Array(Earthquake, { description: "Newest first" }), pagination: Pagination },
    { title: "ListEarthquakesResponse" },
  ),
  list: { rows: "earthquakes", identity: ({ id }) => id, location: "location" },
  examples: [
    {},
    { min_magnitude: "6", page_size: "10" },
    { jmespath: "earthquakes[?nearTestSite].[place, magnitude]" },
  ],
  run({ start, end, minMagnitude }, { recent }, { paginate, tally }) {
    const matches = tally.filter(tally.whole(recent.available ? recent.view : []), {
      start: start !== undefined && (({ occurredAt }) => occurredAt >= start),
      end: end !== undefined && (({ occurredAt }) => occurredAt <= end),
      minMagnitude: ({ magnitude }) => magnitude >= minMagnitude,
    });
    const { rows, pagination } = paginate(matches);
    return { earthquakes: rows, pagination };
  },
});

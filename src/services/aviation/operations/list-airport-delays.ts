import { Type } from "typebox";
import { operation } from "../../../contract/operation.js";
import { Pagination, pageFields } from "../../../contract/paging.js";
import { ignoredText } from "../../../contract/query-field.js";
import { airportDelays } from "../datasets/airport-delays.js";
import { AirportDelayAlert } from "../records/airport-records.js";

/** One row for each monitored airport, delayed or not. Sources: FAA, aviationstack, ICAO NOTAMs. */
export const listAirportDelays = operation({
  rpc: "list-airport-delays",
  summary: "Delays and closures at the monitored airports, one row each",
  description:
    "One row for each monitored airport. The row is an alert if a closure or a restriction is reported, if the delay is at least 15 minutes, if at least 15 percent of the flights are late, or if at least 10 percent of ten or more flights are cancelled. Otherwise it is NORMAL, or UNKNOWN if there is no flight data. An empty list with the state `absent` means that no data is available; `partial` means that a source could not be read.",
  cache: "static",
  reads: { delays: airportDelays },
  query: {
    ...pageFields(500),
    region: ignoredText("Accepted and ignored"),
    minSeverity: ignoredText("Accepted and ignored"),
  },
  response: Type.Object(
    {
      alerts: Type.Array(AirportDelayAlert, { description: "One row for each monitored airport" }),
      pagination: Pagination,
    },
    { title: "ListAirportDelaysResponse" },
  ),
  list: { rows: "alerts", identity: ({ iata }) => iata, location: "location" },
  examples: [
    {},
    { page_size: "20" },
    {
      jmespath:
        "alerts[?severity!='FLIGHT_DELAY_SEVERITY_NORMAL' && severity!='FLIGHT_DELAY_SEVERITY_UNKNOWN'].[iata, reason]",
    },
  ],
  run(_query, { delays }, { paginate, tally }) {
    const { rows, pagination } = paginate(tally.whole(delays.available ? delays.view.alerts : []));
    return { alerts: rows, pagination };
  },
});

import { Type } from "typebox";
import { operation } from "../../../contract/operation.js";
import { texts } from "../../../contract/query-field.js";
import { airportDelays } from "../datasets/airport-delays.js";
import { AirportOpsSummary } from "../records/airport-records.js";
import { summaryOf, unknownSummary } from "../rules/airports/ops-summary.js";

const AIRPORTS_MAX = 20;
/** Enough for twenty codes with their commas. */
const CHARACTERS_MAX = 100;
const defaultAirports = ["IST", "ESB", "SAW", "LHR", "FRA", "CDG"];

/** Operational status of airports, in the order of the query. Sources: FAA, aviationstack, ICAO NOTAMs. */
export const getAirportOpsSummary = operation({
  rpc: "get-airport-ops-summary",
  summary: "Delays, cancellations, closures and notices for the requested airports",
  description:
    "One row for each requested airport. Values that no source reports are left out. An airport that is not monitored has a row with the source `unknown` and no values. An empty list with `X-Vigil-State: absent` means that no data is available.",
  cache: "static",
  reads: { delays: airportDelays },
  query: {
    airports: texts(`IATA codes (case-insensitive); default ${defaultAirports.join(", ")}`, {
      itemsMax: AIRPORTS_MAX,
      charactersMax: CHARACTERS_MAX,
      inUpperCase: true,
      fallback: defaultAirports,
    }),
  },
  response: Type.Object(
    {
      cacheHit: Type.Boolean({ description: "Always false: the data is stored, not read on demand" }),
      summaries: Type.Array(AirportOpsSummary, {
        description: "One row for each requested airport, in the order of the query",
      }),
    },
    { title: "GetAirportOpsSummaryResponse" },
  ),
  examples: [{}, { airports: "JFK,LHR,DXB" }, { jmespath: "summaries[].[iata, severity]" }],
  run({ airports }, { delays }) {
    if (!delays.available) return { cacheHit: false, summaries: [] };
    const summaries = airports.map((code) => {
      const status = delays.view.statuses.get(code);
      return status ? summaryOf(status) : unknownSummary(code);
    });
    return { cacheHit: false, summaries };
  },
});

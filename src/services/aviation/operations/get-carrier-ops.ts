import { Type } from "typebox";
import { epochMs } from "../../../contract/field.js";
import { operation } from "../../../contract/operation.js";
import { int32Or, texts } from "../../../contract/query-field.js";
import { CarrierOpsSummary, carrierOps } from "../rules/carrier-ops.js";
import { answeredAt, readOf } from "../rules/read-state.js";
import { airportPage, pageOf } from "../rules/schedule-reads.js";

const AIRPORTS_MAX = 6;
const airportsByDefault = ["IST", "ESB", "SAW"];
const FLIGHTS_MIN = 3;

/** Delays and cancellations of carriers at airports, worst first. Source: aviationstack. */
export const getCarrierOps = operation({
  rpc: "get-carrier-ops",
  summary: "Delays and cancellations of carriers at up to six airports",
  description:
    "One row per airline and airport, sorted by the share of cancelled flights, then by the share of delayed flights, highest first. The rows are computed from at most 100 departures of each of the first six airports. These departures are reused for 15 minutes. `source`: `aviationstack`, `none` (no departures), `partial` (an airport could not be read; the list is empty), `unavailable` (no key is set), `budget` (no calls left) or `error`.",
  cache: "slow",
  tier: 1,
  reads: {},
  fetches: {
    departures: {
      ...airportPage,
      plans: ({ airports }: { readonly airports: readonly string[] }) =>
        airports.map((airport) => pageOf(airport, "departure")),
    },
  },
  query: {
    airports: texts(
      `IATA codes (case-insensitive); ${airportsByDefault.join(", ")} by default; only the first six are used`,
      {
        pattern: "^[A-Za-z]{3}$",
        itemsMax: 20,
        inUpperCase: true,
        fallback: airportsByDefault,
        countedMax: AIRPORTS_MAX,
        isSet: true,
      },
    ),
    minFlights: {
      ...int32Or(`Minimum departures of a listed carrier; 0 or absent means ${FLIGHTS_MIN}`, FLIGHTS_MIN),
      schema: Type.Integer({ format: "int32", minimum: 0, default: FLIGHTS_MIN }),
    },
  },
  response: Type.Object(
    {
      carriers: Type.Array(CarrierOpsSummary, {
        description: "Sorted by the share of cancelled flights, then by the share of delayed flights, highest first",
      }),
      source: Type.String({ description: "`aviationstack`, or why the list is empty" }),
      updatedAt: epochMs("Time of the newest read; 0 without data"),
    },
    { title: "GetCarrierOpsResponse" },
  ),
  examples: [{}, { airports: "LHR,FRA", min_flights: "1" }, { jmespath: "carriers[?cancelledCount>`0`].carrier.name" }],
  run(query, _snapshots, { observations: { departures } }) {
    const updatedAt = answeredAt(departures);
    const pages = query.airports.flatMap((airport, index) => {
      const observation = departures[index];
      return observation ? [{ airport, updatedAt: observation.fetchedAt, read: readOf(observation) }] : [];
    });
    const failures = pages.flatMap(({ read }) => (typeof read === "string" && read !== "none" ? [read] : []));
    const [first] = failures;
    if (first !== undefined) {
      const isShared = failures.length === pages.length && failures.every((failure) => failure === first);
      return { carriers: [], source: isShared ? first : "partial", updatedAt };
    }
    const flightsByPage = pages.map(({ read, ...page }) => ({
      ...page,
      flights: typeof read === "string" ? [] : read,
    }));
    const isEmpty = flightsByPage.every(({ flights }) => flights.length === 0);
    const carriers = [...carrierOps(flightsByPage, query.minFlights)];
    return { carriers, source: isEmpty ? "none" : "aviationstack", updatedAt };
  },
});

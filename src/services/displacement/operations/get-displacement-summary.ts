import { Type } from "typebox";
import { epochMs } from "../../../contract/field.js";
import { operation } from "../../../contract/operation.js";
import { int32, int32Or } from "../../../contract/query-field.js";
import { displacement } from "../datasets/displacement.js";
import { DisplacementSummary } from "../records.js";

const FIRST_YEAR = 1951;
const FLOWS_DEFAULT = 50;

/** Displaced people by country and the largest flows between countries. Source: UNHCR. */
export const getDisplacementSummary = operation({
  rpc: "get-displacement-summary",
  summary: "Displaced people by country of origin and asylum, and the largest flows",
  description:
    "The newest year that UNHCR has published; there is no archive of earlier years. `dataAvailable: false` with `fetchedAt: 0` means that there is no data, or none for the requested year.",
  cache: "daily",
  reads: { people: displacement },
  query: {
    year: int32(`A year from ${FIRST_YEAR} on; 0 or absent means the newest published year`, (year, now) => {
      const current = new Date(now).getUTCFullYear();
      return year < FIRST_YEAR || year > current
        ? `must be 0 or from ${FIRST_YEAR} to ${current}, got "${year}"`
        : undefined;
    }),
    countryLimit: int32("Maximum number of countries, those with the most people first; 0 or absent means all"),
    flowLimit: int32Or(`Maximum number of flows, largest first; 0 or absent means ${FLOWS_DEFAULT}`, FLOWS_DEFAULT),
  },
  response: Type.Object(
    {
      dataAvailable: Type.Boolean({ description: "False if no stored data matches the requested year" }),
      fetchedAt: epochMs("Time of collection; 0 without data"),
      summary: DisplacementSummary,
    },
    { title: "GetDisplacementSummaryResponse" },
  ),
  examples: [{}, { country_limit: "5", flow_limit: "5" }, { jmespath: "summary.countries[:3].[name, totalDisplaced]" }],
  run({ year, countryLimit, flowLimit }, { people }) {
    const summary = people.available ? people.view : undefined;
    if (!people.available || !summary || (year !== 0 && year !== summary.year)) {
      return { dataAvailable: false, fetchedAt: 0, summary: { countries: [], topFlows: [] } };
    }
    return {
      dataAvailable: true,
      fetchedAt: people.builtAt,
      summary: {
        year: summary.year,
        globalTotals: summary.globalTotals,
        countries: summary.countries.slice(0, countryLimit || undefined),
        topFlows: summary.flows.slice(0, flowLimit),
      },
    };
  },
});

import { Type } from "typebox";
import { operation } from "../../../contract/operation.js";
import { country } from "../../../contract/query-field.js";
import { countryCode } from "../../../geography/country-key.js";
import { internetTrafficAnomalies } from "../datasets/internet-traffic-anomalies.js";
import { TrafficAnomaly } from "../records.js";

/** Unusual internet traffic of the last seven days, newest first. Source: Cloudflare Radar. */
export const listInternetTrafficAnomalies = operation({
  rpc: "list-internet-traffic-anomalies",
  summary: "Internet traffic anomalies of the last seven days by country and network",
  description:
    "Newest first, from Cloudflare Radar. An empty list with `X-Vigil-State: absent` means that there is no data or no token is set; with `ok`, it means that no anomaly matches.",
  cache: "slow",
  reads: { traffic: internetTrafficAnomalies },
  query: {
    country: country(
      "ISO 3166-1 alpha-2 code or English name (case-insensitive); only anomalies of this country",
      countryCode,
    ),
  },
  response: Type.Object(
    {
      anomalies: Type.Array(TrafficAnomaly, { description: "Newest first, of the last seven days" }),
      totalCount: Type.Integer({ format: "int32", description: "Rows in `anomalies`" }),
    },
    { title: "ListInternetTrafficAnomaliesResponse" },
  ),
  list: { rows: "anomalies", identity: ({ uuid }) => uuid, location: ["latitude", "longitude"] },
  examples: [{}, { country: "SY" }, { jmespath: "anomalies[?endDate==`0`].locationName" }],
  run({ country }, { traffic }, { tally }) {
    if (!traffic.available) return { anomalies: [], totalCount: 0 };
    const { byCountry } = traffic.view;
    const all = tally.whole(traffic.view.all);
    const code = country.toUpperCase();
    const isOwn = ({ locationCode }: TrafficAnomaly): boolean => locationCode === code;
    const matches = country === "" ? all : tally.narrowed("country", all, byCountry.get(code) ?? [], isOwn);
    return { anomalies: [...matches], totalCount: matches.length };
  },
});

import { Type } from "typebox";
import { operation } from "../../../contract/operation.js";
import { oceanIce } from "../datasets/ocean-ice.js";
import { OceanIceData } from "../records.js";

/** Arctic sea ice, sea level, ocean heat and surface temperature. Sources: NSIDC, NASA, NOAA NCEI. */
export const getOceanIceData = operation({
  rpc: "get-ocean-ice-data",
  summary: "Arctic sea ice extent and trend, sea level, ocean heat and surface temperature",
  description:
    "Arctic sea ice, sea level, ocean heat and sea surface temperature. If a source fails, its earlier values are kept (`X-Vigil-State: partial`). `data` is absent if no measurement is available.",
  cache: "daily",
  reads: { oceans: oceanIce },
  query: {},
  response: Type.Object({ data: Type.Optional(OceanIceData) }, { title: "GetOceanIceDataResponse" }),
  examples: [{}, { jmespath: "data.iceTrend12m[-1]" }],
  run: (_query, { oceans }) => (oceans.available && oceans.view ? { data: oceans.view } : {}),
});

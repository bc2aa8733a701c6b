import { Type } from "typebox";
import { operation } from "../../../contract/operation.js";
import { co2Monitoring } from "../datasets/co2-monitoring.js";
import { Co2Monitoring } from "../records.js";

/** CO2 at Mauna Loa, the growth of global CO2, and the global means of CH4 and N2O. Source: NOAA GML. */
export const getCo2Monitoring = operation({
  rpc: "get-co2-monitoring",
  summary: "Greenhouse gases: CO2 today with its trend and growth; CH4 and N2O",
  description:
    "CO2 at Mauna Loa, and global CO2 growth, methane and nitrous oxide, from NOAA. Without data, `monitoring` is absent.",
  cache: "daily",
  reads: { gases: co2Monitoring },
  query: {},
  response: Type.Object({ monitoring: Type.Optional(Co2Monitoring) }, { title: "GetCo2MonitoringResponse" }),
  examples: [{}, { jmespath: "monitoring.{now: currentPpm, yearAgo: yearAgoPpm}" }],
  run: (_query, { gases }) => (gases.available && gases.view ? { monitoring: gases.view } : {}),
});

import { Type } from "typebox";
import { operation } from "../../../contract/operation.js";
import { Pagination, pageFields } from "../../../contract/paging.js";
import { ignoredText } from "../../../contract/query-field.js";
import { climateAnomalies } from "../datasets/climate-anomalies.js";
import { climateNormals } from "../datasets/climate-normals.js";
import { ClimateAnomaly } from "../records.js";
import { anomaliesOf } from "../rules/anomaly.js";

/** Anomalies of the last seven days against 1991-2020 in 25 zones. Source: ERA5 through Open-Meteo. */
export const listClimateAnomalies = operation({
  rpc: "list-climate-anomalies",
  summary: "Temperature and precipitation against normal by climate zone",
  description:
    "Means of the last seven complete days minus the 1991-2020 normal of the month in which they end. An empty list with the state `absent` means that no data is available.",
  cache: "daily",
  reads: { recent: climateAnomalies, normals: climateNormals },
  query: {
    ...pageFields(500),
    minSeverity: ignoredText("Accepted and ignored"),
  },
  response: Type.Object(
    { anomalies: Type.Array(ClimateAnomaly, { description: "One row for each zone" }), pagination: Pagination },
    { title: "ListClimateAnomaliesResponse" },
  ),
  list: { rows: "anomalies", identity: ({ zone }) => zone, location: "location" },
  examples: [{}, { page_size: "5" }, { jmespath: "anomalies[?severity!='ANOMALY_SEVERITY_NORMAL'].zone" }],
  run(_query, { recent, normals }, { paginate, tally }) {
    const zones = tally.whole(recent.available ? [...recent.view.values()] : []);
    const anomalies = recent.available && normals.available ? anomaliesOf(recent.view, normals.view) : [];
    const withNormals = new Set(normals.available ? normals.view.keys() : []);
    tally.filter(zones, { "no normals of the zone": ({ zone }) => withNormals.has(zone) });
    const { rows, pagination } = paginate(anomalies);
    return { anomalies: rows, pagination };
  },
});

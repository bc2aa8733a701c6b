import { Type } from "typebox";
import { operation } from "../../../contract/operation.js";
import { Pagination, pageFields } from "../../../contract/paging.js";
import { climateDisasters } from "../datasets/climate-disasters.js";
import { ClimateDisaster } from "../records.js";

/** Climate disasters under way, newest first. Sources: GDACS, EONET, NHC, ReliefWeb. */
export const listClimateDisasters = operation({
  rpc: "list-climate-disasters",
  summary: "Floods, storms, droughts, heatwaves, fires and eruptions under way",
  description:
    "At most 300 events, newest first, each with its source. Empty and `absent`: no data; `partial`: a list could not be read.",
  cache: "daily",
  reads: { disasters: climateDisasters },
  query: pageFields(100),
  response: Type.Object(
    { disasters: Type.Array(ClimateDisaster, { description: "Newest first" }), pagination: Pagination },
    { title: "ListClimateDisastersResponse" },
  ),
  examples: [{}, { page_size: "10" }, { jmespath: "disasters[?severity=='red'].[name, country]" }],
  run(_query, { disasters }, { paginate }) {
    const { rows, pagination } = paginate(disasters.available ? disasters.view : []);
    return { disasters: rows, pagination };
  },
});

import { Type } from "typebox";
import { operation } from "../../../contract/operation.js";
import { Pagination, pageFields } from "../../../contract/paging.js";
import { climateDisasters } from "../datasets/climate-disasters.js";
import { ClimateDisaster } from "../records.js";

/** Announced, ongoing and recently ended climate disasters, newest first. Sources: GDACS, EONET, NHC, ReliefWeb. */
export const listClimateDisasters = operation({
  rpc: "list-climate-disasters",
  summary: "Current, announced and recently ended floods, storms, droughts, heatwaves, fires and eruptions",
  description:
    "At most 300 events, newest first, each with its source. GDACS also lists events that ended recently (status `past`). An empty list with the state `absent` means that no data is available; `partial` means that a source could not be read.",
  cache: "daily",
  reads: { disasters: climateDisasters },
  query: pageFields(100),
  response: Type.Object(
    { disasters: Type.Array(ClimateDisaster, { description: "Newest first" }), pagination: Pagination },
    { title: "ListClimateDisastersResponse" },
  ),
  list: { rows: "disasters", identity: ({ id }) => id, location: ["lat", "lng"] },
  examples: [{}, { page_size: "10" }, { jmespath: "disasters[?severity=='red'].[name, country]" }],
  run(_query, { disasters }, { paginate, tally }) {
    const { rows, pagination } = paginate(tally.whole(disasters.available ? disasters.view : []));
    return { disasters: rows, pagination };
  },
});

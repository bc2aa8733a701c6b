import { serviceGroup } from "../../../dist/contract/service-group.js";

export const bench = serviceGroup({ name: "Bench", description: "Rows of the bench." });

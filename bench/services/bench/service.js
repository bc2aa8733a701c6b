import { serviceGroup } from "../../../dist/contract/service-group.js";

export const bench = serviceGroup({ name: "Bench", description: "Generated rows for the benchmarks." });

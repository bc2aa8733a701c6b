import { Type } from "typebox";
import { operation } from "../../../../../src/contract/operation.js";
import { decimal } from "../../../../../src/contract/value-fields.js";
import { kIndex } from "../datasets/planetary-k-index.js";

const KIndex = Type.Object(
  {
    at: Type.Integer({ format: "int64", description: "Time of the observation; epoch ms" }),
    kIndex: Type.Number({ description: "0 (quiet) to 9 (extreme storm)" }),
  },
  { title: "KIndex", description: "The planetary K index at an instant." },
);

/** Estimates of the disturbance of the earth's magnetic field, oldest first. Source: NOAA SWPC. */
export const getPlanetaryKIndex = operation({
  rpc: "get-planetary-k-index",
  summary: "Planetary K index by minute",
  description:
    "Estimates from the last hours, oldest first. If there is no data, the list is empty with `X-Vigil-State: absent`.",
  cache: "fast",
  reads: { index: kIndex },
  query: { minKIndex: decimal("Minimum index; 5 is a minor storm", { min: 0, max: 9 }) },
  response: Type.Object(
    { minutes: Type.Array(KIndex, { description: "Oldest first" }) },
    { title: "GetPlanetaryKIndexResponse" },
  ),
  list: { rows: "minutes", identity: ({ at }) => String(at) },
  examples: [{}, { min_k_index: "5" }, { jmespath: "minutes[-1].kIndex" }],
  run({ minKIndex }, { index }, { tally }) {
    const minutes = tally.whole(index.available ? index.view : []);
    return { minutes: [...tally.filter(minutes, { minKIndex: ({ kIndex }) => kIndex >= minKIndex })] };
  },
});

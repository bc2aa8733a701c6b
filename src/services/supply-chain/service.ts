import { serviceGroup } from "../../contract/service-group.js";

export const supplyChain = serviceGroup({
  name: "Supply Chain",
  position: 17,
  description: "Chokepoints, shipping rates and critical minerals.",
});

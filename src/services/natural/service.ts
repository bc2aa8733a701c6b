import { serviceGroup } from "../../contract/service-group.js";

export const natural = serviceGroup({
  name: "Natural Disasters",
  position: 8,
  description: "Current and recent natural events worldwide, with each agency's observations of tropical cyclones.",
});

import { serviceGroup } from "../../contract/service-group.js";

export const natural = serviceGroup({
  name: "Natural Disasters",
  position: 8,
  description: "Open natural events of the world, with tropical cyclones as each agency observes them.",
});

import { serviceGroup } from "../../contract/service-group.js";

export const natural = serviceGroup({
  name: "Natural Disasters",
  position: 8,
  description: "Natural disasters beyond those of the climate group.",
});

import { serviceGroup } from "../../contract/service-group.js";

export const military = serviceGroup({
  name: "Military",
  position: 2,
  description: "Military activity.",
});

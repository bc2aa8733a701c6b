import { serviceGroup } from "../../contract/service-group.js";

export const maritime = serviceGroup({
  name: "Maritime",
  position: 22,
  description: "Vessels and navigational warnings.",
});

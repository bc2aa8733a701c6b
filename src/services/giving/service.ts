import { serviceGroup } from "../../contract/service-group.js";

export const giving = serviceGroup({
  name: "Giving",
  position: 31,
  description: "Charitable giving.",
});

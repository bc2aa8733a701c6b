import { serviceGroup } from "../../contract/service-group.js";

export const economic = serviceGroup({
  name: "Economic",
  position: 14,
  description: "Economic series: US consumer prices and the US Treasury par yield curve.",
  firstCall: "get-us-cpi-monthly",
});

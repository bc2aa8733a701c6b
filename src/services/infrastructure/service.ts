import { serviceGroup } from "../../contract/service-group.js";

export const infrastructure = serviceGroup({
  name: "Infrastructure",
  position: 23,
  description: "Internet traffic anomalies by country and network.",
});

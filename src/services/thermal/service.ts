import { serviceGroup } from "../../contract/service-group.js";

export const thermal = serviceGroup({
  name: "Thermal",
  position: 13,
  description: "Thermal anomalies seen from space.",
});

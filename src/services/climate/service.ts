import { serviceGroup } from "../../contract/service-group.js";

export const climate = serviceGroup({
  name: "Climate",
  position: 10,
  description: "Climate anomalies, disasters, greenhouse gases, oceans and ice, air quality, and climate news.",
});

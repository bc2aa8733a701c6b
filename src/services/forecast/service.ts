import { serviceGroup } from "../../contract/service-group.js";

export const forecast = serviceGroup({
  name: "Forecasts",
  position: 20,
  description: "Forecasts of events.",
});

import { serviceGroup } from "../../contract/service-group.js";

export const prediction = serviceGroup({
  name: "Predictions",
  position: 19,
  description: "Prediction markets.",
});

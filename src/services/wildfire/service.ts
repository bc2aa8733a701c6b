import { serviceGroup } from "../../contract/service-group.js";

export const wildfire = serviceGroup({
  name: "Wildfires",
  position: 11,
  description: "Wildfire detections.",
});

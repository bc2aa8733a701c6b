import { serviceGroup } from "../../contract/service-group.js";

export const webcam = serviceGroup({
  name: "Webcams",
  position: 27,
  description: "Public webcams.",
});

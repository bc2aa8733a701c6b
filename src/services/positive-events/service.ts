import { serviceGroup } from "../../contract/service-group.js";

export const positiveEvents = serviceGroup({
  name: "Positive Events",
  position: 30,
  description: "Positive events.",
});

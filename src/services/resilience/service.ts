import { serviceGroup } from "../../contract/service-group.js";

export const resilience = serviceGroup({
  name: "Resilience",
  position: 24,
  description: "Resilience of countries.",
});

import { serviceGroup } from "../../contract/service-group.js";

export const unrest = serviceGroup({
  name: "Unrest",
  position: 3,
  description: "Protests and riots.",
});

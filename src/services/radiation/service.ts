import { serviceGroup } from "../../contract/service-group.js";

export const radiation = serviceGroup({
  name: "Radiation",
  position: 12,
  description: "Radiation measurements.",
});

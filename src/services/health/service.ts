import { serviceGroup } from "../../contract/service-group.js";

export const health = serviceGroup({
  name: "Public Health",
  position: 25,
  description: "Disease outbreaks.",
});

import { serviceGroup } from "../../contract/service-group.js";

export const batch = serviceGroup({
  name: "Batch",
  position: 32,
  description: "Up to 20 reads in one call.",
});

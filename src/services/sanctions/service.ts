import { serviceGroup } from "../../contract/service-group.js";

export const sanctions = serviceGroup({
  name: "Sanctions",
  position: 7,
  description: "Sanctions lists and changes to them.",
});

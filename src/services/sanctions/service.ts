import { serviceGroup } from "../../contract/service-group.js";

export const sanctions = serviceGroup({
  name: "Sanctions",
  position: 7,
  description: "Sanctions lists of the United States, Canada and the United Nations, searched by name.",
});

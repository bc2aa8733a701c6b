import { serviceGroup } from "../../contract/service-group.js";

export const cyber = serviceGroup({
  name: "Cyber",
  position: 6,
  description: "Cyber threats and incidents.",
});

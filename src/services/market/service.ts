import { serviceGroup } from "../../contract/service-group.js";

export const market = serviceGroup({
  name: "Markets",
  position: 15,
  description: "Market prices.",
});

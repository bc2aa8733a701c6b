import { serviceGroup } from "../../contract/service-group.js";

export const leads = serviceGroup({
  name: "Leads",
  position: 33,
  description: "Contact requests.",
});

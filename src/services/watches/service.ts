import { serviceGroup } from "../../contract/service-group.js";

export const watches = serviceGroup({
  name: "Watches",
  isPlatform: true,
  description: "Conditions on answers that the service evaluates at every change of their datasets.",
});

import { serviceGroup } from "../../contract/service-group.js";

export const datasets = serviceGroup({
  name: "Datasets",
  isPlatform: true,
  description: "The state of every dataset, and the log of their changes.",
});

import { serviceGroup } from "../../contract/service-group.js";
import { evaluationCounter } from "./rules/evaluation-counter.js";
import { watchesMax, workMsPerMinute } from "./settings.js";

export const watches = serviceGroup({
  name: "Watches",
  isPlatform: true,
  description: "Conditions on answers that the service evaluates at every change of their datasets.",
  settings: [watchesMax, workMsPerMinute],
  counters: [evaluationCounter],
});

import type { ServiceCounter } from "../../../contract/service-counter.js";

export const evaluationCounter: ServiceCounter = {
  name: "vigil_watch_evaluations_total",
  help: "Evaluations of watches by outcome; deferred: left for later because the account had used up its time",
  label: "outcome",
  values: ["quiet", "fired", "failed", "deferred"],
};

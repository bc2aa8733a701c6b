import type { ServiceCounter } from "../../../contract/service-counter.js";

export const evaluationCounter: ServiceCounter = {
  name: "vigil_watch_evaluations_total",
  help: "Evaluations of watches by outcome; deferred: postponed because the account's time is used up or its plan is not active",
  label: "outcome",
  values: ["quiet", "fired", "failed", "deferred"],
};

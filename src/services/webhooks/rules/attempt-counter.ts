import type { ServiceCounter } from "../../../contract/service-counter.js";

export const attemptCounter: ServiceCounter = {
  name: "vigil_webhook_attempts_total",
  help: "Webhook delivery attempts by outcome; dead: the delivery was given up after this attempt",
  label: "outcome",
  values: ["delivered", "failed", "dead"],
};

import { serviceGroup } from "../../contract/service-group.js";
import { secretText } from "../../contract/setting.js";

export const planEventsSecret = secretText(
  "VIGIL_PLAN_EVENTS_SECRET",
  "Secret with which a billing system signs plan events. Without the secret, plan events are refused.",
);

export const account = serviceGroup({
  name: "Account",
  isPlatform: true,
  description: "Accounts, keys, sessions and tokens.",
  settings: [planEventsSecret],
});

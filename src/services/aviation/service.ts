import { type Budget, serviceGroup } from "../../contract/service-group.js";
import { whole } from "../../contract/setting.js";

const CALLS_MAX = 2_000_000_000;

const budgets: readonly Budget[] = [
  {
    name: "aviationstack",
    callsMax: whole(
      "VIGIL_AVIATIONSTACK_CALLS",
      48_000,
      { min: 0, max: CALLS_MAX, unit: "calls" },
      "Maximum number of calls to aviationstack per billing cycle.",
    ),
  },
  {
    name: "aviationstack-requests",
    callsMax: whole(
      "VIGIL_AVIATIONSTACK_REQUEST_CALLS",
      7_000,
      { min: 0, max: CALLS_MAX, unit: "calls" },
      "Maximum number of calls to aviationstack per billing cycle for on-demand reads. These calls also count towards VIGIL_AVIATIONSTACK_CALLS.",
    ),
  },
];

export const aviation = serviceGroup({
  name: "Aviation",
  position: 21,
  description: "Airport delays, flights, carriers, aircraft positions, ticket prices, and aviation news.",
  budgets,
});

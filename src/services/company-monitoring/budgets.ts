import type { Budget } from "../../contract/service-group.js";
import { whole } from "../../contract/setting.js";

const CALLS_MAX = 2_000_000_000;

/** The budgets that limit the calls of the paid company searches. */
export const companyBudgets: readonly Budget[] = [
  {
    name: "company-search",
    callsMax: whole(
      "VIGIL_COMPANY_SEARCH_CALLS",
      2_000,
      { min: 0, max: CALLS_MAX, unit: "calls" },
      "Maximum number of calls to the Brave Search API per billing cycle. A monitored company takes about 60 calls a month.",
    ),
  },
  {
    name: "company-social",
    callsMax: whole(
      "VIGIL_COMPANY_SOCIAL_CALLS",
      2_000,
      { min: 0, max: CALLS_MAX, unit: "calls" },
      "Maximum number of calls to X's post search per billing cycle. Companies with few posts share calls; a company with many posts takes about 60 calls a month.",
    ),
  },
];

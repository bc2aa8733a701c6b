import { accountRead } from "../../../contract/account-read.js";
import { companyDirectory } from "../ports.js";
import { MonitoringStatus } from "../records.js";
import { accessStateOf } from "../rules/access-state.js";
import { COMPANIES_MAX } from "../rules/limits.js";

export const getCompanyMonitoringStatus = accountRead({
  rpc: "get-company-monitoring-status",
  summary: "Company monitoring of the account",
  description:
    "Access, number of companies, maximum number of companies, snapshot generation and features. Available in every state of the plan, and while company monitoring is switched off.",
  access: { scope: "company_monitoring:read" },
  uses: { directory: companyDirectory },
  query: {},
  response: MonitoringStatus,
  examples: [{}],
  async run(_query, { principal, ports: { directory } }) {
    const { isEnabled, searchesWeb, searchesPosts } = directory;
    const { companyCount, generation } = await directory.counts();
    return {
      accessState: accessStateOf(principal, isEnabled),
      companyCount,
      companyLimit: COMPANIES_MAX,
      snapshotGeneration: String(generation),
      featureFlags: {
        restWrites: isEnabled,
        publication: isEnabled,
        searchProvider: searchesWeb,
        socialProvider: searchesPosts,
        alerts: isEnabled,
        ui: isEnabled,
      },
    };
  },
});

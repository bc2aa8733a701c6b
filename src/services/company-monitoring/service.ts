import { serviceGroup } from "../../contract/service-group.js";
import { companyBudgets } from "./budgets.js";
import { cursorRefusalCounter } from "./changes/cursor-refusal.js";
import { companyCommands } from "./commands/company-commands.js";
import { explainImpact } from "./commands/explain-impact.js";
import { companyMonitoringSwitch } from "./settings.js";

export const companyMonitoring = serviceGroup({
  name: "Company Monitoring",
  description: "Companies that an account monitors, and the events with a material impact on them.",
  counters: [cursorRefusalCounter],
  settings: [companyMonitoringSwitch],
  budgets: companyBudgets,
  commands: [companyCommands],
  explains: [explainImpact],
  switchedBy: { setting: companyMonitoringSwitch, stays: ["get-company-monitoring-status"] },
  contractOnly: {
    member: "companyMonitoring",
    rpcs: [
      "create-monitored-company",
      "get-company-coverage",
      "get-company-material-event",
      "get-company-monitoring-status",
      "import-monitored-company-batch",
      "list-company-event-changes",
      "list-company-event-impacts",
      "list-monitored-companies",
      "set-monitored-company-state",
      "update-monitored-company",
    ],
  },
});

import { onOff } from "../../contract/setting.js";

export const companyMonitoringSwitch = onOff(
  "VIGIL_COMPANY_MONITORING",
  "on",
  "Company monitoring. While it is off, `get-company-monitoring-status` reports DISABLED, and every other path of company monitoring is answered with 404.",
);

import { onOff } from "../../contract/setting.js";

export const companyMonitoringSwitch = onOff(
  "VIGIL_COMPANY_MONITORING",
  "on",
  "Company monitoring. While it is off, its status is DISABLED and its other paths are answered with 404.",
);

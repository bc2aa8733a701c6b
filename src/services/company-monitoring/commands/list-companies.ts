import type { ServiceCommand } from "../../../contract/service-command.js";
import { table } from "../../../kit/text-table.js";
import { allCompanies } from "./all-companies.js";

export const listCompanies: ServiceCommand = {
  name: "list",
  description: "lists the companies with their state and coverage",
  options: [],
  async run(call) {
    const rows = (await allCompanies(call)).map(({ companyId, name, lifecycle, coverage, claims }) => [
      companyId,
      name,
      lifecycle.slice("MONITORED_COMPANY_LIFECYCLE_".length).toLowerCase(),
      coverage.slice("COMPANY_COVERAGE_STATE_".length).toLowerCase(),
      String(claims.length),
    ]);
    call.say(table(["company", "name", "state", "coverage", "claims"], rows));
  },
};

import type { ServiceCommand } from "../../../contract/service-command.js";
import { table } from "../../../kit/text-table.js";
import { allCompanies } from "./all-companies.js";

export const listCompanies: ServiceCommand = {
  name: "list",
  description: "lists the companies with their state and coverage",
  options: [{ flags: "--json", description: "prints JSON, including the claims of each company" }],
  examples: ["vigil companies list", "vigil companies list --json | jq -r '.[].companyId'"],
  async run(call) {
    const companies = await allCompanies(call);
    if (call.options["json"]) return call.say(JSON.stringify(companies, null, 2));
    const rows = companies.map(({ companyId, name, lifecycle, coverage, claims }) => [
      companyId,
      name,
      lifecycle.slice("MONITORED_COMPANY_LIFECYCLE_".length).toLowerCase(),
      coverage.slice("COMPANY_COVERAGE_STATE_".length).toLowerCase(),
      String(claims.length),
    ]);
    call.say(table(["company", "name", "state", "coverage", "claims"], rows));
  },
};

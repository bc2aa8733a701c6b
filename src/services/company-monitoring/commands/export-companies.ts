import type { ServiceCommand } from "../../../contract/service-command.js";
import { allCompanies } from "./all-companies.js";
import { csvOf } from "./company-csv.js";

export const exportCompanies: ServiceCommand = {
  name: "export",
  description: "prints the companies as CSV with the columns that `import` reads",
  options: [],
  examples: ["vigil companies export > companies.csv"],
  async run(call) {
    call.say(csvOf(await allCompanies(call)).trimEnd());
  },
};

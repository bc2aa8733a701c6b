import type { ServiceCommands } from "../../../contract/service-command.js";
import { exportCompanies } from "./export-companies.js";
import { importCompanyFile } from "./import-company-file.js";
import { listCompanies } from "./list-companies.js";

export const companyCommands: ServiceCommands = {
  name: "companies",
  description: "the companies that the account of VIGIL_KEY monitors",
  commands: [importCompanyFile, exportCompanies, listCompanies],
};

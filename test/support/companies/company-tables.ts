import { migrateServices } from "../../../src/database/migrate.js";
import type { OpenDatabase } from "../../../src/database/open-database.js";
import { companyStore } from "../../../src/services/company-monitoring/store/store.js";

/** Creates the tables of company monitoring in a test's store. */
export async function createCompanyTables(database: OpenDatabase): Promise<void> {
  await migrateServices(database, [{ service: "company-monitoring", store: companyStore }]);
}

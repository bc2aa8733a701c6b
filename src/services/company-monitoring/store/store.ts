import { serviceStore, storePort } from "../../../database/service-store.js";
import { companyDirectory, portfolio } from "../ports.js";
import { companyDirectoryOf } from "./company-directory.js";
import { companyMigrations } from "./migrations.js";
import { portfolioOf } from "./portfolio-store.js";

export const companyStore = serviceStore({
  migrations: () => companyMigrations,
  ports: (parts) => [
    storePort(companyDirectory, (call) => companyDirectoryOf(parts, call)),
    storePort(portfolio, (call) => portfolioOf(parts, call)),
  ],
});

import { type StoreCall, type StoreParts, serviceStore, storePort } from "../../../database/service-store.js";
import { companyReading, cursorDesk } from "../changes/company-reading.js";
import type { CompanyCursors } from "../changes/cursors.js";
import { companyDirectory, impactFeedLink, impactFeeds, portfolio } from "../ports.js";
import { accountOf } from "./account-of.js";
import { accountReading } from "./account-reading.js";
import { admissionJob } from "./admission/admission-job.js";
import { companyDirectoryOf } from "./company-directory.js";
import { companyLog } from "./company-log.js";
import { cursorDeskOf } from "./cursor-desk.js";
import { playStep } from "./demo/scripted-writer.js";
import { impactFeedLinkOf, impactFeedsOf } from "./impact-feeds.js";
import { companyMigrations } from "./migrations.js";
import { portfolioOf } from "./portfolio-store.js";
import { identityJob } from "./scan/identity-job.js";
import { scanJob } from "./scan/scan-job.js";
import { postSearchJob, webSearchJob } from "./search/search-jobs.js";
import { companiesIn } from "./tables.js";
import { companyFigures } from "./upkeep/company-figures.js";
import { thinCompanies } from "./upkeep/retention.js";

export const companyStore = serviceStore({
  migrations: () => companyMigrations,
  figures: companyFigures,
  jobs: [identityJob, scanJob, webSearchJob, postSearchJob, admissionJob],
  playDemo: playStep,
  thin: thinCompanies,
  logs: (parts) => [companyLog(parts)],
  ports: (parts) => [
    storePort(companyDirectory, (call) => companyDirectoryOf(parts, call)),
    storePort(portfolio, (call) => portfolioOf(parts, call)),
    storePort(companyReading, (call) => accountReading(parts, call)),
    storePort(cursorDesk, callerCursors(parts)),
    storePort(impactFeedLink, (call) => impactFeedLinkOf(parts, call)),
    storePort(impactFeeds, ({ db }) => impactFeedsOf(parts, companiesIn(db))),
  ],
});

/** Opens the cursors of the caller's account. */
function callerCursors(parts: StoreParts): (call: StoreCall) => CompanyCursors {
  const desk = cursorDeskOf(parts);
  return (call) => desk(accountOf(call));
}

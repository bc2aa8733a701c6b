import { serviceStore, storePort } from "../../../database/service-store.js";
import { mailLinks, mailRecipients } from "../mail-ports.js";
import { firingReading, testContinuationsPort, watchesPort, watchFeeds } from "../ports.js";
import { testContinuations } from "../rules/test-continuation.js";
import { accountOf } from "./account-of.js";
import { demoWatchesJob } from "./demo.js";
import { evaluationJob } from "./evaluator/job.js";
import { firingReadingOf, firingStoreLog } from "./firing-reader.js";
import { mailQueueJob, mailSendJob } from "./mail/jobs.js";
import { mailLinksOf, mailRecipientsOf } from "./mail/mail-ports.js";
import { mailFigures, thinMails } from "./mail/upkeep.js";
import { watchMigrations } from "./migrations.js";
import { watchesIn } from "./tables.js";
import { thinFirings, watchFigures } from "./upkeep.js";
import { watchFeedsOf } from "./watch-feed.js";
import { watchStore } from "./watch-store.js";

export const watchServiceStore = serviceStore({
  migrations: () => watchMigrations,
  figures: async (parts) => ({ ...(await watchFigures(parts)), ...(await mailFigures(parts)) }),
  jobs: [demoWatchesJob, evaluationJob, mailQueueJob, mailSendJob],
  async thin(parts) {
    await thinFirings(parts);
    await thinMails(parts);
  },
  logs: (parts) => [firingStoreLog(parts)],
  ports: (parts) => [
    storePort(watchesPort, (call) => watchStore(parts, call)),
    storePort(watchFeeds, ({ db }) => watchFeedsOf(parts, watchesIn(db))),
    storePort(testContinuationsPort, (call) => testContinuations(parts.signer, accountOf(call))),
    storePort(firingReading, (call) => firingReadingOf(parts, call)),
    storePort(mailLinks, (call) => mailLinksOf(parts, call)),
    storePort(mailRecipients, (call) => mailRecipientsOf(parts, call)),
  ],
});

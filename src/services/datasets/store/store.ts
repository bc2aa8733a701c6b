import { datasetTimeline } from "../../../contract/dataset-log.js";
import { serviceStore, storePort } from "../../../database/service-store.js";
import { datasetCursors } from "../cursors.js";
import { datasetCursorDesk, datasetReading } from "../ports.js";
import { changesAfter, statesNow } from "./change-log.js";
import { logJob } from "./log-job.js";
import { datasetStoreLog } from "./log-reader.js";
import { datasetMigrations } from "./migrations.js";
import { thinLog } from "./retention.js";
import { datasetsIn } from "./tables.js";
import { timelineOf } from "./timeline.js";

export const datasetStore = serviceStore({
  migrations: () => datasetMigrations,
  jobs: [logJob],
  thin: thinLog,
  logs: (parts) => [datasetStoreLog(parts)],
  ports: ({ signer }) => [
    storePort(datasetReading, ({ db: shared }) => {
      const db = datasetsIn(shared);
      return {
        changesAfter: (position, filters, changesMax) => changesAfter(db, position, filters, changesMax),
        states: () => statesNow(db),
      };
    }),
    storePort(datasetTimeline, ({ db }) => timelineOf(datasetsIn(db))),
    storePort(datasetCursorDesk, () => datasetCursors(signer)),
  ],
});

import { serviceStore, storePort } from "../../../database/service-store.js";
import { firingReading, watchesPort } from "../ports.js";
import { evaluationJob } from "./evaluator/job.js";
import { firingReadingOf, firingStoreLog } from "./firing-reader.js";
import { watchMigrations } from "./migrations.js";
import { thinFirings, watchFigures } from "./upkeep.js";
import { watchStore } from "./watch-store.js";

export const watchServiceStore = serviceStore({
  migrations: () => watchMigrations,
  figures: watchFigures,
  jobs: [evaluationJob],
  thin: thinFirings,
  logs: (parts) => [firingStoreLog(parts)],
  ports: (parts) => [
    storePort(watchesPort, (call) => watchStore(parts, call)),
    storePort(firingReading, (call) => firingReadingOf(parts, call)),
  ],
});

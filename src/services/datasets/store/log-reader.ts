import type { Kysely } from "kysely";
import type { LogCursors, LogEntry, LogReader } from "../../../contract/change-log.js";
import type { Database } from "../../../database/schema.js";
import type { StoreLog, StoreParts } from "../../../database/service-store.js";
import { datasetCursors } from "../cursors.js";
import { datasetLog } from "../dataset-log.js";
import type { DatasetChange } from "../records.js";
import { changesAfter, logExtent } from "./change-log.js";
import { type DatasetDatabase, datasetsIn } from "./tables.js";

/** Returns the log of datasets with its reader. */
export function datasetStoreLog({ signer }: Pick<StoreParts, "signer">): StoreLog {
  const cursors = datasetCursors(signer);
  return { log: datasetLog, open: (db: Kysely<Database>) => readerOf(datasetsIn(db), cursors) };
}

const everything = { dataset: [], state: [] } as const;

function readerOf(db: DatasetDatabase, cursors: LogCursors): LogReader {
  return {
    async newest(accountIds) {
      const { newest } = await logExtent(db);
      return newest === 0 ? new Map() : new Map(accountIds.map((accountId) => [accountId, newest]));
    },
    async read(_accountId, after, entriesMax) {
      const { log, changes } = await changesAfter(db, after, everything, entriesMax);
      return { log, entries: changes.map(entryOf) };
    },
    cursors: () => cursors,
  };
}

function entryOf(change: DatasetChange): LogEntry {
  const { position, dataset, state } = change;
  return { position, subject: dataset, facets: { dataset, state }, text: JSON.stringify(change) };
}

import type { LogEntry, LogReader } from "../../../contract/change-log.js";
import type { StoreCall, StoreLog, StoreParts } from "../../../database/service-store.js";
import { firingLog, shortKind } from "../firing-log.js";
import type { FiringReading } from "../ports.js";
import type { WatchFiring } from "../records.js";
import { firingCursors } from "../rules/cursors.js";
import { accountOf } from "./account-of.js";
import { firingsAfter, newestFirings } from "./firing-log.js";
import { type WatchDatabase, watchesIn } from "./tables.js";

/** Returns the log of firings and its reader. The reader runs the same SQL statements as a caller's poll. */
export function firingStoreLog({ signer }: Pick<StoreParts, "signer">): StoreLog {
  return { log: firingLog, open: (db) => readerOf(watchesIn(db), signer) };
}

/** Opens the log of the caller's account. */
export function firingReadingOf({ signer }: Pick<StoreParts, "signer">, call: StoreCall): FiringReading {
  const accountId = accountOf(call);
  const db = watchesIn(call.db);
  return {
    cursors: firingCursors(signer, accountId),
    after: (position, filters, firingsMax) => firingsAfter(db, { accountId, position }, filters, firingsMax),
  };
}

const everything = { watchId: [], kind: [] } as const;

function readerOf(db: WatchDatabase, signer: StoreParts["signer"]): LogReader {
  return {
    newest: (accountIds) => newestFirings(db, accountIds),
    async read(accountId, after, entriesMax) {
      const { log, firings } = await firingsAfter(db, { accountId, position: after }, everything, entriesMax);
      return { log, entries: firings.map(entryOf) };
    },
    cursors: (accountId) => firingCursors(signer, accountId),
  };
}

function entryOf(firing: WatchFiring): LogEntry {
  const { position, watchId, kind, on } = firing;
  return { position, subject: watchId, facets: { watchId, kind: shortKind(kind), on }, text: JSON.stringify(firing) };
}

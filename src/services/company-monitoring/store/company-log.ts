import type { LogEntry, LogReader } from "../../../contract/change-log.js";
import type { StoreLog, StoreParts } from "../../../database/service-store.js";
import { companyEventLog } from "../changes/company-event-log.js";
import type { LoggedImpact } from "../changes/company-reading.js";
import type { CompanyCursors } from "../changes/cursors.js";
import { facetsOf } from "../changes/impact-facets.js";
import { pollUse } from "../changes/page-at-boundary.js";
import { changesAfter, newestOf } from "./change-log.js";
import { cursorDeskOf } from "./cursor-desk.js";
import { type CompanyDatabase, companiesIn } from "./tables.js";

/** Returns the log of impacts with its reader, which uses the same statements as polls. */
export function companyLog(parts: StoreParts): StoreLog {
  const desk = cursorDeskOf(parts);
  return { log: companyEventLog, open: (db) => readerOf(companiesIn(db), desk, parts.clock.now) };
}

function readerOf(db: CompanyDatabase, desk: (accountId: string) => CompanyCursors, now: () => number): LogReader {
  return {
    newest: (accountIds) => newestOf(db, accountIds),
    async read(accountId, after, entriesMax) {
      const { log, changes } = await changesAfter(db, accountId, after, entriesMax);
      return { log, entries: changes.map(entryOf) };
    },
    cursors(accountId) {
      const cursors = desk(accountId);
      return {
        async open(cursor) {
          const { watermark, snapshotGeneration } = await cursors.open(cursor, pollUse);
          return { position: watermark, snapshotGeneration };
        },
        sign: ({ position, snapshotGeneration }) =>
          cursors.sign(pollUse, { watermark: position, snapshotGeneration, snapshotAsOf: now() }),
      };
    },
  };
}

function entryOf({ position, impact }: LoggedImpact): LogEntry {
  const { companyId } = impact;
  return {
    position,
    subject: companyId,
    facets: { companyId, ...facetsOf(impact) },
    text: JSON.stringify({ position, impact }),
  };
}

import { sql } from "kysely";
import { Type } from "typebox";
import type { LogEntry, OpenLog } from "../../../../../contract/change-log.js";
import type { Mail } from "../../../../../contract/mail.js";
import type { OpenDatabase } from "../../../../../database/open-database.js";
import type { StoreParts } from "../../../../../database/service-store.js";
import { testStoreParts } from "../../../../../database/testing/store-parts.js";
import { type ManualClock, manualClock } from "../../../../../kit/manual-clock.js";
import type { WatchFiring } from "../../../records.js";
import { CONFIRMED_WITHIN_MS } from "../../../rules/mail-limits.js";
import { watchServiceStore } from "../../store.js";
import { confirmAddress, setRecipients, stopMails } from "../addresses.js";
import { queueMails } from "../fan-out.js";
import { expireMails } from "../outcome.js";
import { sendMails } from "../send.js";
import { mailsIn } from "../tables.js";

export const NOW = Date.UTC(2026, 10, 23);
export const ACCOUNT = "acc_a";
export const WATCH = "wch_1";

/** A firing of a watch on new rows. */
export const firing: WatchFiring = {
  position: 1,
  firingId: "wfr_1",
  watchId: WATCH,
  watchName: "Large earthquakes",
  kind: "WATCH_FIRING_KIND_FIRED",
  on: "WATCH_ON_NEW_ROWS",
  firedAt: new Date(NOW).toISOString(),
  call: "/api/seismology/v1/list-earthquakes?min_magnitude=6",
  state: "ok",
  generations: { earthquakes: 12 },
  previousGenerations: { earthquakes: 11 },
  rows: [{ change: "added", id: "us7000", after: { magnitude: 6.4, place: "Fiji" } }],
  addedCount: 1,
  changedCount: 0,
  removedCount: 0,
  links: {
    answer: "/api/seismology/v1/list-earthquakes?min_magnitude=6&as_of=2026-11-23T00:00:00Z",
    history: ["/api/datasets/v1/list-dataset-changes?dataset=earthquakes"],
  },
  sources: [{ name: "USGS", url: "https://earthquake.usgs.gov/", licence: "US government work" }],
};

/** A log of firings that is kept in memory. The nodes of a test share it. */
export interface MemoryFirings extends OpenLog {
  /** Adds a firing and returns its position. */
  add(more?: Partial<WatchFiring>, accountId?: string): number;
}

export function memoryFirings(): MemoryFirings {
  const byAccount = new Map<string, LogEntry[]>();
  const entriesOf = (accountId: string): LogEntry[] => byAccount.get(accountId) ?? [];
  const newestOf = (accountId: string): number => entriesOf(accountId).at(-1)?.position ?? 0;
  return {
    log: {
      event: "watch.fired",
      description: "A watch has fired.",
      scope: "read",
      isPerAccount: true,
      entry: Type.Object({}),
      subject: "watchId",
      facets: {},
    },
    reader: {
      newest: async (accountIds) => new Map(accountIds.map((id) => [id, newestOf(id)])),
      read: async (accountId, after, entriesMax) => ({
        log: { oldest: 1, newest: newestOf(accountId), snapshotGeneration: 1 },
        entries: entriesOf(accountId)
          .filter(({ position }) => position > after)
          .slice(0, entriesMax),
      }),
      cursors: () => {
        throw new Error("emails need no cursors");
      },
    },
    add(more = {}, accountId = ACCOUNT) {
      const position = newestOf(accountId) + 1;
      const entry = { ...firing, firingId: `wfr_${position}`, ...more, position };
      byAccount.set(accountId, [
        ...entriesOf(accountId),
        { position, subject: entry.watchId, facets: {}, text: JSON.stringify(entry) },
      ]);
      return position;
    },
  };
}

const never = new AbortController().signal;

export interface MailNode {
  readonly parts: StoreParts;
  readonly clock: ManualClock;
  /** Sets the recipients of a watch in a transaction, as a write does. */
  name(
    addresses: readonly string[],
    more?: { readonly accountId?: string; readonly watchId?: string },
  ): Promise<"set" | "too many">;
  confirm(token: string): Promise<boolean>;
  stop(token: string): Promise<boolean>;
  queue(): Promise<void>;
  send(mail: Mail, signal?: AbortSignal): Promise<void>;
  expire(): Promise<void>;
  /** The emails in the order of their creation, as `state/attempts`. */
  states(): Promise<readonly string[]>;
}

/** Opens one node of a store and creates the tables of watches. Nodes with different seeds create different ids. */
export async function mailNode(
  database: OpenDatabase,
  firings: MemoryFirings,
  options: { readonly clock?: ManualClock; readonly seed?: number; readonly isSimulated?: boolean } = {},
): Promise<MailNode> {
  const { clock = manualClock(NOW) } = options;
  const store = { service: "watches", store: watchServiceStore };
  const parts = await testStoreParts(database, store, { ...options, clock });
  const newest = async (accountId: string): Promise<number> =>
    (await firings.reader.newest([accountId])).get(accountId) ?? 0;
  return {
    parts,
    clock,
    name: (addresses, { accountId = ACCOUNT, watchId = WATCH } = {}) =>
      database.db.transaction().execute((on) => setRecipients(parts, mailsIn(on), { accountId, watchId, addresses })),
    confirm: (token) =>
      database.db.transaction().execute((on) => {
        const since = clock.now() - CONFIRMED_WITHIN_MS;
        return confirmAddress(parts, mailsIn(on), token, { since, newest });
      }),
    stop: (token) => database.db.transaction().execute((on) => stopMails(parts, mailsIn(on), token)),
    queue: () => queueMails(parts, firings, never),
    send: (mail, signal = never) => sendMails(parts, { mail, firings, signal }),
    expire: () => expireMails(parts, never),
    async states() {
      const rows = await mailsIn(database.db)
        .selectFrom("watch_mail")
        .select(["state", "attempt_count"])
        .orderBy("created_at")
        // Without `coalesce`, SQLite would sort null first and PostgreSQL last.
        .orderBy(sql`coalesce(position, 0)`)
        .execute();
      return rows.map(({ state, attempt_count }) => `${state}/${attempt_count}`);
    },
  };
}

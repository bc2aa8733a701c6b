import type { Static, TSchema } from "typebox";
import type { Scope } from "./access/scopes.js";
import { port } from "./port.js";

/**
 * An append-only log of changes. Polls, streams and webhooks each deliver the changes in the order of their positions.
 * A log belongs to one account, or is shared by all callers.
 */
export interface ChangeLog<Entry extends TSchema = TSchema> {
  /** Type of its events in streams and webhooks, such as `company_event.changed`. */
  readonly event: string;
  /** One sentence on what an entry reports. */
  readonly description: string;
  /** The scope that a reader needs. */
  readonly scope: Scope;
  /** True if each account has a log of its own. */
  readonly isPerAccount: boolean;
  /** One delivered change; it has a `position`. */
  readonly entry: Entry;
  /**
   * The member with the subject of an entry, such as `companyId`. A webhook can deliver the entries of each subject in
   * order.
   */
  readonly subject: string;
  /**
   * The facets by which subscribers can filter, each with its possible values; undefined for a facet whose value can be
   * any string.
   */
  readonly facets: Readonly<Record<string, readonly string[] | undefined>>;
  /**
   * Formats an entry for people as one line, without the position. For a log without this function, the JSON is shown.
   */
  line?(entry: Static<Entry>): string;
}

/** A change at its position. */
export interface LogEntry {
  readonly position: number;
  readonly subject: string;
  /** The value of each facet. */
  readonly facets: Readonly<Record<string, string>>;
  /** The delivered change as JSON. */
  readonly text: string;
}

/** The retained part of a log. */
export interface RetainedLog {
  /** Oldest retained position; `newest` + 1 if the log retains none. */
  readonly oldest: number;
  /** Newest position; 0 for a log without changes. */
  readonly newest: number;
  /** A number that changes when readers must list the subjects of the entries again. */
  readonly snapshotGeneration: number;
  /**
   * Position of the newest retained change that increased the snapshot generation; absent if there is none. A reader at
   * an earlier position must list the subjects again.
   */
  readonly snapshotPosition?: number;
}

/** The entries and the extent of a log, both read at the same moment. */
export interface LogRead {
  readonly log: RetainedLog;
  /** In order of their positions, which may have gaps. */
  readonly entries: readonly LogEntry[];
}

/** The position of a reader in a log. */
export interface LogPlace {
  /** The position up to which the reader has read everything. */
  readonly position: number;
  readonly snapshotGeneration: number;
}

/** Reads a log. For a shared log, `accountId` can be any string. */
export interface LogReader {
  /** Reads the newest position of each account that has entries, in one statement for any number of accounts. */
  newest(accountIds: readonly string[]): Promise<ReadonlyMap<string, number>>;
  /** Reads the first entries above a position, at most `entriesMax`. */
  read(accountId: string, after: number, entriesMax: number): Promise<LogRead>;
  /** Returns the functions for the cursors with which this account polls the log. */
  cursors(accountId: string): LogCursors;
}

/** Reads and creates the cursors with which an account polls a log. */
export interface LogCursors {
  /** Reads the position in a cursor. Throws a 400 for an invalid cursor. */
  open(cursor: string): Promise<LogPlace>;
  sign(place: LogPlace): Promise<string>;
}

/** A declared log with its reader. */
export interface OpenLog {
  readonly log: ChangeLog;
  readonly reader: LogReader;
}

/** The logs of all services. */
export const changeLogs = port<readonly OpenLog[]>("change logs");

/** Returns true if an entry passes the filters. An empty filter admits every value. */
export function isWanted({ facets }: LogEntry, filters: Readonly<Record<string, readonly string[]>>): boolean {
  for (const facet in filters) {
    const values = filters[facet] ?? [];
    const value = facets[facet];
    if (values.length > 0 && (value === undefined || !values.includes(value))) return false;
  }
  return true;
}

/** Returns true if the snapshot generation has not changed after this position. */
export function hasSnapshotOf(position: number, { snapshotPosition = 0 }: RetainedLog): boolean {
  return position >= snapshotPosition;
}

/**
 * Returns true if the log still has every change after this position. False if some may have been removed, or if the
 * log ends before the position.
 */
export function isRetained(position: number, { oldest, newest }: RetainedLog): boolean {
  return position + 1 >= oldest && position <= newest;
}

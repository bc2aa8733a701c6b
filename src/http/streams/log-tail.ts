import {
  hasSnapshotOf,
  isRetained,
  type LogCursors,
  type LogEntry,
  type LogPlace,
  type LogRead,
  type OpenLog,
  type RetainedLog,
} from "../../contract/change-log.js";
import { eventText } from "./event-text.js";

/**
 * The state of a reader of the log: its snapshot is current, or it has to read the snapshot again. Here, a snapshot is
 * the reader's copy of the state that the changes apply to, such as a portfolio of companies. Another operation serves
 * that state.
 */
export type PollState = "CURRENT" | "SNAPSHOT_REQUIRED";

/** An entry with the text of its event. All followers of the log share the text. */
export interface TailEntry {
  readonly entry: LogEntry;
  readonly text: string;
}

/** Entries above a position, up to `end`. */
export interface TailPage {
  readonly entries: readonly TailEntry[];
  /** The position of a reader that has read these entries. */
  readonly end: number;
  /** Position of the newest change of the snapshot generation, which may be after `end`; 0 if there is none. */
  readonly snapshotPosition: number;
  /** The event that tells a reader at `snapshotPosition` to read the snapshot again. */
  readonly snapshotText: string;
}

/** Maximum number of entries per read. */
const ENTRIES_READ_MAX = 100;
/** Maximum number of entries kept in memory: the newest ones, for followers that have not yet received them. */
const ENTRIES_KEPT_MAX = 256;

/**
 * The newest entries of one account's log, or of a log that all accounts share. They are read once for all followers of
 * the log. A follower that is behind the kept entries reads pages from the store until it reaches them.
 */
export class LogTail {
  private readonly open: OpenLog;
  private readonly accountId: string;
  private readonly cursors: LogCursors;
  private kept: readonly TailEntry[] = [];
  /** All entries above this position and up to `newest` are kept. */
  private keptAfter: number;
  private newest: number;
  private snapshotPosition: number;
  private snapshotText = "";

  constructor(open: OpenLog, accountId: string, { log }: LogRead) {
    this.open = open;
    this.accountId = accountId;
    this.cursors = open.reader.cursors(accountId);
    this.keptAfter = log.newest;
    this.newest = log.newest;
    this.snapshotPosition = log.snapshotPosition ?? 0;
  }

  /** Returns all entries above a position; undefined if some of them are no longer kept. */
  after(position: number): TailPage | undefined {
    const { kept, newest, snapshotPosition, snapshotText } = this;
    if (position < this.keptAfter) return undefined;
    const entries = kept.filter(({ entry }) => entry.position > position);
    return { entries, end: Math.max(position, newest), snapshotPosition, snapshotText };
  }

  /**
   * Reads the first entries above a position from the store; undefined if the log no longer reaches back to that
   * position.
   */
  async read(position: number): Promise<TailPage | undefined> {
    const { log, entries } = await this.open.reader.read(this.accountId, position, ENTRIES_READ_MAX);
    if (!isRetained(position, log)) return undefined;
    const { snapshotGeneration, snapshotPosition = 0 } = log;
    const last = entries.at(-1);
    const isFull = entries.length === ENTRIES_READ_MAX;
    const end = isFull && last !== undefined ? last.position : log.newest;
    return {
      entries: await Promise.all(entries.map((entry) => this.eventOf(entry, log))),
      end,
      snapshotPosition,
      snapshotText: await this.standingText(
        "snapshot_required",
        { position: snapshotPosition, snapshotGeneration },
        "SNAPSHOT_REQUIRED",
      ),
    };
  }

  /**
   * Reads further entries up to `newest`, the newest position according to the store. Returns false if the log cannot
   * be continued from the position read so far: entries above this position were removed, or the log ends below this
   * position, for example after a backup was restored.
   */
  async readOn(newest: number): Promise<boolean> {
    if (newest < this.newest) return false;
    while (this.newest < newest) {
      const page = await this.read(this.newest);
      if (page === undefined) return false;
      const kept = [...this.kept, ...page.entries];
      const dropped = kept.slice(0, Math.max(0, kept.length - ENTRIES_KEPT_MAX));
      this.kept = kept.slice(dropped.length);
      this.keptAfter = dropped.at(-1)?.entry.position ?? this.keptAfter;
      this.newest = page.end;
      this.snapshotPosition = page.snapshotPosition;
      this.snapshotText = page.snapshotText;
    }
    return true;
  }

  /** The text of an event with a reader's position and state, and with the cursor for continuing by polling. */
  async standingText(event: string, place: LogPlace, pollState: PollState): Promise<string> {
    const { position } = place;
    return eventText(
      event,
      position,
      JSON.stringify({ position, pollState, nextCursor: await this.cursors.sign(place) }),
    );
  }

  private async eventOf(entry: LogEntry, log: RetainedLog): Promise<TailEntry> {
    const { position } = entry;
    // The reader of an entry before the newest generation does not have its snapshot yet, so the next poll must say so.
    const snapshotGeneration = hasSnapshotOf(position, log) ? log.snapshotGeneration : log.snapshotGeneration - 1;
    const nextCursor = await this.cursors.sign({ position, snapshotGeneration });
    const data = `${entry.text.slice(0, -1)},"nextCursor":${JSON.stringify(nextCursor)}}`;
    return { entry, text: eventText(this.open.log.event, position, data) };
  }
}

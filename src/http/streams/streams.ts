import {
  type ChangeLog,
  hasSnapshotOf,
  isRetained,
  isWanted,
  type LogPlace,
  type LogRead,
  type OpenLog,
} from "../../contract/change-log.js";
import { failure } from "../../contract/failures.js";
import { Alarm } from "../../kit/alarm.js";
import { type Clock, isWithin, SECOND_MS } from "../../kit/clock.js";
import type { Random } from "../../kit/random.js";
import { repeatedly } from "../../kit/repeatedly.js";
import type { Follow } from "../exchange.js";
import { Follower } from "./follower.js";
import { LogTail } from "./log-tail.js";

export interface StreamParts {
  readonly logs: readonly OpenLog[];
  readonly clock: Clock;
  readonly random: Random;
  /** Maximum number of open streams per account on this node. */
  readonly perAccountMax: number;
  readonly onFault: (error: unknown) => void;
}

/** The place after which a stream begins. A `Last-Event-ID` has no snapshot generation. */
export type StreamPlace = Pick<LogPlace, "position"> & Partial<Pick<LogPlace, "snapshotGeneration">>;

/** A stream to open. */
export interface StreamRequest {
  readonly log: ChangeLog;
  readonly accountId: string;
  /** The position after which the stream begins; undefined if the stream begins at the end of the log. */
  readonly place: StreamPlace | undefined;
  readonly filters: Readonly<Record<string, readonly string[]>>;
  /** False once the caller's credential or plan no longer allows the stream. */
  readonly isAllowed: () => Promise<boolean>;
}

/** The open streams of this node. */
export interface Streams {
  /**
   * Opens a stream. Throws the 410 for a position before the beginning or after the end of the log, and the 429 for too
   * many streams. The stream counts as open from this call on, so the returned function must be called even if the
   * connection has already closed.
   */
  open(request: StreamRequest): Promise<Follow>;
  /** Number of open streams. */
  readonly count: number;
  /** Reads the logs immediately. Called when one of them has probably grown. */
  wake(): void;
  /** Ends all streams. Their clients connect again, each after its own delay. */
  close(): void;
}

/** Maximum time until this node sees a committed change. */
const SEEN_AFTER_MS = SECOND_MS / 2;
const SWEPT_EVERY_MS = SECOND_MS;
const HEARTBEAT_MS = 10 * SECOND_MS;
const ACCESS_CHECKED_EVERY_MS = 15 * SECOND_MS;
/** Clients connect again after one to four seconds, so that they do not all arrive at the same time after a restart. */
const RETRY_MS = { min: 1_000, max: 4_000 };
/** Maximum number of accounts in one statement. */
const ACCOUNTS_READ_MAX = 500;
/** The account id for reading a log that all accounts share. */
const EVERYBODY = "";

interface OpenStream {
  readonly follower: Follower;
  readonly accountId: string;
  readonly isAllowed: () => Promise<boolean>;
  checkedAt: number;
}

/** One log with the tails of the accounts that follow it. */
interface FollowedLog {
  readonly open: OpenLog;
  readonly tails: Map<string, FollowedTail>;
}

interface FollowedTail {
  readonly tail: LogTail;
  readonly streams: Set<OpenStream>;
}

/**
 * Follows logs for all callers: one statement per log reads the newest positions of up to `ACCOUNTS_READ_MAX`
 * accounts, and each account's new entries are read once.
 */
export function openStreams({ logs, clock, random, perAccountMax, onFault }: StreamParts): Streams {
  const followed = new Map<ChangeLog, FollowedLog>(logs.map((open) => [open.log, { open, tails: new Map() }]));
  const opened = new Map<string, number>();
  const stopping = new AbortController();
  const reading = new Alarm();

  let isStarted = false;

  /** Starts following when the first stream opens, because many processes never have a stream. */
  function start(): void {
    if (isStarted) return;
    isStarted = true;
    const loop = (ms: number, work: () => Promise<void>, alarm?: Alarm): void => {
      repeatedly(work, ms, clock, stopping.signal, onFault, alarm).catch(onFault);
    };
    const readAll = async (): Promise<void> => {
      for (const log of followed.values()) await readNew(log).catch(onFault);
    };
    loop(SEEN_AFTER_MS, readAll, reading);
    loop(SWEPT_EVERY_MS, async () => {
      for (const { follower } of openedStreams()) follower.beat(HEARTBEAT_MS);
    });
    // The access check has a loop of its own, because heartbeats must not wait for a slow store.
    loop(SWEPT_EVERY_MS, checkAccess);
  }

  async function readNew({ open, tails }: FollowedLog): Promise<void> {
    const accountIds = [...tails.keys()];
    for (let from = 0; from < accountIds.length; from += ACCOUNTS_READ_MAX) {
      const chunk = accountIds.slice(from, from + ACCOUNTS_READ_MAX);
      try {
        const newest = await open.reader.newest(chunk);
        for (const accountId of chunk) await readOn(tails, accountId, newest.get(accountId) ?? 0);
      } catch (error) {
        // Ends the streams, because a silent stream would look like a log without changes.
        for (const accountId of chunk) endAll(tails.get(accountId));
        throw error;
      }
    }
  }

  async function readOn(tails: FollowedLog["tails"], accountId: string, newest: number): Promise<void> {
    const followedTail = tails.get(accountId);
    if (followedTail === undefined) return;
    const isWhole = await followedTail.tail.readOn(newest);
    if (!isWhole) endAll(followedTail);
    else for (const { follower } of followedTail.streams) follower.sendNew();
  }

  function* openedStreams(): Generator<OpenStream> {
    for (const { tails } of followed.values()) {
      for (const { streams } of tails.values()) yield* streams;
    }
  }

  async function checkAccess(): Promise<void> {
    for (const stream of openedStreams()) {
      if (isWithin(clock.now(), stream.checkedAt, ACCESS_CHECKED_EVERY_MS)) continue;
      stream.checkedAt = clock.now();
      if (!(await stream.isAllowed())) stream.follower.end();
    }
  }

  function endAll(followedTail: FollowedTail | undefined): void {
    for (const { follower } of followedTail?.streams ?? []) follower.end();
  }

  function count(accountId: string, by: 1 | -1): void {
    const now = (opened.get(accountId) ?? 0) + by;
    if (now === 0) opened.delete(accountId);
    else opened.set(accountId, now);
  }

  return {
    get count() {
      return [...opened.values()].reduce((sum, streams) => sum + streams, 0);
    },
    async open({ log, accountId, place, filters, isAllowed }) {
      const followedLog = followed.get(log);
      if (followedLog === undefined) throw new Error(`the log of ${log.event} is not open`);
      if ((opened.get(accountId) ?? 0) >= perAccountMax) throw failure("tooManyStreams", { max: perAccountMax });
      const { open, tails } = followedLog;
      const owner = log.isPerAccount ? accountId : EVERYBODY;
      start();
      count(accountId, 1);
      const { read, position, isCurrent } = await placeIn(open, owner, place, filters).catch((error: unknown) => {
        count(accountId, -1);
        throw error;
      });
      const { snapshotGeneration, snapshotPosition = 0 } = read.log;
      return (outlet) => {
        const followedTail = tails.get(owner) ?? { tail: new LogTail(open, owner, read), streams: new Set() };
        tails.set(owner, followedTail);
        const retryMs = Math.round(RETRY_MS.min + random() * (RETRY_MS.max - RETRY_MS.min));
        const { tail, streams } = followedTail;
        const follower = new Follower(
          { tail, place: { position, snapshotGeneration }, snapshotPosition, filters, clock, retryMs, onFault },
          outlet,
        );
        const stream: OpenStream = { follower, accountId, isAllowed, checkedAt: clock.now() };
        streams.add(stream);
        follower
          .begin(isCurrent ? "CURRENT" : "SNAPSHOT_REQUIRED")
          .then(() => {
            // Ends a stream that was still being opened when the others were ended.
            if (stopping.signal.aborted) follower.end();
          })
          .catch((error: unknown) => {
            onFault(error);
            follower.end();
          });
        return {
          drained: () => follower.drained(),
          closed() {
            follower.closed();
            streams.delete(stream);
            count(accountId, -1);
            if (streams.size === 0 && tails.get(owner) === followedTail) tails.delete(owner);
          },
        };
      };
    },
    wake: () => reading.ring(),
    close() {
      stopping.abort(new Error("stopping"));
      for (const { follower } of openedStreams()) follower.end();
    },
  };
}

interface StreamStart {
  readonly read: LogRead;
  readonly position: number;
  /** False if the snapshot generation has changed since the caller's place. */
  readonly isCurrent: boolean;
}

/** Maximum number of entries per read while a stream skips entries that its filters do not admit. */
const SKIPPED_PER_READ_MAX = 100;
/** Maximum number of reads before a stream begins. A caller that connects again skips further. */
const SKIP_READS_MAX = 10;

/**
 * Finds the position after which a stream begins. Throws the 410 for a position before the beginning or after the end
 * of the log. A stream skips the positions before the first entry that its filters admit. Otherwise, a caller that
 * connects again after a new snapshot generation would be told about it each time, until there is another such entry.
 */
async function placeIn(
  { reader }: OpenLog,
  owner: string,
  place: StreamPlace | undefined,
  filters: StreamRequest["filters"],
): Promise<StreamStart> {
  let read = await reader.read(owner, place?.position ?? 0, 1);
  if (place === undefined) return { read, position: read.log.newest, isCurrent: true };
  if (!isRetained(place.position, read.log)) throw failure("positionGone", null);
  let entriesMax = 1;
  let position = endOf(read, entriesMax, filters);
  for (let reads = 1; reads < SKIP_READS_MAX && isWithoutWanted(read, filters); reads += 1) {
    entriesMax = SKIPPED_PER_READ_MAX;
    read = await reader.read(owner, position, entriesMax);
    if (!isRetained(position, read.log)) throw failure("positionGone", null);
    position = endOf(read, entriesMax, filters);
  }
  const { log } = read;
  const isCurrent =
    place.snapshotGeneration === undefined
      ? hasSnapshotOf(place.position, log)
      : place.snapshotGeneration === log.snapshotGeneration;
  return { read, position, isCurrent };
}

/** Returns true if the read has entries, but none that the filters admit, so the next wanted entry may follow. */
function isWithoutWanted({ entries }: LogRead, filters: StreamRequest["filters"]): boolean {
  return entries.length > 0 && !entries.some((entry) => isWanted(entry, filters));
}

/** Returns the position before the first wanted entry, or else the end of the read. */
function endOf({ log, entries }: LogRead, entriesMax: number, filters: StreamRequest["filters"]): number {
  const wanted = entries.find((entry) => isWanted(entry, filters));
  if (wanted !== undefined) return wanted.position - 1;
  const last = entries.at(-1);
  return last !== undefined && entries.length === entriesMax ? last.position : log.newest;
}

import { type Static, Type } from "typebox";
import { DAY_MS, HOUR_MS, MINUTE_MS } from "../../../kit/clock.js";
import type { FeedReading } from "../digest-records.js";
import type { FeedProgress } from "../sources/news-feeds.js";

/** Time between two runs. A run requests only the feeds that are due. */
export const RUN_EVERY_MS = 2 * MINUTE_MS;
/**
 * Times between two requests to a feed. The shorter time applies while the feed has been empty or failing for less than
 * an hour.
 */
const [ASKED_EVERY_MS, TROUBLED_ASKED_EVERY_MS] = [15 * MINUTE_MS, 5 * MINUTE_MS];
const TROUBLED_FOR_MS = HOUR_MS;
/** If a feed becomes due in the first half of the time until the next run, the current run already requests it. */
const EARLY_MS = RUN_EVERY_MS / 2;
/** Age at which the stored times of a feed are deleted. */
const REMEMBERED_MS = 7 * DAY_MS;

const Times = Type.Record(Type.String(), Type.Integer());

/** Times of the last request and of the last successful reading of each feed, epoch ms, by feed id. */
export const FeedTimes = Type.Object({ askedAt: Times, readAt: Times });
export type FeedTimes = Static<typeof FeedTimes>;

export function timesAfter(times: FeedTimes, progress: readonly FeedProgress[], now: number): FeedTimes {
  const requestTimes = progress.map(({ feed, askedAt }) => [feed, askedAt] as const);
  const readTimes = progress.flatMap(({ feed, askedAt, isRead }) => (isRead ? [[feed, askedAt] as const] : []));
  return { askedAt: after(times.askedAt, requestTimes, now), readAt: after(times.readAt, readTimes, now) };
}

function after(
  times: Readonly<Record<string, number>>,
  newer: readonly (readonly [feed: string, at: number])[],
  now: number,
): Record<string, number> {
  const all = { ...times, ...Object.fromEntries(newer) };
  return Object.fromEntries(Object.entries(all).filter(([, at]) => now - at < REMEMBERED_MS));
}

/**
 * Selects the feeds that are due. Those that have waited longest come first, but failing feeds come last, so that dead
 * feeds do not delay others.
 */
export function dueFeeds<Feed extends { readonly id: string }>(
  feeds: readonly Feed[],
  readings: ReadonlyMap<string, FeedReading>,
  { askedAt }: FeedTimes,
  now: number,
): readonly Feed[] {
  const waited = (id: string): number => now - (askedAt[id] ?? Number.NEGATIVE_INFINITY);
  const isFailing = (id: string): boolean => ["failed", "timeout"].includes(readings.get(id)?.state ?? "");
  return feeds
    .filter(({ id }) => {
      const waitedMs = waited(id);
      // A negative wait means that the clock was set back. Such a feed is requested immediately.
      return waitedMs < 0 || waitedMs >= intervalOf(readings.get(id), now) - EARLY_MS;
    })
    .toSorted((a, b) => Number(isFailing(a.id)) - Number(isFailing(b.id)) || compare(waited(b.id), waited(a.id)));
}

/** Compares two waiting times, shortest first. Infinite times are equal; their difference would be NaN. */
function compare(a: number, b: number): number {
  return a === b ? 0 : a - b;
}

function intervalOf(reading: FeedReading | undefined, now: number): number {
  if (reading?.since === undefined) return ASKED_EVERY_MS;
  return now - reading.since < TROUBLED_FOR_MS ? TROUBLED_ASKED_EVERY_MS : ASKED_EVERY_MS;
}

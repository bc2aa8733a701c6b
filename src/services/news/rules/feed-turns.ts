import { type Static, Type } from "typebox";
import { DAY_MS, HOUR_MS, MINUTE_MS } from "../../../kit/clock.js";
import type { FeedReading } from "../digest-records.js";
import type { FeedProgress } from "../sources/news-feeds.js";

/** Time between two runs, each of which asks the feeds whose turn it is. */
export const RUN_EVERY_MS = 2 * MINUTE_MS;
/** Time between two readings of a feed, and of one that is empty or has failed for less than an hour. */
const [ASKED_EVERY_MS, TROUBLED_ASKED_EVERY_MS] = [15 * MINUTE_MS, 5 * MINUTE_MS];
const TROUBLED_FOR_MS = HOUR_MS;
/** A turn that comes before half of the time to the next run is taken in this run. */
const EARLY_MS = RUN_EVERY_MS / 2;
/** Longest time for which a feed is remembered that is asked no more. */
const REMEMBERED_MS = 7 * DAY_MS;

const Times = Type.Record(Type.String(), Type.Integer());

/** When each feed was last asked, and when it was last read; epoch ms by id. */
export const FeedTimes = Type.Object({ askedAt: Times, readAt: Times });
export type FeedTimes = Static<typeof FeedTimes>;

export function timesAfter(times: FeedTimes, progress: readonly FeedProgress[], now: number): FeedTimes {
  const asked = progress.map(({ feed, askedAt }) => [feed, askedAt] as const);
  const read = progress.flatMap(({ feed, askedAt, isRead }) => (isRead ? [[feed, askedAt] as const] : []));
  return { askedAt: after(times.askedAt, asked, now), readAt: after(times.readAt, read, now) };
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
 * Selects the feeds whose turn it is: those that wait longest first, those that are failing last, so that dead feeds hold
 * up no others.
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
      // A clock that was set back makes a feed wait no longer than one interval.
      return waitedMs < 0 || waitedMs >= intervalOf(readings.get(id), now) - EARLY_MS;
    })
    .toSorted((a, b) => Number(isFailing(a.id)) - Number(isFailing(b.id)) || compare(waited(b.id), waited(a.id)));
}

/** Infinite waits are equal. */
function compare(one: number, other: number): number {
  return one === other ? 0 : one - other;
}

function intervalOf(reading: FeedReading | undefined, now: number): number {
  if (reading?.since === undefined) return ASKED_EVERY_MS;
  return now - reading.since < TROUBLED_FOR_MS ? TROUBLED_ASKED_EVERY_MS : ASKED_EVERY_MS;
}

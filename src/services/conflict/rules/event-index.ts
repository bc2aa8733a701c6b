import type { Rows } from "../../../contract/paging.js";
import { countryKey } from "../../../geography/country-key.js";
import { sortedSteps, visitSteps } from "../../../kit/list-steps.js";
import type { ClockPace, Steps } from "../../../kit/loop-turns.js";

/** The time span of an event, in whole days or milliseconds. It includes `first` and `last`. */
export interface Span {
  readonly first: number;
  readonly last: number;
}

/** Finds events by country and time. They are sorted by their last moment, newest first, and then by id. */
export interface EventIndex<T> {
  /** Finds the events that happened in a country and overlap `time`. An empty `country` means all countries. */
  find(country: string, time: Span): Rows<T>;
  /** Returns the time of an event in the unit of the index. */
  spanOf(event: T): Span;
}

interface IndexedEvent {
  readonly id: string;
  readonly country: string;
}

/** Returns the id of an event. The lists that an index returns identify their events by it. */
export const eventId = ({ id }: Pick<IndexedEvent, "id">): string => id;

/** Sorts events in the order of the index. An index of events stored in this order is built without sorting. */
export function newestFirst<T extends IndexedEvent>(events: readonly T[], spanOf: (event: T) => Span): readonly T[] {
  return events
    .map((event): Entry<T> => ({ event, ...spanOf(event) }))
    .sort(byLastMoment)
    .map(({ event }) => event);
}

interface EventFacts<T> {
  readonly spanOf: (event: T) => Span;
  /** True if no two events have the same id. Default: false. */
  readonly hasUniqueIds?: boolean;
}

/**
 * Builds an index in which the cost of a page depends on the length of the page, and hardly on the number of events. In
 * the order of the index, events that end within the requested time are adjacent and are found by binary search; events
 * that end later are looked up separately. `events` may be in any order.
 */
export function* eventIndex<T extends IndexedEvent>(
  events: Iterable<T>,
  facts: EventFacts<T>,
  pace: ClockPace,
): Steps<EventIndex<T>> {
  const { all, byCountry } = yield* timelines(events, facts, pace);
  return {
    spanOf: facts.spanOf,
    find(country, time) {
      const timeline = country.trim() === "" ? all : byCountry.get(countryKey(country));
      return timeline && time.first <= time.last ? timeline(time) : [];
    },
  };
}

interface Timelines<T> {
  readonly all: Timeline<T>;
  readonly byCountry: ReadonlyMap<string, Timeline<T>>;
}

/**
 * Builds the timelines of an index. This is a separate function, so that the index does not keep the sorted entries in
 * memory.
 */
function* timelines<T extends IndexedEvent>(
  events: Iterable<T>,
  { spanOf, hasUniqueIds = false }: EventFacts<T>,
  pace: ClockPace,
): Steps<Timelines<T>> {
  const entries: Entry<T>[] = [];
  yield* visitSteps(events, pace, (event) => entries.push({ event, ...spanOf(event) }));
  const sorted = yield* sortedSteps(entries, byLastMoment, pace);
  const all = yield* timeline(sorted, hasUniqueIds, pace);
  const ofCountry = new Map<string, Entry<T>[]>();
  yield* visitSteps(sorted, pace, (entry) => listed(ofCountry, countryKey(entry.event.country)).push(entry));
  const byCountry = new Map<string, Timeline<T>>();
  for (const [key, own] of ofCountry) byCountry.set(key, yield* timeline(own, hasUniqueIds, pace));
  return { all, byCountry };
}

interface Entry<T> extends Span {
  readonly event: T;
}

function byLastMoment(a: Entry<IndexedEvent>, b: Entry<IndexedEvent>): number {
  if (a.last !== b.last) return b.last - a.last;
  if (a.event.id === b.event.id) return 0;
  return a.event.id < b.event.id ? -1 : 1;
}

/**
 * An event is listed under each of its days except the last if its `last` minus `first` is at most this number. Longer
 * events are few and are scanned instead.
 */
const LISTED_MAX = 62;

type Timeline<T> = (time: Span) => Rows<T>;

/** Returns a function that finds events by time. `entries` must be sorted by their last moment, newest first. */
function* timeline<T extends IndexedEvent>(
  entries: readonly Entry<T>[],
  hasUniqueIds: boolean,
  pace: ClockPace,
): Steps<Timeline<T>> {
  const during = new Map<number, Entry<T>[]>();
  const long: Entry<T>[] = [];
  // The events have a list of their own, because it is smaller than `entries` and slicing it is much faster than
  // extracting the events from entries.
  const events: T[] = [];
  const lasts = new Float64Array(entries.length);
  yield* visitSteps(entries, pace, (entry) => {
    lasts[events.length] = entry.last;
    events.push(entry.event);
    if (entry.last - entry.first > LISTED_MAX) long.push(entry);
    else for (let at = entry.first; at < entry.last; at += 1) listed(during, at).push(entry);
  });
  const hasSpans = during.size > 0 || long.length > 0;
  return ({ first, last }) => {
    const from = firstIndex(lasts, (ownLast) => ownLast <= last);
    const to = firstIndex(lasts, (ownLast) => ownLast < first);
    const beyond = hasSpans ? goingOn(last) : [];
    return {
      length: beyond.length + to - from,
      ...(hasUniqueIds && { uniqueText: eventId }),
      slice(begin, end) {
        const offset = from - beyond.length;
        const tail = events.slice(Math.max(from, begin + offset), Math.max(from, Math.min(to, end + offset)));
        if (begin >= beyond.length) return tail;
        return beyond
          .slice(begin, end)
          .map(({ event }) => event)
          .concat(tail);
      },
    };
  };

  /** Returns the events that began by `at` and ended later, in index order. */
  function goingOn(at: number): readonly Entry<T>[] {
    const lasting = long.filter((entry) => entry.first <= at && at < entry.last);
    const listedThen = during.get(at) ?? [];
    return lasting.length === 0 ? listedThen : [...lasting, ...listedThen].sort(byLastMoment);
  }
}

function listed<Key, T>(lists: Map<Key, T[]>, at: Key): T[] {
  const list = lists.get(at) ?? [];
  if (list.length === 0) lists.set(at, list);
  return list;
}

/**
 * Finds by binary search the index of the first moment that passes a test. All moments after it in the list must pass
 * too.
 */
function firstIndex(moments: Float64Array, passes: (moment: number) => boolean): number {
  let [low, high] = [0, moments.length];
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (passes(moments[middle] as number)) high = middle;
    else low = middle + 1;
  }
  return low;
}

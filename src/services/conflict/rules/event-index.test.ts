import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { restlessPace, resultOf, viewOf } from "../../../../test/support/views.js";
import { DAY_MS } from "../../../kit/clock.js";
import { ClockPace } from "../../../kit/loop-turns.js";
import { seededRandom } from "../../../kit/random.js";
import { betaEvents } from "../datasets/beta-events.js";
import type { BetaViolenceEvent } from "../records.js";
import { type EventIndex, eventId, eventIndex, newestFirst, type Span } from "./event-index.js";

interface Known extends Span {
  readonly id: string;
  readonly country: string;
}

const event = fc
  .record({
    country: fc.constantFrom("Sudan", "Ukraine", "Nowhere Land"),
    first: fc.integer({ min: 0, max: 120 }),
    // Lengths on both sides of `LISTED_MAX`. The index scans longer events instead of listing them by day.
    length: fc.oneof(fc.constant(0), fc.integer({ min: 0, max: 4 }), fc.integer({ min: 60, max: 65 })),
  })
  .map(({ country, first, length }) => ({ country, first, last: first + length }));
const events = fc
  .array(event, { maxLength: 60 })
  .map((list) => list.map((event, at): Known => ({ ...event, id: `e${String(at).padStart(3, "0")}` })));
const moment = fc.oneof(
  { arbitrary: fc.integer({ min: -5, max: 190 }), weight: 6 },
  fc.constantFrom(Number.NEGATIVE_INFINITY, Number.POSITIVE_INFINITY),
);

/** Builds an index with a pause at every opportunity. */
const indexOf = (all: readonly Known[]): EventIndex<Known> =>
  resultOf(eventIndex(all, { spanOf: (event) => event }, restlessPace().pace));

test("every page of the index has the same events, in the same order, as a scan of all events", () => {
  const query = fc.record({
    country: fc.constantFrom("", "SD", "ukraine", "nowhere land", "FR"),
    first: moment,
    last: moment,
  });
  fc.assert(
    fc.property(
      events,
      query,
      fc.nat({ max: 70 }),
      fc.nat({ max: 20 }),
      (all, { country, first, last }, from, size) => {
        const codes: Readonly<Record<string, string>> = {
          SD: "Sudan",
          ukraine: "Ukraine",
          "nowhere land": "Nowhere Land",
        };
        const expected = all
          .filter((event) => country === "" || event.country === codes[country])
          .filter((event) => first <= last && event.first <= last && event.last >= first)
          .sort((a, b) => b.last - a.last || (a.id < b.id ? -1 : 1));
        const events = indexOf(all).find(country, { first, last });
        expect(events.length).toBe(expected.length);
        expect(events.slice(0, events.length)).toEqual(expected);
        expect(events.slice(from, from + size)).toEqual(expected.slice(from, from + size));
      },
    ),
    { numRuns: 1_000 },
  );
});

test("lists of an index identify events by id only if the ids are known to be unique", () => {
  const all: readonly Known[] = [{ id: "a", country: "Sudan", first: 0, last: 0 }];
  const everything: Span = { first: Number.NEGATIVE_INFINITY, last: Number.POSITIVE_INFINITY };
  const facts = { spanOf: (event: Known) => event, hasUniqueIds: true };
  const index = resultOf(eventIndex(all, facts, restlessPace().pace));
  expect(index.find("SD", everything).uniqueText).toBe(eventId);
  expect(indexOf(all).find("SD", everything).uniqueText).toBeUndefined();
});

test("the index is built in pieces of a few hundred events, whatever the order of the events", () => {
  let touched = 0;
  let mostTouched = 0;
  const all = Array.from({ length: 20_000 }, (_, at) => ({
    id: `e${at}`,
    get country() {
      touched += 1;
      return countries[at % 2] ?? "";
    },
    first: (at * 7_919) % 365,
  }));
  const spanOf = ({ first }: { readonly first: number }): Span => {
    touched += 1;
    return { first, last: first + 3 };
  };
  const steps = eventIndex(all, { spanOf }, restlessPace().pace);
  let pieces = 0;
  for (let isDone: boolean | undefined = false; !isDone; pieces += 1) {
    isDone = steps.next().done;
    mostTouched = Math.max(mostTouched, touched);
    touched = 0;
  }
  expect(mostTouched).toBeLessThan(300);
  expect(pieces).toBeGreaterThan(400);
});

test("events stored newest first keep their order and give the same results as events in any other order", () => {
  const shuffled = events.chain((all) =>
    fc.tuple(fc.constant(all), fc.shuffledSubarray(all, { minLength: all.length })),
  );
  const everything: Span = { first: Number.NEGATIVE_INFINITY, last: Number.POSITIVE_INFINITY };
  fc.assert(
    fc.property(shuffled, ([all, anyOrder]) => {
      const stored = newestFirst(all, (event) => event);
      for (const order of [stored, anyOrder]) expect(indexOf(order).find("", everything).slice(0, 99)).toEqual(stored);
    }),
  );
});

const DAYS = 365;
const countries = ["Sudan", "Ukraine", "Myanmar (Burma)", "Mali", "Somalia", "Syria", "Ethiopia", "Nigeria"];

function gedEvents(count: number): BetaViolenceEvent[] {
  const random = seededRandom(3);
  return Array.from({ length: count }, (_, at): BetaViolenceEvent => {
    const first = Math.floor((at / count) * DAYS);
    const last = Math.min(DAYS - 1, random() < 0.1 ? first + Math.floor(random() * 20) : first);
    const country = countries[at % countries.length] ?? "";
    const side = (name: string): string => `${name} of ${country}, a name of usual length`;
    return {
      id: `ucdp-${100_000 + at}`,
      country,
      dateStart: first * DAY_MS,
      dateEnd: last * DAY_MS,
      deathsBest: at % 9,
      deathsHigh: at % 11,
      deathsLow: at % 5,
      sideA: side("Government"),
      sideB: side("Front"),
      location: { latitude: random() * 90, longitude: random() * 180 },
      sourceOriginal: `police, local officials and witnesses ${at}`,
      violenceType: "BETA_VIOLENCE_TYPE_STATE_BASED",
    };
  });
}

describe("many events", () => {
  test("a page of a hundred events among 50,000 is found with fewer than 56 comparisons", () => {
    let looks = 0;
    const looksFor = (count: number): number => {
      const counted = gedEvents(count).map((stored) => ({ id: stored.id, country: stored.country, event: stored }));
      const daysOf = ({ event: { dateStart, dateEnd } }: (typeof counted)[number]): Span => ({
        first: dateStart / DAY_MS,
        last: dateEnd / DAY_MS,
      });
      const index = resultOf(eventIndex(counted, { spanOf: daysOf }, new ClockPace()));
      looks = 0;
      const events = index.find("SD", countingSpan(100, 300));
      events.slice(0, 100);
      return looks;
    };
    /** A span that counts comparisons, each of which reads one of the span's ends. */
    const countingSpan = (first: number, last: number): Span => ({
      get first() {
        looks += 1;
        return first;
      },
      get last() {
        looks += 1;
        return last;
      },
    });
    expect(looksFor(2_000)).toBeGreaterThan(0);
    expect(looksFor(50_000)).toBeLessThan(56);
  });

  test("50,000 events take at most 1 KB of memory each", () => {
    setFlagsFromString("--expose-gc");
    const collect: () => void = runInNewContext("gc");
    const COUNT = 50_000;
    collect();
    const before = process.memoryUsage().heapUsed;
    // The copies are like rows that were loaded from the store: no two members share a string.
    const stored = (): BetaViolenceEvent[] => gedEvents(COUNT).map((event) => JSON.parse(JSON.stringify(event)));
    const view = viewOf(betaEvents, { annual: [], candidate: stored() });
    collect();
    const bytes = (process.memoryUsage().heapUsed - before) / COUNT;
    expect(view.find("", { first: 0, last: DAYS }).length).toBe(COUNT);
    expect(bytes).toBeLessThan(1_024);
    expect(bytes).toBeGreaterThan(50);
  });
});

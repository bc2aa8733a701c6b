import { alpha2 } from "../../../geography/countries.js";
import { countryKey } from "../../../geography/country-key.js";
import { DAY_MS } from "../../../kit/clock.js";
import { containing, type Expected, type Stored } from "../../check.js";
import { alphaEventsIn, betaEventsIn } from "../conflict.js";
import { count, counted, type Facts, keyOf, wholePart } from "./fact.js";

function startOfDay(at: number): number {
  return at - (at % DAY_MS);
}

/** Groups rows by country code. Leaves out rows of unknown countries, because no fact is made from them. */
function byCountry<T extends { readonly country: string }>(rows: readonly T[]): ReadonlyMap<string, readonly T[]> {
  const groups = new Map<string, T[]>();
  for (const row of rows) {
    const code = countryKey(row.country);
    if (alpha2(code) !== code) continue;
    const group = groups.get(code);
    if (group) group.push(row);
    else groups.set(code, [row]);
  }
  return groups;
}

/**
 * Returns the first day of which all of GDELT's exports were collected, from the days of its events. Starting at the
 * newest day, it goes back as long as the next two days each have at least a tenth of the events of the busiest of the
 * last 31 days. The earlier of the two is not covered itself, because its collection may have begun in the middle of it.
 */
function collectedSince(days: readonly number[], last: number): number {
  const counts = new Map<number, number>();
  for (const day of days) {
    if (day >= last - 30 * DAY_MS) counts.set(day, (counts.get(day) ?? 0) + 1);
  }
  const busiest = Math.max(0, ...counts.values());
  const isDense = (day: number): boolean => (counts.get(day) ?? 0) * 10 >= busiest;
  let first = last;
  while (counts.has(first - 2 * DAY_MS) && isDense(first - DAY_MS) && isDense(first - 2 * DAY_MS)) first -= DAY_MS;
  return first;
}

function alphaFacts(stored: Stored): Facts {
  const events = alphaEventsIn(stored);
  const days = events.map(({ occurredAt }) => startOfDay(occurredAt));
  const [last, oldest] = [days[0] ?? 0, days.at(-1) ?? 0];
  const first = Math.max(last - 29 * DAY_MS, events[0]?.id.startsWith("gdelt") ? collectedSince(days, last) : oldest);
  const facts = new Map<string, Expected>();
  for (const [code, own] of byCountry(events)) {
    const within = (from: number, to: number) =>
      own.filter(({ occurredAt }) => occurredAt >= from && occurredAt < to + DAY_MS);
    const recent = within(first, last);
    const isCounted = !own[0]?.id.startsWith("gdelt");
    const publisher = isCounted ? "ACLED" : "GDELT";
    if (recent.length === 0) continue;
    const withDeaths = recent.filter(({ fatalitiesKnown }) => fatalitiesKnown !== false);
    const deaths = withDeaths.reduce((sum, { fatalities }) => sum + fatalities, 0);
    facts.set(keyOf(code, `Conflict events, ${publisher}`), {
      value: counted(recent.length, "event"),
      factText: containing(
        counted(recent.length, "conflict event"),
        ...(isCounted && withDeaths.length > 0 ? [`with ${counted(deaths, "reported death")}`] : []),
      ),
      at: events[0]?.occurredAt,
    });
    const length = (last - first) / DAY_MS + 1;
    if (length < 20) continue;
    const half = Math.floor(length / 2);
    const before = within(last - (2 * half - 1) * DAY_MS, last - half * DAY_MS).length;
    const after = within(last - (half - 1) * DAY_MS, last).length;
    facts.set(keyOf(code, `Trend: conflict events that ${publisher} lists`), trend(before, after));
  }
  return facts;
}

function trend(before: number, after: number): Expected {
  const course = after === before ? "held at" : after > before ? "rose from" : "fell from";
  return {
    value: `${count(before)} to ${counted(after, "event")}`,
    factText: containing(` ${course} ${counted(before, "event")} (`, ` ${counted(after, "event")} (`),
  };
}

function betaFacts(stored: Stored): Facts {
  const events = betaEventsIn(stored);
  const last = startOfDay(events[0]?.dateEnd ?? 0);
  const facts = new Map<string, Expected>();
  for (const [code, own] of byCountry(events)) {
    const endingWithin = (daysAgo: number) =>
      own.filter(({ dateEnd }) => {
        const days = (last - dateEnd) / DAY_MS;
        return days >= daysAgo && days < daysAgo + 30;
      });
    const [after, before] = [endingWithin(0), endingWithin(30)];
    if (after.length + before.length === 0) continue;
    const deaths = after.reduce((sum, { deathsBest }) => sum + deathsBest, 0);
    const events = counted(after.length, "event");
    facts.set(keyOf(code, "Organised violence, UCDP"), {
      value: events,
      factText: containing(`${events} of organised violence`, `with ${counted(deaths, "death")} by`),
    });
    const label = "Trend: events of organised violence that UCDP records";
    facts.set(keyOf(code, label), trend(before.length, after.length));
  }
  return facts;
}

export const conflictFacts = [
  wholePart("alphaEvents", "alpha-events", alphaFacts),
  wholePart("betaEvents", "beta-events", betaFacts),
];

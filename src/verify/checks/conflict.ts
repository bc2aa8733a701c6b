import { DAY_MS } from "../../kit/clock.js";
import { type AnswerCheck, Copied, copied, type Expected, rowsOf, type Stored } from "../check.js";

interface Event {
  readonly id: string;
  readonly country: string;
}

interface AlphaEvent extends Event {
  readonly fatalities: number;
  /** False if deaths are not counted. */
  readonly fatalitiesKnown?: boolean;
  readonly occurredAt: number;
}

interface BetaEvent extends Event {
  readonly deathsBest: number;
  readonly dateStart: number;
  readonly dateEnd: number;
}

function newestFirst<T extends Event>(events: readonly T[], atOf: (event: T) => number): readonly T[] {
  return [...events].sort((a, b) => atOf(b) - atOf(a) || (a.id < b.id ? -1 : 1));
}

/**
 * Returns three queries: for all events, for one country, and for the days around the middle event of the list. If
 * there are no events, returns only the query for all events.
 */
function queriesFor(events: readonly Event[], middleAt: number | undefined, parameters: string): readonly string[] {
  const [first] = events;
  if (!first || middleAt === undefined) return [parameters];
  return [
    "",
    `country=${encodeURIComponent(first.country)}`,
    `start=${middleAt - 3 * DAY_MS}&end=${middleAt + 3 * DAY_MS}`,
  ].map((query) => [query, parameters].filter(Boolean).join("&"));
}

/** Returns ACLED's events, or GDELT's if ACLED has none. */
export function alphaEventsIn(stored: Stored): readonly AlphaEvent[] {
  const acled = rowsOf<AlphaEvent>(stored, "acled");
  return newestFirst(acled.length > 0 ? acled : rowsOf<AlphaEvent>(stored, "gdelt"), ({ occurredAt }) => occurredAt);
}

export const alphaEvents: AnswerCheck = {
  operation: "conflict/list-alpha-events",
  what: "number of conflict events: for all countries, for one country, and for some days",
  queries(stored) {
    const events = alphaEventsIn(stored);
    return queriesFor(events, events[Math.floor(events.length / 2)]?.occurredAt, "");
  },
  recompute({ query, from, now, served }) {
    const start = Number(query.get("start") ?? Number.NEGATIVE_INFINITY);
    const end = Number(query.get("end") ?? (query.has("country") ? now : Number.POSITIVE_INFINITY));
    // A query of this check never has both a country and a start. For a query with a country and no start, the
    // operation serves only events since midnight UTC thirty days ago.
    const windowStart = query.has("country") ? Math.floor(now / DAY_MS) * DAY_MS - 30 * DAY_MS : start;
    const events = alphaEventsIn(from("alpha-events")).filter(
      ({ country, occurredAt }) =>
        (!query.has("country") || country === query.get("country")) &&
        occurredAt >= Math.max(start, windowStart) &&
        occurredAt <= end,
    );
    // A setting may limit the number of events in the answer, so the recomputed list is cut to that number. An empty
    // answer is compared with the whole list.
    const { events: rows } = served as { readonly events: readonly unknown[] };
    const shown = rows.length > 0 ? events.slice(0, rows.length) : events;
    return { events: shown.map(copied), pagination: { totalCount: events.length } };
  },
};

/**
 * Returns the events of the annual release and of the candidate release, from the 365 days up to the newest event. If
 * an event is in both releases, the version in the candidate release is used.
 */
export function betaEventsIn(stored: Stored): readonly BetaEvent[] {
  const byId = new Map<string, BetaEvent>();
  for (const part of ["annual", "candidate"]) {
    for (const event of rowsOf<BetaEvent>(stored, part)) byId.set(event.id, event);
  }
  const events = newestFirst([...byId.values()], ({ dateEnd }) => dateEnd);
  const last = events[0]?.dateEnd ?? 0;
  return events.filter(({ dateEnd }) => last - dateEnd < 365 * DAY_MS);
}

export const betaEvents: AnswerCheck = {
  operation: "conflict/list-beta-events",
  what: "number of events of organised violence: for all countries, for one country, and for some days",
  queries(stored) {
    const events = betaEventsIn(stored);
    return queriesFor(events, events[Math.floor(events.length / 2)]?.dateEnd, "page_size=2000");
  },
  recompute({ query, from }) {
    const dayOf = (name: string, otherwise: number): number =>
      query.has(name) ? Math.floor(Number(query.get(name)) / DAY_MS) * DAY_MS : otherwise;
    const [start, end] = [dayOf("start", Number.NEGATIVE_INFINITY), dayOf("end", Number.POSITIVE_INFINITY)];
    const events = betaEventsIn(from("beta-events")).filter(
      ({ country, dateStart, dateEnd }) =>
        (!query.has("country") || country === query.get("country")) && dateEnd >= start && dateStart <= end,
    );
    return { events: events.slice(0, 2_000).map(copied), pagination: { totalCount: events.length } };
  },
};

interface Summary {
  readonly countryCode: string;
  readonly conflictPoliticalViolenceEvents?: number;
  readonly conflictDemonstrations?: number;
}

export const humanitarian: AnswerCheck = {
  operation: "conflict/get-humanitarian-summary",
  what: "sum of political violence and demonstrations",
  queries: (stored) => rowsOf<Summary>(stored, "months").map(({ countryCode }) => `country_code=${countryCode}`),
  recompute({ query, from }): Expected {
    const stored = from("humanitarian-summary");
    const row = rowsOf<Summary>(stored, "months").find(({ countryCode }) => countryCode === query.get("country_code"));
    if (!row) return { summary: undefined };
    const total = (row.conflictPoliticalViolenceEvents ?? 0) + (row.conflictDemonstrations ?? 0);
    return { summary: { ...copied(row), conflictEventsTotal: total, updatedAt: new Copied(stored.builtAt) } };
  },
};

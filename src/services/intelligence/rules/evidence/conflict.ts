import type { ViewOf } from "../../../../contract/dataset.js";
import { DAY_MS } from "../../../../kit/clock.js";
import { count, counted } from "../../../../kit/counted.js";
import { days, startOfDay } from "../phrases.js";
import type { EvidenceDraft, Subject } from "./draft.js";
import { type EvidenceIngredients, type evidenceReads, usable } from "./ingredients.js";

type AlphaView = ViewOf<typeof evidenceReads.alpha>;

const WINDOW_DAYS = 30;
/** Minimum number of days that the events must cover before a trend is stated. */
const TREND_DAYS_MIN = 20;
/**
 * A day counts as collected from GDELT if the busiest day has at most this many times its events. Of the events in an
 * export, about one in a hundred is dated a day, a week or a month back, so days before the collection have far fewer.
 */
const BUSIEST_RATIO_MAX = 10;

interface Span {
  readonly first: number;
  readonly last: number;
}

interface Tally extends Span {
  readonly events: number;
}

const alphaPages = {
  acled: { publisher: "ACLED", url: "https://acleddata.com/" },
  gdelt: { publisher: "GDELT", url: "https://www.gdeltproject.org/data.html" },
};

/** States conflict events of the newest 30 days on record, and their trend. */
export function alphaEvidence({ code, inText }: Subject, { alpha }: EvidenceIngredients): readonly EvidenceDraft[] {
  const snapshot = usable(alpha);
  if (!snapshot || snapshot.newestAt === null) return [];
  const { view, newestAt } = snapshot;
  const last = startOfDay(newestAt);
  const first = firstCovered(view, last);
  const eventsIn = (span: Span) => {
    const rows = view.find(code, { first: span.first, last: span.last + DAY_MS - 1 });
    return rows.slice(0, rows.length);
  };
  const events = eventsIn({ first, last });
  const [sample] = events;
  if (!sample) return [];
  const { publisher, url } = alphaPages[sample.id.startsWith("gdelt") ? "gdelt" : "acled"];
  const about = { kind: "conflict", at: newestAt, age: "alphaEvents", url } as const;
  const withCount = events.filter(({ fatalitiesKnown }) => fatalitiesKnown !== false);
  const deaths = withCount.reduce((sum, { fatalities }) => sum + fatalities, 0);
  const where = withCount.length < events.length ? " where they are counted" : "";
  const toll = withCount.length === 0 ? "" : `, with ${counted(deaths, "reported death")}${where}`;
  const period = `${first === last ? "on" : "from"} ${days(first, last)}`;
  const counts = `${publisher} lists ${counted(events.length, "conflict event")} in ${inText} ${period}`;
  const stated: EvidenceDraft = {
    ...about,
    label: `Conflict events, ${publisher}`,
    value: counted(events.length, "event"),
    factText:
      publisher === "GDELT"
        ? `${counts}; it extracts them from the news, does not count deaths, and may list the same event several times.`
        : `${counts}${toll}.`,
  };
  const lengthDays = (last - first) / DAY_MS + 1;
  if (lengthDays < TREND_DAYS_MIN) return [stated];
  const half = Math.floor(lengthDays / 2);
  const halves = [
    { first: last - (2 * half - 1) * DAY_MS, last: last - half * DAY_MS },
    { first: last - (half - 1) * DAY_MS, last },
  ] as const;
  const [before, after] = halves.map((span): Tally => ({ ...span, events: eventsIn(span).length }));
  return before && after
    ? [stated, { ...about, ...trendOf(`Conflict events that ${publisher} lists`, inText, before, after) }]
    : [stated];
}

/** Returns the first day that the events cover: at most 30 days up to `last`, the day of the newest event. */
function firstCovered(view: AlphaView, last: number): number {
  const all = view.find("", { first: Number.NEGATIVE_INFINITY, last: Number.POSITIVE_INFINITY });
  const [oldest] = all.slice(all.length - 1, all.length);
  // ACLED's window is read whole each time, so its events cover it from the oldest one.
  const first = oldest?.id.startsWith("gdelt")
    ? firstCollected((at) => view.find("", { first: at, last: at + DAY_MS - 1 }).length, last)
    : startOfDay(oldest?.occurredAt ?? last);
  return Math.max(last - (WINDOW_DAYS - 1) * DAY_MS, first);
}

/**
 * Returns the first day of which all of GDELT's exports were collected, as far as the events of all countries show it.
 * The collected days are the unbroken run of days up to `last` that have enough events (`BUSIEST_RATIO_MAX`). The newest
 * day may have only begun, so it needs no minimum. The first day of the run is not returned unless it is also the
 * newest, because the collection may have begun in the middle of it.
 */
function firstCollected(eventsOn: (day: number) => number, last: number): number {
  // The day before the window is looked at too, so that a whole window is not shortened by a day.
  const counts = Array.from({ length: WINDOW_DAYS + 1 }, (_, back) => eventsOn(last - back * DAY_MS));
  const busiest = Math.max(...counts);
  const gap = counts.findIndex((events, back) => back > 0 && events * BUSIEST_RATIO_MAX < busiest);
  const runDays = gap === -1 ? counts.length : gap;
  return last - Math.max(0, runDays - 2) * DAY_MS;
}

/** States events of organised violence of the newest 30 days on record, and their trend. */
export function betaEvidence({ code, inText }: Subject, { beta }: EvidenceIngredients): readonly EvidenceDraft[] {
  const snapshot = usable(beta);
  if (!snapshot || snapshot.newestAt === null) return [];
  const last = startOfDay(snapshot.newestAt);
  const spans = [
    { first: last - (2 * WINDOW_DAYS - 1) * DAY_MS, last: last - WINDOW_DAYS * DAY_MS },
    { first: last - (WINDOW_DAYS - 1) * DAY_MS, last },
  ] as const;
  // An event is counted on its last day only, so that it is not counted in both windows.
  const eventsIn = (span: Span) => {
    const rows = snapshot.view.find(code, { first: span.first / DAY_MS, last: span.last / DAY_MS });
    return rows.slice(0, rows.length).filter(({ dateEnd }) => dateEnd >= span.first && dateEnd <= span.last);
  };
  const [before, after] = spans.map((span) => ({ ...span, events: eventsIn(span) }));
  if (!before || !after || after.events.length + before.events.length === 0) return [];
  const about = {
    kind: "conflict",
    at: snapshot.newestAt,
    age: "betaEvents",
    url: "https://ucdp.uu.se/apidocs/",
  } as const;
  const deaths = after.events.reduce((sum, { deathsBest }) => sum + deathsBest, 0);
  const eventCount = counted(after.events.length, "event");
  const tally = ({ first, last: end, events }: typeof after): Tally => ({ first, last: end, events: events.length });
  return [
    {
      ...about,
      label: "Organised violence, UCDP",
      value: eventCount,
      factText: `UCDP records ${eventCount} of organised violence in ${inText} from ${days(after.first, after.last)}, with ${counted(deaths, "death")} by its best estimate.`,
    },
    { ...about, ...trendOf("Events of organised violence that UCDP records", inText, tally(before), tally(after)) },
  ];
}

function trendOf(
  what: string,
  inText: string,
  before: Tally,
  after: Tally,
): Pick<EvidenceDraft, "label" | "value" | "factText"> {
  const verb = after.events > before.events ? "rose" : after.events < before.events ? "fell" : "held";
  const period = ({ events, first, last }: Tally): string => `${counted(events, "event")} (${days(first, last)})`;
  const course = verb === "held" ? `held at ${period(before)} and` : `${verb} from ${period(before)} to`;
  return {
    label: `Trend: ${what.charAt(0).toLowerCase()}${what.slice(1)}`,
    value: `${count(before.events)} to ${counted(after.events, "event")}`,
    factText: `${what} in ${inText} ${course} ${period(after)}.`,
  };
}

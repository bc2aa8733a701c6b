import { countryName } from "../../geography/countries.js";
import { HOUR_MS, MINUTE_MS } from "../../kit/clock.js";
import { fnv1a, mixed, ratioOf } from "./hash.js";
import { regionsOf, type Subject, subjectsOf } from "./news-kinds.js";
import { wordingsOf } from "./news-wordings.js";
import type { NewsEvent } from "./world-news.js";

/** A feed to generate. */
export interface NewsFeed {
  readonly url: string;
  readonly publisher: string;
  /** ISO 639-1. */
  readonly language: string;
  /** Categories in the catalogue; their names determine the feed's subjects and regions. */
  readonly categories: readonly string[];
}

export interface Headline {
  readonly id: string;
  readonly title: string;
  /** Text that marks the report as simulated and repeats the title. */
  readonly summary: string;
  /** Words from which the article's address is built. */
  readonly slug: string;
  /** Epoch ms. */
  readonly at: number;
}

/** Minimum and maximum number of headlines in a feed. */
const ITEMS_MIN = 5;
const ITEMS_MAX = 30;

/**
 * Returns a publisher's headlines about the events up to `now`, newest first. There are 5 to 30 headlines, in the
 * publisher's own words.
 */
export function headlinesFor(feed: NewsFeed, events: readonly NewsEvent[], now: number): readonly Headline[] {
  const paper = newsroomOf(feed);
  const rolled = events
    .filter(({ kind }) => paper.reports.has(kind.name))
    .map((event) => ({ event, roll: mixed(event.hash, paper.hash) }))
    .filter(({ event, roll }) => firstReportAt(event, mixed(roll, 1)) <= now)
    .map(({ event, roll }) => ({ event, roll, distance: ratioOf(roll) / interest(paper, event) }));
  const matches = rolled.filter(({ distance }) => distance < 1);
  // A publisher with few matching events also reports related events.
  const chosen =
    matches.length >= ITEMS_MIN ? matches : rolled.sort((a, b) => a.distance - b.distance).slice(0, ITEMS_MIN + 2);
  return chosen
    .flatMap(({ event, roll }) => reports(event, mixed(roll, 1), now))
    .sort((left, right) => right.at - left.at)
    .slice(0, paper.itemsMax)
    .map((report) => headline(paper, report));
}

interface Newsroom {
  readonly hash: number;
  readonly language: string;
  readonly reports: ReadonlyMap<string, readonly string[]>;
  readonly note: string;
  readonly subjects: ReadonlySet<Subject>;
  readonly regions: ReadonlySet<string>;
  /** Share of matching events that the newsroom can cover. */
  readonly appetiteRatio: number;
  readonly itemsMax: number;
}

function newsroomOf({ url, language, categories }: NewsFeed): Newsroom {
  const hash = fnv1a(url);
  const { byKind: reports, note } = wordingsOf(language);
  return {
    hash,
    language,
    reports,
    note,
    subjects: subjectsOf(categories),
    regions: regionsOf(categories),
    appetiteRatio: 0.1 + 0.9 * ratioOf(mixed(hash, 2)),
    itemsMax: ITEMS_MIN + 3 + Math.floor(ratioOf(mixed(hash, 3)) * (ITEMS_MAX - ITEMS_MIN - 2)),
  };
}

/** Returns the weight with which the newsroom selects an event; always above 0. */
function interest({ subjects, regions, appetiteRatio }: Newsroom, event: NewsEvent): number {
  const bySubject = subjects.has(event.kind.subject) ? 1 : 0.002;
  const byRegion = regions.size === 0 || regions.has(event.region) ? 1 : 0.3 * event.uptakeRatio;
  return event.uptakeRatio * appetiteRatio * bySubject * byRegion;
}

/** A publisher's report of an event: its first report, or the report of a later development. */
interface Report {
  readonly event: NewsEvent;
  readonly update: number;
  readonly at: number;
  readonly roll: number;
}

/**
 * Returns the time of a publisher's first report of an event. Most publishers report soon after the start of the event.
 * The last publisher reports approximately `spreadMs` after the start.
 */
function firstReportAt({ startedAt, spreadMs }: NewsEvent, roll: number): number {
  return startedAt + 5 * MINUTE_MS + spreadMs * ratioOf(roll) ** 2;
}

function reports(event: NewsEvent, roll: number, now: number): readonly Report[] {
  const first = firstReportAt(event, roll);
  return Array.from({ length: event.updates + 1 }, (_, update) => update)
    .filter((update) => update === 0 || ratioOf(mixed(roll, 10 + update)) < 0.4)
    .map((update) => ({ event, update, roll, at: first + update * event.updateEveryMs }))
    .map((report) => ({ ...report, at: Math.floor(report.at / MINUTE_MS) * MINUTE_MS }))
    .filter(({ at }) => at <= now);
}

function headline(paper: Newsroom, { event, update, at, roll }: Report): Headline {
  const fitting = (paper.reports.get(event.kind.name) ?? []).filter(
    (text) => event.city !== undefined || !text.includes("{t}"),
  );
  const wording = fitting[mixed(roll, 20 + update) % fitting.length] ?? "";
  const title = filled(wording, paper.language, event, update);
  const id = `${event.id}-${update}`;
  const country = (countryName(event.country) ?? event.country).toLowerCase().replace(/[^a-z]+/g, "-");
  return { id, title, summary: `Simulated. ${paper.note} ${title}`, slug: `${event.kind.name}-${country}-${id}`, at };
}

function filled(wording: string, language: string, event: NewsEvent, update: number): string {
  const count = Math.round(event.count * (1 + update / 3));
  const values: Readonly<Record<string, string>> = {
    c: countryIn(language, event.country),
    t: event.city ?? "",
    n: numberIn(language, count, 0),
    m: numberIn(language, event.measure, 1),
  };
  return wording.replace(/\{(\w)\}/g, (_, name: string) => values[name] ?? "");
}

const namesByLanguage = new Map<string, Intl.DisplayNames>();
const formats = new Map<string, Intl.NumberFormat>();

/** Returns the country's name in a language, without the alternative in brackets. */
function countryIn(language: string, code: string): string {
  if (language === "en") return countryName(code) ?? code;
  const names = namesByLanguage.get(language) ?? new Intl.DisplayNames([language], { type: "region" });
  namesByLanguage.set(language, names);
  return (names.of(code) ?? code).replace(/\s*[(（].*[)）]/u, "");
}

function numberIn(language: string, value: number, digits: number): string {
  const key = `${language}${digits}`;
  const format = formats.get(key) ?? new Intl.NumberFormat(language, { minimumFractionDigits: digits });
  formats.set(key, format);
  return format.format(value);
}

/** Interval at which the answer of a feed may change. */
export const SLOT_MS = HOUR_MS / 12;

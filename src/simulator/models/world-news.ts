import { cities } from "../../geography/cities.js";
import { HOUR_MS, MINUTE_MS } from "../../kit/clock.js";
import type { Random } from "../../kit/random.js";
import { fnv1a } from "./hash.js";
import { everydayKinds, happensIn, type NewsKind, newsCountries, newsKinds, troubled } from "./news-kinds.js";
import { streamFor } from "./random-stream.js";

/** A simulated event for publishers to report. */
export interface NewsEvent {
  /** Unique and stable, such as `81234-5`. */
  readonly id: string;
  readonly hash: number;
  readonly kind: NewsKind;
  /** Epoch ms. */
  readonly startedAt: number;
  /** Alpha-2. */
  readonly country: string;
  readonly region: string;
  readonly city: string | undefined;
  readonly count: number;
  readonly measure: number;
  /** Share of publishers that report the event, among those that cover its subject and region. */
  readonly uptakeRatio: number;
  /** Approximate time from the start of the event until the last publisher reports it. */
  readonly spreadMs: number;
  /** Number of further developments, which follow at equal intervals. */
  readonly updates: number;
  readonly updateEveryMs: number;
}

const BLOCK_MS = 6 * HOUR_MS;
/** Number of days of history. */
export const NEWS_DAYS = 5;
const BLOCKS = (NEWS_DAYS * 24 * HOUR_MS) / BLOCK_MS;

const countries = [...newsCountries.keys()];
/**
 * Number of countries with an everyday event in each block of six hours, so that each country has news at least twice
 * within the history.
 */
const IN_TURN = Math.ceil((2 * countries.length) / BLOCKS);
/** Range of the uptake of everyday events, which are news in the region of their country, but rarely elsewhere. */
const EVERYDAY_UPTAKE = [0.15, 0.3] as const;
const BY_CHANCE = 14;
/**
 * Share of the `BY_CHANCE` events that get a twin: an event of the same kind on the same day, mostly in another
 * country. The twin is a different story.
 */
const TWIN_RATIO = 0.15;

/** Countries with the most news. A country that is listed repeatedly has even more. */
const watched =
  "US US US CA CA CN RU UA IL IR SY SD IN PK GB FR DE BR MX VE NG ET CD JP KR TW TR EG ZA ID PH AU SA AE".split(" ");

const citiesByCountry = new Map<string, readonly string[]>();
for (const { countryCode, name } of cities) {
  citiesByCountry.set(countryCode, [...(citiesByCountry.get(countryCode) ?? []), name]);
}

const remembered = new Map<string, readonly NewsEvent[]>();

/**
 * Returns all events that began in the `NEWS_DAYS` days before `now`, oldest first. The result depends only on the seed
 * and the time, and not on earlier calls.
 */
export function newsUntil(seed: number, now: number): readonly NewsEvent[] {
  const last = Math.floor(now / BLOCK_MS);
  const blocks = Array.from({ length: BLOCKS + 1 }, (_, index) => block(seed, last - BLOCKS + index));
  return blocks.flat().filter(({ startedAt }) => startedAt <= now && startedAt > now - NEWS_DAYS * 24 * HOUR_MS);
}

function block(seed: number, number: number): readonly NewsEvent[] {
  const key = `${seed}:${number}`;
  const cached = remembered.get(key);
  if (cached !== undefined) return cached;
  const oldest = remembered.keys().next();
  if (remembered.size > 4 * BLOCKS && !oldest.done) remembered.delete(oldest.value);
  const events = eventsOf(seed, number);
  remembered.set(key, events);
  return events;
}

function eventsOf(seed: number, number: number): readonly NewsEvent[] {
  const random = streamFor(seed, `world-news:${number}`);
  const drafts: Draft[] = [];
  for (let turn = 0; turn < IN_TURN; turn++) {
    // Steps of 41 keep neighbours in the list apart, and reach every country, because 41 is coprime to the number of
    // countries.
    const country = countries[((number * IN_TURN + turn) * 41) % countries.length] ?? "US";
    const kinds = everydayKinds.filter((kind) => happensIn(kind, country));
    drafts.push({ country, kind: weighed(kinds, random), uptake: EVERYDAY_UPTAKE });
  }
  for (let chance = 0; chance < BY_CHANCE; chance++) {
    const kind = weighed(newsKinds, random);
    drafts.push({ kind, country: placeFor(kind, random) });
    if (random() < TWIN_RATIO) drafts.push({ kind, country: placeFor(kind, random) });
  }
  return drafts
    .map((draft, index) => eventOf(draft, `${number}-${index}`, number * BLOCK_MS, random))
    .sort((a, b) => a.startedAt - b.startedAt);
}

interface Draft {
  readonly country: string;
  readonly kind: NewsKind;
  /** Overrides the uptake of the event's kind. */
  readonly uptake?: readonly [number, number];
}

function eventOf({ country, kind, uptake = kind.uptake }: Draft, id: string, from: number, random: Random): NewsEvent {
  const between = ([low, high]: readonly [number, number], bend = 1): number => low + (high - low) * random() ** bend;
  const places = citiesByCountry.get(country) ?? [];
  const goesOn = random() < 0.6;
  return {
    id,
    hash: fnv1a(id),
    kind,
    country,
    startedAt: from + Math.floor((random() * BLOCK_MS) / MINUTE_MS) * MINUTE_MS,
    region: newsCountries.get(country) ?? "us",
    city: places[Math.floor(random() * places.length)],
    count: Math.round(between(kind.count, 3)),
    measure: Math.round(between(kind.measure) * 10) / 10,
    uptakeRatio: between(uptake),
    spreadMs: Math.round(between([1, 8]) * HOUR_MS),
    updates: goesOn ? kind.updates : 0,
    updateEveryMs: Math.round(between([4, 10]) * HOUR_MS),
  };
}

function placeFor(kind: NewsKind, random: Random): string {
  const list = random() < 0.6 ? watched : countries;
  const fitting = list.filter((country) => happensIn(kind, country));
  const among = fitting.length > 0 ? fitting : troubled;
  return among[Math.floor(random() * among.length)] ?? "US";
}

/** Picks a random kind by weight. */
function weighed(kinds: readonly NewsKind[], random: Random): NewsKind {
  let rest = random() * kinds.reduce((sum, { weight }) => sum + weight, 0);
  for (const kind of kinds) {
    rest -= kind.weight;
    if (rest < 0) return kind;
  }
  return kinds[0] as NewsKind; // Reached only by rounding errors; the list is never empty.
}

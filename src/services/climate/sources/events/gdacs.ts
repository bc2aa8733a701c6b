import { Type } from "typebox";
import { BadRow, LeftOut, SourceFailure, source, step } from "../../../../contract/source.js";
import { alpha2, countryByName, countryName } from "../../../../geography/countries.js";
import { countryAt } from "../../../../geography/country-at.js";
import { DAY_MS } from "../../../../kit/clock.js";
import { memberOf } from "../../../../kit/member-of.js";
import type { DisasterStatus, DisasterType, StoredDisaster } from "../../records.js";
import { severityNamed } from "../../rules/severity.js";

/** Event types of GDACS that are climate disasters; earthquakes and tsunamis are not. */
const typeOf: Readonly<Record<string, DisasterType>> = {
  FL: "flood",
  TC: "cyclone",
  DR: "drought",
  WF: "wildfire",
  VO: "volcano",
};

const Text = Type.String();

/**
 * An event is `past` if more than this time has passed between its end and the feed's date. Droughts have a longer
 * limit, because the end of a drought is the date of its last ten-day report.
 */
const OVER_AFTER_MS = DAY_MS;
const DROUGHT_OVER_AFTER_MS = 30 * DAY_MS;
/** Maximum distance from a coast at which a position counts as in the country of that coast. */
const COAST_KM = 200;

/** Alerts from the Global Disaster Alert and Coordination System, except those of green level. */
export const gdacs = source({
  id: "gdacs",
  title: "GDACS, disaster alerts (RSS)",
  home: "https://www.gdacs.org/",
  seen: "recorded",
  licence: {
    name: "Reuse with credit",
    url: "https://www.gdacs.org/About/termofuse.aspx",
    attribution: "Global Disaster Alert and Coordination System (GDACS), European Commission and United Nations",
    open: true,
  },
  steps: {
    alerts: step({
      request: () => ({ key: "rss", url: "https://www.gdacs.org/xml/rss.xml" }),
      format: { kind: "xml", root: "rss", lists: ["item"] },
      row: Type.Object(
        {
          guid: Type.Unknown(),
          title: Text,
          eventtype: Text,
          alertlevel: Text,
          fromdate: Text,
          pubDate: Type.Optional(Text),
          todate: Type.Optional(Text),
          link: Type.Optional(Text),
          eventname: Type.Optional(Text),
          country: Type.Optional(Text),
          iso3: Type.Optional(Text),
          Point: Type.Optional(Type.Unknown()),
          population: Type.Optional(Type.Unknown()),
          feedAt: Type.Optional(Type.Number()),
        },
        { additionalProperties: true },
      ),
      *rows(rss) {
        const channel = rss["channel"];
        if (typeof channel !== "object" || !("title" in channel))
          throw new SourceFailure("changed", "expected rss/channel");
        const items = Array.isArray(channel["item"]) ? channel["item"] : [];
        const feedAt = feedTime(channel["pubDate"], items);
        for (const item of items)
          yield typeof item === "object" ? { ...item, ...(feedAt !== undefined && { feedAt }) } : item;
      },
      record(item): StoredDisaster | LeftOut {
        const [type, severity] = [
          memberOf(typeOf, item.eventtype),
          severityNamed(item.alertlevel) ?? severityNamed(item.title),
        ];
        const startedAt = instantOf(item.fromdate);
        const endedAt = item.todate ? instantOf(item.todate) : undefined;
        const id = textOf(item.guid);
        if (id === "") throw new BadRow("an alert without guid");
        const point = pointOf(item.Point);
        const where = countriesOf(item, point);
        if (!type) return new LeftOut("other kind of event");
        if (severity === "green") return new LeftOut("green alert");
        if (where.country === "") return new LeftOut(point ? "far from any country" : "neither country nor position");
        const affectedPopulation = affectedIn(item.population);
        return {
          id: `gdacs-${id}`,
          type,
          name: item.eventname || item.title,
          ...where,
          ...point,
          ...(severity !== undefined && { severity }),
          status: statusOf(type, { startedAt, endedAt, feedAt: item.feedAt }),
          startedAt,
          source: "GDACS",
          ...(item.link !== undefined && isWebAddress(item.link) && { sourceUrl: item.link }),
          ...(affectedPopulation !== undefined && { affectedPopulation }),
          // The last day of an event may be a forecast, later than the feed itself.
          observedAt: Math.min(endedAt ?? startedAt, item.feedAt ?? Number.POSITIVE_INFINITY),
        };
      },
    }),
  },
  recordsMin: 0,
  ranges: { affectedPopulation: [0, 1e10] },
  observedAt: ({ observedAt }) => observedAt,
});

/** Returns the time of the feed: its own date, else that of its newest item; undefined if neither has a date. */
function feedTime(pubDate: unknown, items: readonly unknown[]): number | undefined {
  const own = typeof pubDate === "string" ? rfcInstant(pubDate) : undefined;
  if (own !== undefined) return own;
  const dates = items.flatMap((item) => {
    const date: unknown = typeof item === "object" && item !== null && "pubDate" in item ? item.pubDate : undefined;
    return typeof date === "string" ? (rfcInstant(date) ?? []) : [];
  });
  return dates.length > 0 ? dates.reduce((newest, at) => Math.max(newest, at)) : undefined;
}

interface Course {
  readonly startedAt: number;
  readonly endedAt: number | undefined;
  readonly feedAt: number | undefined;
}

/**
 * Determines the status by the dates of the event and of the feed; `ongoing` if the feed has no date. Ignores the
 * feed's `iscurrent`: it is false for ongoing droughts, and true for storms that ended days ago.
 */
function statusOf(type: DisasterType, { startedAt, endedAt, feedAt }: Course): DisasterStatus {
  if (feedAt === undefined) return "ongoing";
  if (startedAt > feedAt) return "alert";
  const overAfterMs = type === "drought" ? DROUGHT_OVER_AFTER_MS : OVER_AFTER_MS;
  return endedAt !== undefined && feedAt - endedAt > overAfterMs ? "past" : "ongoing";
}

interface Whereabouts {
  readonly country: string;
  readonly countryCode?: string;
  readonly countryCodes?: string[];
}

/** Returns the end of a title, after its last " in ". This part names the countries of the alert. */
function endOf(title: string): string {
  const at = title.lastIndexOf(" in ");
  return at === -1 ? "" : title.slice(at + " in ".length);
}

/**
 * Returns the countries of an alert. They come from the `country` element, or from the end of the title if the title
 * names more countries and all of them are known. The feed gives only the code of the first country in alphabetical
 * order. An alert for several countries therefore gets the code of the country at the alert's position, and an alert that
 * names no country is in that country.
 */
function countriesOf(
  { country = "", iso3 = "", title }: { readonly country?: string; readonly iso3?: string; readonly title: string },
  point: Point | undefined,
): Whereabouts {
  const [listed, titled] = [namesIn(country), namesIn(endOf(title.slice(0, TITLE_READ)))];
  const isTitleFuller = titled.length > listed.length && titled.every((name) => countryByName(name) !== undefined);
  const names = isTitleFuller ? titled : listed;
  const codes = names.flatMap((name) => countryByName(name) ?? []);
  const codeAt = (): string | undefined => point && countryAt({ latitude: point.lat, longitude: point.lng }, COAST_KM);
  if (names.length > 1) {
    const countryCode = codeAt();
    const countryCodes = [...new Set([countryCode ?? [], codes].flat())];
    return {
      country: names.join(", "),
      ...(countryCode !== undefined && { countryCode }),
      ...(countryCodes.length > 1 && { countryCodes }),
    };
  }
  const countryCode = alpha2(iso3) ?? (names.length > 0 ? codes[0] : codeAt());
  const ownName = countryCode && countryName(countryCode);
  return { country: names[0] ?? ownName ?? "", ...(countryCode !== undefined && { countryCode }) };
}

const NAMES_MAX = 60;
const TITLE_READ = 1_000;

/** Splits a list of names. A single country with a comma in its name ("Hong Kong, China") stays whole. */
function namesIn(list: string): readonly string[] {
  if (countryByName(list) !== undefined) return [list.trim()];
  return list
    .split(",", NAMES_MAX)
    .map((name) => name.trim())
    .filter((name) => name !== "");
}

const INT32_MAX = 2 ** 31 - 1;

/** Reads the number of affected people from `population`; undefined if the element counts something else or nothing. */
function affectedIn(node: unknown): number | undefined {
  if (typeof node !== "object" || node === null || !("@value" in node)) return undefined;
  const [value, unit] = [textOf(node["@value"]), "@unit" in node ? textOf(node["@unit"]) : ""];
  const words = textOf(node);
  const count = /^\d{1,10}(?:\.\d{1,9})?$/.test(value) ? Math.round(Number(value)) : Number.NaN;
  const isOfPeople = /^pop/i.test(unit) || /\b(?:people|persons|population)\b/i.test(words);
  // "0 deaths" does not mean that no people are affected.
  const isOfTheDead = /\b(?:deaths?|dead|killed)\b/i.test(words) && (count === 0 || words.trim().startsWith(value));
  return isOfPeople && !isOfTheDead && count <= INT32_MAX ? count : undefined;
}

/** Parses an RFC 822 date with a zone, the feed's format, to epoch ms; undefined for any other text. */
function rfcInstant(text: string): number | undefined {
  if (!/^\w{3}, \d{1,2} \w{3} \d{4} \d{2}:\d{2}:\d{2} (?:GMT|[+-]\d{4})$/.test(text)) return undefined;
  const at = Date.parse(text);
  return Number.isNaN(at) ? undefined : at;
}

function instantOf(text: string): number {
  const at = rfcInstant(text);
  if (at === undefined) throw new BadRow(`"${text.slice(0, 40)}" is not a date`);
  return at;
}

interface Point {
  readonly lat: number;
  readonly lng: number;
}

/** Returns the coordinates of a geo:Point; undefined if it has none. Throws `BadRow` for a point outside the world. */
function pointOf(point: unknown): Point | undefined {
  if (typeof point !== "object" || point === null || !("lat" in point) || !("long" in point)) return undefined;
  const [lat, lng] = [textOf(point.lat), textOf(point.long)].map((text) => (text === "" ? Number.NaN : Number(text)));
  if (lat === undefined || lng === undefined || !(Math.abs(lat) <= 90) || !(Math.abs(lng) <= 180)) {
    throw new BadRow("a point outside the world");
  }
  return { lat, lng };
}

/** Returns the text of an element with or without attributes. */
function textOf(node: unknown): string {
  if (typeof node === "string") return node;
  const inner: unknown = typeof node === "object" && node !== null && "#text" in node ? node["#text"] : undefined;
  return typeof inner === "string" ? inner : "";
}

function isWebAddress(text: string): boolean {
  return /^https?:\/\//.test(text);
}

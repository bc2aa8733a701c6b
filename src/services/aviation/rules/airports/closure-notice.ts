import { isCalendarDate } from "../../../../kit/calendar-date.js";
import { DAY_MS } from "../../../../kit/clock.js";

/** A word for "closed", with the words before it if they name the aerodrome as the thing that is closed. */
const CLOSING =
  /(\b(?:AD|AP|ARPT|AIRPORT|AERODROME)(?: (?:AP|IS|ARE|WILL BE|TEMPORARILY|TEMPO)){0,5} )?\b(?:CLSD|CLOSED|SHUT DOWN)\b/gi;
/** The text after a word for "closed" if it limits the closure so that scheduled flights are unaffected. */
const LIMITATION =
  /^ (?:TO (?!SKED|SCHED|COMMERCIAL|AIR CARRIER|CIV|PUBLIC|TFC|TRAFFIC|ALL\b(?! (?:GA|GENERAL|NON)\b))|EXC(?:EPT)? (?:SKED|SCHED|AIR CARRIER|COMMERCIAL))/i;
const LIMITATION_CHARACTERS_MAX = 40;

/** True if the notice says in words that the aerodrome is closed, to all aircraft or to some. */
export function isClosureInWords(notice: string): boolean {
  return closingsIn(notice).some(({ isOfAerodrome }) => isOfAerodrome);
}

/**
 * True for a closure to some aircraft only ("CLSD TO NON SKED TRANSIENT GA ACFT"), which does not close the airport. If
 * the notice closes the aerodrome by name, limits on other things ("RWY 09 CLSD TO JETS. AD CLSD") are ignored.
 */
export function isLimitedClosure(notice: string): boolean {
  const closings = closingsIn(notice);
  const ofAerodrome = closings.filter(({ isOfAerodrome }) => isOfAerodrome);
  const decisive = ofAerodrome.length > 0 ? ofAerodrome : closings;
  return decisive.length > 0 && decisive.every(({ isLimited }) => isLimited);
}

interface Closing {
  readonly isOfAerodrome: boolean;
  readonly isLimited: boolean;
}

function closingsIn(notice: string): readonly Closing[] {
  const text = onOneLine(notice);
  return [...text.matchAll(CLOSING)].map(({ 0: words, 1: subject, index }) => {
    const end = index + words.length;
    return {
      isOfAerodrome: subject !== undefined,
      isLimited: LIMITATION.test(text.slice(end, end + LIMITATION_CHARACTERS_MAX)),
    };
  });
}

/** Returns the text with each run of spaces, line breaks and control characters replaced by one space. */
export function onOneLine(text: string): string {
  return text.replace(/[\s\p{Cc}]+/gu, " ").trim();
}

/** The validity of a closure, epoch ms. */
export interface Validity {
  readonly startAt: number;
  /** Infinity for a permanent closure. */
  readonly endAt: number;
}

/**
 * Returns the validity at the end of a notice: `2605271826-2705281600`, `1703170944-PERM`. Undefined if there is none.
 */
export function validityIn(notice: string): Validity | undefined {
  const [, start = "", end = ""] = /\b(\d{10})-(\d{10}|PERM)(?:EST)?\s*$/.exec(onOneLine(notice)) ?? [];
  const startAt = stampAt(start);
  const endAt = end === "PERM" ? Number.POSITIVE_INFINITY : stampAt(end);
  // A validity that ends before it starts is wrong, in the notice or in its parsing, so it is dropped.
  return startAt === undefined || endAt === undefined || endAt <= startAt ? undefined : { startAt, endAt };
}

/** Returns the instant of a NOTAM's `YYMMDDhhmm` in UTC, epoch ms; undefined for any other text. */
export function stampAt(stamp: string): number | undefined {
  const [year = 0, month = 0, day = 0, hour = 0, minute = 0] = (stamp.match(/\d{2}/g) ?? []).map(Number);
  const date = `20${stamp.slice(0, 2)}-${stamp.slice(2, 4)}-${stamp.slice(4, 6)}`;
  const isReal = stamp.length === 10 && isCalendarDate(date) && hour < 25 && minute < 60;
  return isReal ? Date.UTC(2000 + year, month - 1, day, hour, minute) : undefined;
}

const months = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"];
/** Maximum time from now to a start. A later date is taken to be in the previous year. */
const AHEAD_MS_MAX = 30 * DAY_MS;

/**
 * Returns the validity from `start` to `end`, which are dates without a year ("May 27 at 18:26 UTC."), as of `now`: the
 * latest start that is not too far in the future, and the first end after it. Undefined for any other text.
 */
export function validityWithoutYears(start: string, end: string, now: number): Validity | undefined {
  const [first, last] = [yearless(start), yearless(end)];
  if (!first || !last) return undefined;
  const year = new Date(now).getUTCFullYear();
  const starts = [year + 1, year, year - 1].map(first);
  const startAt = starts.find((at) => at <= now + AHEAD_MS_MAX) ?? first(year);
  const ends = [year - 1, year, year + 1, year + 2].map(last);
  const endAt = ends.find((at) => at > startAt);
  return endAt === undefined ? undefined : { startAt, endAt };
}

function yearless(text: string): ((year: number) => number) | undefined {
  const [, name = "", day, hour, minute] = /^(\w{3}) (\d{1,2}) at (\d{2}):(\d{2}) UTC\.?$/.exec(text.trim()) ?? [];
  const month = months.indexOf(name);
  return month < 0 ? undefined : (year) => Date.UTC(year, month, Number(day), Number(hour), Number(minute));
}

const days = ["SUN", "MON", "TUE", "WED", "THU", "FRI", "SAT"];
const DAY = "(?:MON|TUE|WED|THU|FRI|SAT|SUN)";
/** The word or dash between the ends of a range of days or hours: `MON-FRI`, `MON TO FRI`, `0600Z-1000Z`. */
const TO = "(?: ?[-\u2013] ?| (?:TO|TIL|TILL|UNTIL) )";
const DAYS = `${DAY}(?:${TO}${DAY})?`;
const ZONE = "(?:Z| ?UTC)?";
/** The words after which hours are those in which the aerodrome is open. */
const OPEN_FROM = "(\\b(?:EXC|EXCEPT|OPN|OPEN) )?";
const LOCAL_TIME = "( ?(?:LCL|LOCAL|LT)\\b)?";
const HOURS = `(\\d{2})(\\d{2})${ZONE}${TO}(\\d{2})(\\d{2})${ZONE}(?!\\d)${LOCAL_TIME}`;
const SCHEDULE = new RegExp(`${OPEN_FROM}\\b(DLY|DAILY|${DAYS}(?:[ ,]{0,3}${DAYS}){0,13})[ ,]{0,3}${HOURS}`, "gi");
/** A period such as `0600-1000`. The digits before and after it are excluded, so a ten-digit validity does not match. */
const PERIOD = new RegExp(`(?<!\\d)(\\d{4})${ZONE}${TO}(\\d{4})(?!\\d)`, "gi");

/** The end of a text that stops in a list of days, such as the `MON THRU ` before the `FRI` of `MON THRU FRI`. */
const DAY_BEFORE = new RegExp(`${DAY}[ ,/&]{0,3}(?:(?:THRU|THROUGH|AND) )?$`, "i");

/**
 * True if `now` is within the weekly hours of a notice ("DLY 0430-0945", "MON-FRI 2300-0500"; UTC). A notice without
 * hours, with several periods ("DAILY 0600-1000 1400-1800"), with hours in local time, with hours that are excepted
 * ("AD CLSD EXC DLY 0600-1000"), with a list of days in another form ("MON/WED"), or with impossible hours such as 9999
 * is taken to be always in force.
 */
export function isWithinHours(notice: string, now: number): boolean {
  const text = onOneLine(notice);
  const [schedule, another] = text.matchAll(SCHEDULE);
  // A day word may be followed by several periods, of which `SCHEDULE` matches only the first.
  const periods = new Set([...text.matchAll(PERIOD)].map(([, from = "", to = ""]) => `${from}-${to}`));
  if (!schedule || another || periods.size > 1) return true;
  const [, openFrom, on = "", startHours, startMinutes, endHours, endMinutes, localTime] = schedule;
  if (openFrom !== undefined || localTime !== undefined) return true;
  if (DAY_BEFORE.test(text.slice(0, schedule.index))) return true;
  const [startHour = 0, startMinute = 0, endHour = 0, endMinute = 0] = [
    startHours,
    startMinutes,
    endHours,
    endMinutes,
  ].map(Number);
  const [start, end] = [startHour * 60 + startMinute, endHour * 60 + endMinute];
  if (start === end || Math.max(start, end) > 24 * 60 || Math.max(startMinute, endMinute) > 59) return true;
  const date = new Date(now);
  const minute = date.getUTCHours() * 60 + date.getUTCMinutes();
  const weekdays = weekdaysIn(on.toUpperCase());
  const today = date.getUTCDay();
  // The weekdays of a period over midnight are those on which it begins.
  if (start <= end) return weekdays.has(today) && minute >= start && minute < end;
  return (weekdays.has(today) && minute >= start) || (weekdays.has((today + 6) % 7) && minute < end);
}

const DAY_RANGE = new RegExp(`(${DAY})(?:${TO}(${DAY}))?`, "g");

function weekdaysIn(text: string): ReadonlySet<number> {
  if (/^D/.test(text)) return new Set(days.keys());
  return new Set(
    [...text.matchAll(DAY_RANGE)].flatMap(([, first = "", last = first]) => {
      const [from, to] = [days.indexOf(first), days.indexOf(last)];
      return Array.from({ length: ((to - from + 7) % 7) + 1 }, (_, index) => (from + index) % 7);
    }),
  );
}

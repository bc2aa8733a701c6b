import { DAY_MS } from "../../../kit/clock.js";

/** Formats a number with at most `digits` decimals, without trailing zeros. */
export function decimal(value: number, digits = 1): string {
  return new Intl.NumberFormat("en-US", { maximumFractionDigits: digits }).format(value);
}

const months = "January February March April May June July August September October November December".split(" ");

/** Formats a day: `20 November 2026`. */
export function day(at: number): string {
  const date = new Date(at);
  return `${date.getUTCDate()} ${months[date.getUTCMonth()]} ${date.getUTCFullYear()}`;
}

/** Formats a month: `October 2026`. */
export function month(at: number): string {
  const date = new Date(at);
  return `${months[date.getUTCMonth()]} ${date.getUTCFullYear()}`;
}

/** Formats a time: `20 November 2026 at 11:00 UTC`. */
export function moment(at: number): string {
  return `${day(at)} at ${new Date(at).toISOString().slice(11, 16)} UTC`;
}

/** Formats an inclusive range of days: `20 October to 3 November 2026`. Equal days yield a single day. */
export function days(first: number, last: number): string {
  const [from, to] = [new Date(first), new Date(last)];
  if (startOfDay(first) === startOfDay(last)) return day(last);
  if (month(first) === month(last)) return `${from.getUTCDate()} to ${day(last)}`;
  const year = from.getUTCFullYear() === to.getUTCFullYear() ? "" : ` ${from.getUTCFullYear()}`;
  return `${from.getUTCDate()} ${months[from.getUTCMonth()]}${year} to ${day(last)}`;
}

export function startOfDay(at: number): number {
  return Math.floor(at / DAY_MS) * DAY_MS;
}

/** Formats a list: `a`, `a and b`, `a, b and c`. */
export function listed(parts: readonly string[]): string {
  return parts.length < 2 ? (parts[0] ?? "") : `${parts.slice(0, -1).join(", ")} and ${parts.at(-1)}`;
}

/**
 * Cleans third-party text: one line without control characters or markup, with single quotation marks instead of double
 * ones, shortened to the limit.
 */
export function plain(text: string, charactersMax: number): string {
  const line = text
    .normalize("NFC")
    .replace(/[\p{C}\p{Zl}\p{Zp}]+/gu, " ")
    .replace(/[<>`*_[\]{}|\\#]+/g, " ")
    .replace(/["“”„«»]+/g, "'")
    .replace(/\s+/g, " ")
    .trim();
  const characters = Array.from(line);
  if (characters.length <= charactersMax) return line;
  return `${characters
    .slice(0, charactersMax - 1)
    .join("")
    .trimEnd()}…`;
}

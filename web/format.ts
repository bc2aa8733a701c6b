const SECOND_MS = 1_000;
const MINUTE_MS = 60 * SECOND_MS;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;

type Time = number | string | Date;

const epochMs = (time: Time): number => (typeof time === "number" ? time : new Date(time).getTime());

/** A date and time in UTC, to the minute, as in `2026-11-24 03:17`; `unknown` for an invalid time. */
export function instantText(time: Time): string {
  const ms = epochMs(time);
  return Number.isFinite(ms) ? new Date(ms).toISOString().slice(0, 16).replace("T", " ") : "unknown";
}

/** A day in UTC, as in `2026-11-24`; `unknown` for an invalid time. */
export function dayText(time: Time): string {
  return instantText(time).slice(0, 10);
}

/** A span in its largest unit, as in `3 min` or `2 d`. A span below two days is never given in days. */
export function spanText(spanMs: number): string {
  const ms = Math.abs(spanMs);
  if (ms < MINUTE_MS) return `${Math.round(ms / SECOND_MS)} s`;
  if (ms < HOUR_MS) return `${Math.round(ms / MINUTE_MS)} min`;
  if (ms < 2 * DAY_MS) return `${Math.round(ms / HOUR_MS)} h`;
  return `${Math.round(ms / DAY_MS)} d`;
}

/** The distance of a time from now, such as `3 min ago` or `in 3 min`. */
export function agoText(time: Time, now: number): string {
  const ms = now - epochMs(time);
  if (!Number.isFinite(ms)) return "unknown";
  return ms >= 0 ? `${spanText(ms)} ago` : `in ${spanText(ms)}`;
}

const whole = new Intl.NumberFormat("en", { maximumFractionDigits: 0 });
const formats = new Map<number, Intl.NumberFormat>();

/** A number with digit groups and always `digits` decimal places, so that columns align; `–` if it is not finite. */
export function numberText(value: number, digits = 0): string {
  if (!Number.isFinite(value)) return "–";
  if (digits === 0) return whole.format(value);
  let format = formats.get(digits);
  if (!format) {
    format = new Intl.NumberFormat("en", { minimumFractionDigits: digits, maximumFractionDigits: digits });
    formats.set(digits, format);
  }
  return format.format(value);
}

/** A number with its sign, for a change. */
export function changeText(value: number, digits = 1): string {
  return `${value > 0 ? "+" : value < 0 ? "−" : ""}${numberText(Math.abs(value), digits)}`;
}

const regions = new Intl.DisplayNames("en", { type: "region", fallback: "none" });

/** The name of the country with this ISO 3166 alpha-2 code; the code itself if no country has it. */
export function countryName(code: string): string {
  try {
    return regions.of(code) ?? code;
  } catch {
    return code;
  }
}

/** An enum name of the contract in words: `enumText("WATCH_ON_NEW_ROWS", "WATCH_ON_")` is `new rows`. */
export function enumText(name: string, prefix: string): string {
  return (name.startsWith(prefix) ? name.slice(prefix.length) : name).toLowerCase().replaceAll("_", " ");
}

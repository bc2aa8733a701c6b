/** Month numbers, from 0, by month names and abbreviations in English and in other languages that publishers use. */
const months: Readonly<Record<string, number>> = {
  ...monthsOf("jan feb mar apr may jun jul aug sep oct nov dec"),
  ...monthsOf("january february march april may june july august september october november december"),
  ...monthsOf("fev abr mai ago set out dez", [1, 3, 4, 7, 8, 9, 11]),
  ...monthsOf("janeiro fevereiro marco abril maio junho julho agosto setembro outubro novembro dezembro"),
  ...monthsOf("ene dic sept", [0, 11, 8]),
  ...monthsOf("enero febrero marzo abril mayo junio julio agosto septiembre octubre noviembre diciembre"),
  ...monthsOf("janv fevr mars avr juin juil aout", [0, 1, 2, 3, 5, 6, 7]),
  ...monthsOf("janvier fevrier mars avril mai juin juillet aout septembre octobre novembre decembre"),
  ...monthsOf("maerz marz okt", [2, 2, 9]),
  ...monthsOf("januar februar maerz april mai juni juli august september oktober november dezember"),
  ...monthsOf("gen mag giu lug ott", [0, 4, 5, 6, 9]),
  ...monthsOf("gennaio febbraio marzo aprile maggio giugno luglio agosto settembre ottobre novembre dicembre"),
  ...monthsOf("mrt mei", [2, 4]),
  ...monthsOf("januari februari maart april mei juni juli augustus september oktober november december"),
  ...monthsOf("sty lut kwi maj cze lip sie wrz paz lis gru", [0, 1, 3, 4, 5, 6, 7, 8, 9, 10, 11]),
  ...monthsOf("stycznia lutego marca kwietnia maja czerwca lipca sierpnia wrzesnia pazdziernika listopada grudnia"),
  ...monthsOf("янв фев мар апр май июн июл авг сен окт ноя дек"),
  ...monthsOf("января февраля марта апреля мая июня июля августа сентября октября ноября декабря"),
};

function monthsOf(names: string, numbers?: readonly number[]): Record<string, number> {
  return Object.fromEntries(names.split(" ").map((name, index) => [name, numbers?.[index] ?? index]));
}

/** UTC offset, in hours, of the time zone names that occur in feeds. */
const zoneHours: Readonly<Record<string, number>> = {
  z: 0,
  ut: 0,
  utc: 0,
  gmt: 0,
  wet: 0,
  bst: 1,
  cet: 1,
  west: 1,
  cest: 2,
  eet: 2,
  eest: 3,
  msk: 3,
  ist: 5.5,
  jst: 9,
  kst: 9,
  est: -5,
  edt: -4,
  cst: -6,
  cdt: -5,
  mst: -7,
  mdt: -6,
  pst: -8,
  pdt: -7,
  akst: -9,
  akdt: -8,
  hst: -10,
  aest: 10,
  aedt: 11,
  nzst: 12,
  nzdt: 13,
  mez: 1,
  mesz: 2,
  sast: 2,
  trt: 3,
  pkt: 5,
  wib: 7,
  hkt: 8,
  sgt: 8,
  brt: -3,
  art: -3,
};

// These patterns expect single spaces, because white space has already been collapsed.
const TIME = "(\\d{1,2}):(\\d{2})(?::(\\d{2})(?:[.,]\\d{1,9})?)? ?([ap]\\.?m\\.?)?";
const ZONE = "(?: ?(?:(?:gmt|utc)?([+-]\\d{1,2})(?::?(\\d{2}))?|([a-z]{1,4})))?";
const NAME = "([\\p{L}]{3,12})\\.?";

const WEEKDAY = "(?:[\\p{L}]{2,12}\\.? ?,? ?(?<=[ ,]))?";
/** Dates such as `21 Nov 2026 10:00:00 GMT`, with or without a weekday, in any of the languages. */
const DAY_FIRST = new RegExp(
  `^${WEEKDAY}(\\d{1,2})(?:st|nd|rd|th|\\.)?(?: de)?[ -]+${NAME}(?: de)?[ ,-]+(\\d{4}|\\d{2})(?:[ ,]+(?:${TIME}${ZONE})?)?$`,
  "u",
);
/** Dates such as `Friday, January 29, 2021 04:42 PM`. */
const MONTH_FIRST = new RegExp(
  `^${WEEKDAY}${NAME} (\\d{1,2})(?:st|nd|rd|th)?,? (\\d{4})(?:[ ,]+(?:at )?(?:${TIME}${ZONE})?)?$`,
  "u",
);
/** Dates such as `Sat Nov 21 10:00:00 GMT 2026`, the format of C and Java. */
const YEAR_LAST = new RegExp(`^${WEEKDAY}${NAME} (\\d{1,2}) ${TIME}${ZONE} (\\d{4})$`, "u");
const ISO = new RegExp(`^(\\d{4})([-/])(\\d{1,2})\\2(\\d{1,2})(?:[t ]+${TIME}${ZONE})?$`, "u");
const ISO_BASIC = /^(\d{4})(\d{2})(\d{2})t(\d{2})(\d{2})(\d{2})(z)?$/;
/** Dates such as `2026年11月21日` and `2026년 11월 21일`. */
const EAST_ASIAN = new RegExp(`^(\\d{4})[年년] ?(\\d{1,2})[月월] ?(\\d{1,2})[日일](?: ?${TIME}${ZONE})?$`, "u");
/**
 * Dates such as `21.11.2026 10:00`. Dates such as `10/11/2026` are not read, because day and month would be ambiguous.
 */
const DOTTED = new RegExp(`^${WEEKDAY}(\\d{1,2})\\.(\\d{1,2})\\.(\\d{4})(?:[ ,-]+${TIME}${ZONE})?$`, "u");
/** Seconds or milliseconds since 1970, for times since September 2001. Shorter and longer numbers are not dates. */
const UNIX = /^(\d{10})(\d{3})?$/;
const UNIX_SECONDS_MIN = Date.UTC(2001, 8, 9, 1, 46, 40) / 1_000;

const LENGTH_MAX = 80;

/**
 * Parses a feed's date to epoch ms. A date without a zone is in UTC, and a date without a time means midnight. The
 * weekday is ignored, because many weekdays are wrong. Undefined for dates that are unreadable, nonexistent or
 * ambiguous, and for dates up to the first instant of 1970, which software uses as placeholders.
 */
export function feedDate(text: string): number | undefined {
  if (text.length > LENGTH_MAX) return undefined;
  const plain = plainName(
    text
      .replace(/\([^()]*\)/g, " ")
      .replace(/\s+/g, " ")
      .trim(),
  );
  for (const read of forms) {
    const at = read(plain);
    if (at !== false) return at;
  }
  return undefined;
}

/** One parser for each form of date, the most common form first. Each returns false for a string in another form. */
const forms: readonly ((plain: string) => number | undefined | false)[] = [
  form(DAY_FIRST, ([day, month, year, ...time]) => instant(year, monthNamed(month), day, time)),
  form(ISO, ([year, , month, day, ...time]) => instant(year, Number(month) - 1, day, time)),
  form(MONTH_FIRST, ([month, day, year, ...time]) => instant(year, monthNamed(month), day, time)),
  form(YEAR_LAST, ([month, day, ...rest]) => instant(rest[7], monthNamed(month), day, rest.slice(0, 7))),
  form(ISO_BASIC, ([year, month, day, ...time]) => instant(year, Number(month) - 1, day, time.slice(0, 3))),
  form(DOTTED, ([day, month, year, ...time]) => instant(year, Number(month) - 1, day, time)),
  form(EAST_ASIAN, ([year, month, day, ...time]) => instant(year, Number(month) - 1, day, time)),
  form(UNIX, ([seconds, fraction = "0"]) =>
    Number(seconds) < UNIX_SECONDS_MIN ? undefined : Number(seconds) * 1_000 + Number(fraction),
  ),
];

type Parts = readonly (string | undefined)[];

function form(
  shape: RegExp,
  read: (parts: Parts) => number | undefined,
): (plain: string) => number | undefined | false {
  return (plain) => {
    const groups = shape.exec(plain);
    return groups !== null && read(groups.slice(1));
  };
}

/** Converts a text to lower case and removes its accents, except the breve that distinguishes й from и. */
function plainName(text: string): string {
  if (!BEYOND_ASCII.test(text)) return text.toLowerCase();
  const bare = text.normalize("NFD").replace(/\p{M}/gu, (mark) => (mark === "\u0306" ? mark : ""));
  return bare.normalize("NFC").toLowerCase();
}

const BEYOND_ASCII = /[^\0-\x7f]/;

function monthNamed(name = ""): number | undefined {
  if (Object.hasOwn(months, name)) return months[name];
  const local = localMonths().get(name);
  if (local !== undefined) return local;
  return Object.hasOwn(months, name.slice(0, 3)) ? months[name.slice(0, 3)] : undefined;
}

/**
 * Locales whose month names come from the platform's `Intl`: further languages of feeds, and languages related to them.
 */
const locales = "el hu uk ro hi hr sv da nb fi cs sk sl bg tr fa-u-ca-gregory ar-EG id vi sr mk ca".split(" ");
let cachedMonths: ReadonlyMap<string, number | undefined> | undefined;

/**
 * The platform's month names, built on first use. A name that means different months in two languages is ambiguous, so
 * it is left out.
 */
function localMonths(): ReadonlyMap<string, number | undefined> {
  if (cachedMonths !== undefined) return cachedMonths;
  const names = new Map<string, number | undefined>();
  for (const locale of locales) {
    for (const month of ["long", "short"] as const) {
      const format = new Intl.DateTimeFormat(locale, { day: "numeric", month, timeZone: "UTC" });
      for (let at = 0; at < 12; at += 1) {
        const part = format.formatToParts(Date.UTC(2026, at, 15)).find(({ type }) => type === "month");
        const name = plainName(part?.value ?? "").replace(/\.$/, "");
        names.set(name, names.has(name) && names.get(name) !== at ? undefined : at);
      }
    }
  }
  cachedMonths = names;
  return cachedMonths;
}

/**
 * The instant of a date. `time` is hours, minutes, seconds, am or pm, zone hours, zone minutes, zone name; each may be
 * missing.
 */
function instant(
  year: string | undefined,
  month: number | undefined,
  day: string | undefined,
  time: readonly (string | undefined)[],
): number | undefined {
  const [hours = "0", minutes = "0", seconds = "0", half, zoneHour, zoneMinute = "0", zoneName] = time;
  const offset = offsetMinutes(zoneHour, zoneMinute, zoneName);
  const hour = hourOf(Number(hours), half);
  if (month === undefined || month > 11 || offset === undefined || hour === undefined) return undefined;
  const [y, d, m, s] = [fullYear(year), Number(day), Number(minutes), Number(seconds)];
  const date = new Date(Date.UTC(y, month, d));
  if (d < 1 || date.getUTCMonth() !== month || date.getUTCDate() !== d || m > 59 || s > 60) return undefined;
  const at = Date.UTC(y, month, d, hour, m - offset, Math.min(s, 59));
  return at > 0 ? at : undefined;
}

/** By RFC 2822, a two-digit year below 50 is in this century. */
function fullYear(year = ""): number {
  if (year.length > 2) return Number(year);
  return (Number(year) < 50 ? 2000 : 1900) + Number(year);
}

function hourOf(hour: number, half: string | undefined): number | undefined {
  if (half === undefined) return hour <= 23 ? hour : undefined;
  if (hour < 1 || hour > 12) return undefined;
  return (hour % 12) + (half.startsWith("p") ? 12 : 0);
}

function offsetMinutes(hours: string | undefined, minutes: string, name: string | undefined): number | undefined {
  if (hours !== undefined) {
    const sign = hours.startsWith("-") ? -1 : 1;
    return Math.abs(Number(hours)) <= 14 ? sign * (Math.abs(Number(hours)) * 60 + Number(minutes)) : undefined;
  }
  if (name === undefined) return 0;
  const offsetHours = zoneHours[name];
  return offsetHours === undefined ? undefined : offsetHours * 60;
}

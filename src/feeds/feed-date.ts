/** English month names by their first three letters, and those of other languages that publishers write. */
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

/** Hours east of Greenwich of the zones that feeds name. */
const zoneHours: Readonly<Record<string, number>> = {
  ...{
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
  },
  ...{
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
  },
};

const TIME = "(\\d{1,2}):(\\d{2})(?::(\\d{2})(?:[.,]\\d{1,9})?)?\\s*([ap]\\.?m\\.?)?";
const ZONE = "(?:\\s*(?:(?:gmt|utc)?([+-]\\d{2}):?(\\d{2})|([a-z]{1,4})))?";
const NAME = "([\\p{L}]{3,12})\\.?";

/** 21 Nov 2026 10:00:00 GMT, with or without a weekday, in any of the languages. */
const DAY_FIRST = new RegExp(
  `^(?:[\\p{L}]{2,12}\\.?,?\\s+)?(\\d{1,2})(?:st|nd|rd|th|\\.)?[\\s-]+${NAME}[\\s,-]+(\\d{4}|\\d{2})(?:[\\s,]+(?:${TIME}${ZONE})?)?$`,
  "u",
);
/** Friday, January 29, 2021 04:42 PM */
const MONTH_FIRST = new RegExp(
  `^(?:[\\p{L}]{2,12}\\.?,?\\s+)?${NAME}\\s+(\\d{1,2})(?:st|nd|rd|th)?,?\\s+(\\d{4})(?:[\\s,]+(?:${TIME}${ZONE})?)?$`,
  "u",
);
const ISO = new RegExp(`^(\\d{4})-(\\d{2})-(\\d{2})(?:[t\\s]+${TIME}${ZONE})?$`, "u");

const LENGTH_MAX = 80;

/**
 * The instant that a feed's date means, epoch ms; without a zone it is taken for UTC, without a time for midnight. A
 * weekday is not looked at: many are wrong. Undefined for a date that cannot be read or does not exist.
 */
export function feedDate(text: string): number | undefined {
  if (text.length > LENGTH_MAX) return undefined;
  const plain = text
    .trim()
    .normalize("NFD")
    .replace(/\p{M}/gu, (mark) => (mark === "\u0306" ? mark : ""))
    .normalize("NFC")
    .toLowerCase();
  const iso = ISO.exec(plain);
  if (iso) return instant(iso[1], Number(iso[2]) - 1, iso[3], iso.slice(4));
  const dayFirst = DAY_FIRST.exec(plain);
  if (dayFirst) return instant(dayFirst[3], monthNamed(dayFirst[2]), dayFirst[1], dayFirst.slice(4));
  const monthFirst = MONTH_FIRST.exec(plain);
  if (monthFirst) return instant(monthFirst[3], monthNamed(monthFirst[1]), monthFirst[2], monthFirst.slice(4));
  return undefined;
}

function monthNamed(name = ""): number | undefined {
  return months[name] ?? months[name.slice(0, 3)];
}

/** `time` is hours, minutes, seconds, am or pm, zone hours, zone minutes, zone name; each may be missing. */
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
  const [y, d, m, s] = [fullYear(Number(year)), Number(day), Number(minutes), Number(seconds)];
  const date = new Date(Date.UTC(y, month, d));
  if (d < 1 || date.getUTCMonth() !== month || date.getUTCDate() !== d || m > 59 || s > 60) return undefined;
  return Date.UTC(y, month, d, hour, m - offset, Math.min(s, 59));
}

/** RFC 2822: two digits below 50 are of this century. */
function fullYear(year: number): number {
  if (year >= 100) return year;
  return year < 50 ? 2000 + year : 1900 + year;
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
  const known = zoneHours[name];
  return known === undefined ? undefined : known * 60;
}

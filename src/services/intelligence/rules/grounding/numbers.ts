import {
  kindsOfPeople,
  multipliers,
  numberWords,
  participles,
  phraseEnds,
  suffixes,
  unitOf,
  weakQualifiers,
} from "./words.js";

/** A number as a text states it, with what it counts or measures. */
export interface NumberMention {
  readonly value: number;
  /** Undefined where the text does not say. */
  readonly unit: string | undefined;
  /** Beginnings of the words between the number and its unit: 12 civilian deaths are not 12 deaths. */
  readonly qualifiers: readonly string[];
}

/** A day, month or year; what is not said is undefined. */
export interface DateMention {
  readonly year: number | undefined;
  /** January is 0. */
  readonly month: number | undefined;
  readonly day: number | undefined;
}

export interface Amounts {
  readonly numbers: readonly NumberMention[];
  readonly dates: readonly DateMention[];
  /** Times of day, as written. */
  readonly times: readonly string[];
  /** The text with blanks for dates and times, for those who read names. */
  readonly rest: string;
}

/** Compatibility forms, digits of any script, dashes, quotes and blanks made one. Keeps accents and case. */
export function evened(text: string): string {
  return text
    .normalize("NFKC")
    .replace(/\p{Nd}/gu, digitOf)
    .replace(/[\u2010-\u2015\u2212]/g, "-")
    .replace(/[\u2018\u2019\u02bc\u2032`´]/g, "'")
    .replace(/[\u201c\u201d\u201e«»]/g, '"')
    .replace(/[٫]/g, ".")
    .replace(/[٬،]/g, ",")
    .replace(/\u2044/g, "/")
    .replace(/\bper cent\b/gi, "percent")
    .replace(/[\s\p{Zs}]+/gu, " ")
    .trim();
}

/** Decimal digits of a script stand in their order, ten in a row. */
function digitOf(character: string): string {
  const code = character.codePointAt(0) ?? 0;
  if (code < 128) return character;
  let value = 0;
  while (value < 9 && /\p{Nd}/u.test(String.fromCodePoint(code - value - 1))) value += 1;
  return String(value);
}

const MONTHS = "jan feb mar apr may jun jul aug sep oct nov dec".split(" ");
const MONTH =
  "(Jan(?:uary)?|Feb(?:ruary)?|Mar(?:ch)?|Apr(?:il)?|May|June?|July?|Aug(?:ust)?|Sept?(?:ember)?|Oct(?:ober)?|Nov(?:ember)?|Dec(?:ember)?|JANUARY|FEBRUARY|MARCH|APRIL|MAY|JUNE|JULY|AUGUST|SEPTEMBER|OCTOBER|NOVEMBER|DECEMBER)\\b\\.?";
const DAY = "(\\d{1,2})(?:st|nd|rd|th)?";
const YEAR = "((?:19|20)\\d{2})\\b(?![,.']?\\d)";

interface Form {
  readonly pattern: RegExp;
  read(groups: readonly (string | undefined)[]): readonly DateMention[];
}

const number = (text: string | undefined): number | undefined => (text === undefined ? undefined : Number(text));
const monthOf = (text: string | undefined): number => MONTHS.indexOf((text ?? "").slice(0, 3).toLowerCase());
const dated = (day?: string, month?: string | number, year?: string): DateMention => ({
  day: number(day),
  month: typeof month === "number" ? month : month === undefined ? undefined : monthOf(month),
  year: number(year),
});

/** In the order in which they are looked for; what one has taken is not there for the next. */
const forms: readonly Form[] = [
  {
    pattern: /\b(\d{4})-(\d{2})-(\d{2})(?:T[\d:.]+Z?)?\b/g,
    read: ([year, month, day]) => [dated(day, Number(month) - 1, year)],
  },
  {
    pattern: new RegExp(`\\b${DAY} ?(?:to|-|and|until|through) ?${DAY} (?:of )?${MONTH}(?:,? ${YEAR})?`, "g"),
    read: ([first, last, month, year]) => [dated(first, month, year), dated(last, month, year)],
  },
  {
    pattern: new RegExp(`\\b${DAY} (?:of )?${MONTH}(?:,? ${YEAR})?`, "g"),
    read: ([day, month, year]) => [dated(day, month, year)],
  },
  {
    pattern: new RegExp(`\\b${MONTH} ${DAY} ?(?:to|-|and|until|through) ?${DAY}(?![,.]*\\d)(?:,? ${YEAR})?`, "g"),
    read: ([month, first, last, year]) => [dated(first, month, year), dated(last, month, year)],
  },
  {
    pattern: new RegExp(`\\b${MONTH} ${DAY}(?!\\d|,\\d{3})(?:,? ${YEAR})?`, "g"),
    read: ([month, day, year]) => [dated(day, month, year)],
  },
  {
    pattern: new RegExp(`\\b${MONTH},? (?:of )?${YEAR}`, "g"),
    read: ([month, year]) => [dated(undefined, month, year)],
  },
  { pattern: new RegExp(`\\b${MONTH}`, "g"), read: ([month]) => [dated(undefined, month)] },
];

const ANY_DATE = new RegExp(`\\b${MONTH}|\\d{4}-\\d{2}`);

/** Stands where something was taken out; of private use, so that no text has it. */
const TAKEN = "\ue000";

/** The numbers, dates and times of an evened text. */
export function amountsOf(text: string): Amounts {
  const found: { readonly at: number; readonly mention: DateMention }[] = [];
  let rest = text;
  for (const { pattern, read } of ANY_DATE.test(text) ? forms : []) {
    rest = rest.replace(pattern, (whole: string, ...parts: unknown[]) => {
      const groups = parts.slice(
        0,
        parts.findIndex((part) => typeof part === "number"),
      ) as (string | undefined)[];
      const at = parts.find((part) => typeof part === "number") as number;
      for (const mention of read(groups)) found.push({ at, mention });
      return TAKEN.repeat(whole.length);
    });
  }
  const times: string[] = [];
  rest = rest.replace(/\b\d{1,2}:\d{2}(?::\d{2})?\b/g, (time) => {
    times.push(time.padStart(5, "0"));
    return TAKEN.repeat(time.length);
  });
  const { numbers, years, left } = numbersIn(rest);
  const dates = withYears([...found.sort((a, b) => a.at - b.at).map(({ mention }) => mention)]);
  return {
    numbers,
    times,
    dates: [...dates, ...years.map((year) => ({ year, month: undefined, day: undefined }))],
    rest: left,
  };
}

/** "20 October to 3 November 2026": the first has the year of the next one that has one. */
function withYears(dates: readonly DateMention[]): readonly DateMention[] {
  let year: number | undefined;
  return dates
    .toReversed()
    .map((date) => {
      year = date.year ?? year;
      return { ...date, year };
    })
    .toReversed();
}

const DIGITS = /\d{1,3}(?:(?:,|'| )\d{3})+(?!\d)(?:\.\d+)?|\d+(?:\.\d+|,\d{1,2}(?!\d))?/g;

interface Found {
  readonly from: number;
  readonly to: number;
  readonly value: number;
  /** What stands right at the digits: `%`, `°C`, a sign of money. */
  readonly unit?: string;
  readonly isDigits: boolean;
}

function numbersIn(text: string): { numbers: NumberMention[]; years: number[]; left: string } {
  const found = [...digitsIn(text), ...wordsIn(text)].sort((a, b) => a.from - b.from);
  const left = found.reduce(
    (rest, { from, to }) => rest.slice(0, from) + TAKEN.repeat(to - from) + rest.slice(to),
    text,
  );
  const years: number[] = [];
  const counted = found.map((one, index) => unitAfter(text, one, found[index + 1]));
  const units = counted.map(({ unit }) => unit);
  // "10 to 12 percent", "between 3 and 5 events": the unit follows the last one.
  for (let at = found.length - 2; at >= 0; at -= 1) {
    const [one, next] = [found[at], found[at + 1]];
    if (one && next && units[at] === undefined && /^ ?(?:-|to|and|or) ?$/.test(text.slice(one.to, next.from)))
      units[at] = units[at + 1];
  }
  const numbers = found.flatMap((one, index): readonly NumberMention[] => {
    const unit = units[index];
    if (isYear(text, one) && (unit === undefined || unit.startsWith("?"))) {
      years.push(one.value);
      return [];
    }
    return [
      {
        value: one.value,
        unit: sufferedBy(text, one.from, unit) ?? unit ?? unitBefore(text, one.from),
        qualifiers: counted[index]?.qualifiers ?? [],
      },
    ];
  });
  return { numbers, years, left };
}

function isYear(text: string, { from, to, value, isDigits }: Found): boolean {
  return isDigits && value >= 1900 && value <= 2100 && /^\d{4}$/.test(text.slice(from, to));
}

/** Characters around digits that can belong to them. */
const LOOKED_BACK = 12;
const LOOKED_AHEAD = 14;

function digitsIn(text: string): Found[] {
  const found: Found[] = [];
  for (const match of text.matchAll(DIGITS)) {
    const [written] = match;
    const from = match.index;
    let to = from + written.length;
    // "AS123", "PM2.5", "F-16", "G20" are names.
    const before = text.slice(Math.max(0, from - LOOKED_BACK), from);
    if (/[\p{L}\p{M}_]-?$/u.test(before) && !isRangeOfWords(before)) continue;
    let value = amountOf(written);
    const after = text.slice(to, to + LOOKED_AHEAD);
    const suffix = /^ ?(k|m|mn|bn|b|tn)\b/i.exec(after);
    const word = /^[ -]?(dozen|hundred|thousand|million|billion|trillion|lakh|crore)s?\b/i.exec(after);
    if (suffix) {
      value *= suffixes.get((suffix[1] ?? "").toLowerCase()) ?? 1;
      to += suffix[0].length;
    } else if (word) {
      value *= multipliers.get((word[1] ?? "").toLowerCase()) ?? 1;
      to += word[0].length;
    }
    const money = /(?:[$€£¥]|\bUSD|\bEUR) ?$/.exec(before);
    const sign = /^ ?(%|°C|°F|°|[μµ]g\/m3|pp\b|percent\b|pct\b)/.exec(text.slice(to, to + LOOKED_AHEAD));
    const unit = money ? "money" : sign ? signs[sign[1] ?? ""] : undefined;
    // "12th" and "30C" are no counts; they have to be found as they are.
    if (!sign && /^[\p{L}]/u.test(text.slice(to, to + 2)) && !/^(?:mm|km|min|h)\b/.test(text.slice(to, to + 4)))
      continue;
    found.push({ from, to, value: tidy(value), isDigits: true, ...(unit !== undefined && { unit }) });
  }
  return found;
}

const signs: Readonly<Record<string, string>> = {
  ...{ "%": "percent", pp: "percent", percent: "percent", pct: "percent" },
  ...{ "°C": "degrees", "°F": "fahrenheit", "°": "degrees", "μg/m3": "density", "µg/m3": "density" },
};

/** "from-10" is no name; "mid-2026" and "pre-2020" speak of the year. */
function isRangeOfWords(before: string): boolean {
  return /\b(?:mid|pre|post|late|early|sub|non|over|under)-$/i.test(before);
}

function amountOf(written: string): number {
  if (/^\d+,\d{1,2}$/.test(written)) return Number(written.replace(",", "."));
  return Number(written.replace(/[, ']/g, ""));
}

/** 1.2 × 1,000 without the noise of binary fractions. */
function tidy(value: number): number {
  return Number(value.toPrecision(12));
}

const WORD = /[A-Za-z]+/g;

/** Numbers in words: "twelve", "twenty-five", "one hundred and twenty", "a dozen". */
function wordsIn(text: string): Found[] {
  const words = [...text.matchAll(WORD)].map((match) => ({
    word: match[0].toLowerCase(),
    from: match.index,
    to: match.index + match[0].length,
  }));
  const found: Found[] = [];
  const isJoined = (at: number, next: number): boolean => {
    const [one, other] = [words[at], words[next]];
    return one !== undefined && other !== undefined && /^[ -]$/.test(text.slice(one.to, other.from));
  };
  for (let at = 0; at < words.length; at += 1) {
    const begin = words[at];
    if (!begin || !startsNumber(words, at, text)) continue;
    let [total, group, end] = [0, 0, at];
    for (let next = at; next < words.length; next += 1) {
      const word = words[next]?.word ?? "";
      if (next > at && !isJoined(next - 1, next)) break;
      const [value, factor] = [numberWords.get(word), multipliers.get(word)];
      if (value !== undefined) group += value;
      else if (factor !== undefined && factor < 1_000) group = (group || 1) * factor;
      else if (factor !== undefined) [total, group] = [total + (group || 1) * factor, 0];
      else if (word === "and" && isMore(words[next + 1]?.word, words[next - 1]?.word)) continue;
      else if (!(word === "a" && next === at)) break;
      end = next;
    }
    found.push({ from: begin.from, to: words[end]?.to ?? begin.to, value: tidy(total + group), isDigits: false });
    at = end;
  }
  return found;
}

function startsNumber(
  words: readonly { readonly word: string; readonly from: number }[],
  at: number,
  text: string,
): boolean {
  const word = words[at]?.word ?? "";
  const [before, after] = [words[at - 1]?.word, words[at + 1]?.word];
  if (word === "one") return before !== "no" && before !== "any" && before !== "every" && after !== "another";
  if (numberWords.has(word)) return true;
  // What stands behind digits was read with them.
  if (multipliers.has(word)) return !/\d[ -]?$/.test(text.slice(0, words[at]?.from));
  return word === "a" && after !== undefined && multipliers.has(after);
}

/** "one hundred and twenty", but not "twelve and twenty". */
function isMore(next: string | undefined, before: string | undefined): boolean {
  return next !== undefined && numberWords.has(next) && before !== undefined && multipliers.has(before);
}

const LOOKED_AT_MAX = 5;

interface Counted {
  readonly unit: string | undefined;
  readonly qualifiers: readonly string[];
}

/** What the words after a number say that it counts; `?word` for what is in no table. */
function unitAfter(text: string, { to, unit }: Found, next: Found | undefined): Counted {
  if (unit !== undefined) return { unit, qualifiers: [] };
  // Up to the next number, date or stop.
  const phrase = /^[^.,;:!?()"\ue000]*/.exec(text.slice(to, next?.from))?.[0] ?? "";
  const words = [...phrase.matchAll(/[\p{L}\p{M}]+/gu)].map(([word]) => plainWord(word));
  const others: string[] = [];
  for (const [index, word] of words.slice(0, LOOKED_AT_MAX).entries()) {
    if (word === "of" || word === "the") continue;
    const known = unitOf.get(word);
    if (known === "people") return { unit: peopleOf(words.slice(index + 1, index + 4)), qualifiers: others };
    if (known !== undefined) return { unit: known, qualifiers: others };
    if (participles.has(word) && unitOf.has(words[index + 1] ?? "")) continue;
    if (phraseEnds.has(word) || participles.has(word)) break;
    if (!weakQualifiers.has(word)) others.push(stemOf(word));
  }
  const last = others.at(-1);
  return { unit: last === undefined ? undefined : `?${last}`, qualifiers: others.slice(0, -1) };
}

/** "people displaced", "people were killed". */
function peopleOf(after: readonly string[]): string {
  const kind = after.map((word) => unitOf.get(word)).find((unit) => unit !== undefined && kindsOfPeople.has(unit));
  return kind ?? "people";
}

/** "killed 12 people", "wounded 12 soldiers": what was done to them counts, not what they are called. */
function sufferedBy(text: string, from: number, unit: string | undefined): string | undefined {
  if (unit !== undefined && unit !== "people" && !unit.startsWith("?")) return undefined;
  const [word = ""] =
    /(?<![A-Za-z])[A-Za-z]+(?= (?:(?:about|some|at least|over|nearly|more than) )?$)/.exec(
      text.slice(Math.max(0, from - 30), from),
    ) ?? [];
  const kind = unitOf.get(plainWord(word));
  return kind !== undefined && kindsOfPeople.has(kind) ? kind : undefined;
}

/** "an AQI of 162", "deaths fell to 12": the last thing named before. */
function unitBefore(text: string, from: number): string | undefined {
  const sentence =
    text
      .slice(0, from)
      .split(/[.;!?] /)
      .at(-1) ?? "";
  return [...sentence.matchAll(/[\p{L}\p{M}]+/gu)]
    .map(([word]) => unitOf.get(plainWord(word)))
    .findLast((unit) => unit !== undefined);
}

/** Lower case and without accents. */
export function plainWord(word: string): string {
  return word.normalize("NFD").replace(/\p{M}/gu, "").toLowerCase();
}

const STEM_LENGTH = 5;

/** What forms of a word have in common. */
export function stemOf(word: string): string {
  return plainWord(word)
    .replace(/(?:'s|s)$/, "")
    .slice(0, STEM_LENGTH);
}

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

/** A stated number with its unit. */
export interface NumberMention {
  readonly value: number;
  /** Undefined if the text states no unit. */
  readonly unit: string | undefined;
  /** Stems of the words between the number and its unit: 12 civilian deaths are not 12 deaths. */
  readonly qualifiers: readonly string[];
}

/** A stated day, month or year. Unstated parts are undefined. */
export interface DateMention {
  readonly year: number | undefined;
  /** January is 0. */
  readonly month: number | undefined;
  readonly day: number | undefined;
}

export interface Amounts {
  readonly numbers: readonly NumberMention[];
  readonly dates: readonly DateMention[];
  /** Times of day, as written, but with a leading zero: `9:30` becomes `09:30`. */
  readonly times: readonly string[];
  /** The text to search for names, with placeholders for its dates, times and numbers. */
  readonly rest: string;
}

/** Normalises compatibility forms, digits of any script, dashes, quotes and spaces. Keeps accents and case. */
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

/** Converts a decimal digit of any script to ASCII. The ten digits of a script have consecutive code points. */
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

/** Date forms in search order. A match is removed before the next form is tried. */
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

/** The placeholder for removed text, from a private-use area that texts do not contain. */
const TAKEN = "\ue000";

/** Finds the numbers, dates and times of a normalised text. */
export function amountsOf(text: string): Amounts {
  const datesFound: { readonly at: number; readonly mention: DateMention }[] = [];
  let rest = text;
  for (const { pattern, read } of ANY_DATE.test(text) ? forms : []) {
    rest = rest.replace(pattern, (whole: string, ...parts: unknown[]) => {
      const groups = parts.slice(
        0,
        parts.findIndex((part) => typeof part === "number"),
      ) as (string | undefined)[];
      const at = parts.find((part) => typeof part === "number") as number;
      for (const mention of read(groups)) datesFound.push({ at, mention });
      return TAKEN.repeat(whole.length);
    });
  }
  const times: string[] = [];
  rest = rest.replace(/\b\d{1,2}:\d{2}(?::\d{2})?\b/g, (time) => {
    times.push(time.padStart(5, "0"));
    return TAKEN.repeat(time.length);
  });
  const { numbers, years, left } = numbersIn(rest);
  const dates = withYears([...datesFound.sort((a, b) => a.at - b.at).map(({ mention }) => mention)]);
  return {
    numbers,
    times,
    dates: [...dates, ...years.map((year) => ({ year, month: undefined, day: undefined }))],
    rest: left,
  };
}

/** Gives a date without a year the year of the next date that has one: "20 October to 3 November 2026". */
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
  /** Unit next to the digits: `%`, `°C` or a currency sign. */
  readonly unit?: string;
  readonly isDigits: boolean;
}

function numbersIn(text: string): { numbers: NumberMention[]; years: number[]; left: string } {
  const matches = [...digitsIn(text), ...wordsIn(text)].sort((a, b) => a.from - b.from);
  const left = matches.reduce(
    (rest, { from, to }) => rest.slice(0, from) + TAKEN.repeat(to - from) + rest.slice(to),
    text,
  );
  const years: number[] = [];
  const counted = matches.map((match, index) => unitAfter(text, match, matches[index + 1]));
  const units = counted.map(({ unit }) => unit);
  // "10 to 12 percent", "between 3 and 5 events": the unit follows the last number.
  for (let at = matches.length - 2; at >= 0; at -= 1) {
    const [match, next] = [matches[at], matches[at + 1]];
    if (match && next && units[at] === undefined && /^ ?(?:-|to|and|or) ?$/.test(text.slice(match.to, next.from)))
      units[at] = units[at + 1];
  }
  const numbers = matches.flatMap((match, index): readonly NumberMention[] => {
    const unit = units[index];
    if (isYear(text, match) && (unit === undefined || unit.startsWith("?"))) {
      years.push(match.value);
      return [];
    }
    return [
      {
        value: match.value,
        unit: sufferedBy(text, match.from, unit) ?? unit ?? unitBefore(text, match.from),
        qualifiers: counted[index]?.qualifiers ?? [],
      },
    ];
  });
  return { numbers, years, left };
}

function isYear(text: string, { from, to, value, isDigits }: Found): boolean {
  return isDigits && value >= 1900 && value <= 2100 && /^\d{4}$/.test(text.slice(from, to));
}

/** Numbers of characters before and after digits in which a multiplier, a unit or the rest of a name is looked for. */
const LOOKED_BACK = 12;
const LOOKED_AHEAD = 14;

function digitsIn(text: string): Found[] {
  const numbers: Found[] = [];
  for (const match of text.matchAll(DIGITS)) {
    const [written] = match;
    const from = match.index;
    let to = from + written.length;
    // "AS123", "PM2.5", "F-16", "G20" are names.
    const before = text.slice(Math.max(0, from - LOOKED_BACK), from);
    if (/[\p{L}\p{M}_]-?$/u.test(before) && !endsInPrefix(before)) continue;
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
    // "12th" and "30C" are not counts. They stay in the text, where they are later found as names.
    if (!sign && /^[\p{L}]/u.test(text.slice(to, to + 2)) && !/^(?:mm|km|min|h)\b/.test(text.slice(to, to + 4)))
      continue;
    numbers.push({ from, to, value: tidy(value), isDigits: true, ...(unit !== undefined && { unit }) });
  }
  return numbers;
}

const signs: Readonly<Record<string, string>> = {
  "%": "percent",
  pp: "percent",
  percent: "percent",
  pct: "percent",
  "°C": "degrees",
  "°F": "fahrenheit",
  "°": "degrees",
  "μg/m3": "density",
  "µg/m3": "density",
};

/** Tests whether a text ends in a prefix of a year or number. "mid-2026" and "pre-2020" are not names. */
function endsInPrefix(before: string): boolean {
  return /\b(?:mid|pre|post|late|early|sub|non|over|under)-$/i.test(before);
}

function amountOf(written: string): number {
  if (/^\d+,\d{1,2}$/.test(written)) return Number(written.replace(",", "."));
  return Number(written.replace(/[, ']/g, ""));
}

/** Rounds away floating-point noise, as in 1.2 × 1,000. */
function tidy(value: number): number {
  return Number(value.toPrecision(12));
}

const WORD = /[A-Za-z]+/g;

/** Finds numbers in words: "twelve", "twenty-five", "one hundred and twenty", "a dozen". */
function wordsIn(text: string): Found[] {
  const words = [...text.matchAll(WORD)].map((match) => ({
    word: match[0].toLowerCase(),
    from: match.index,
    to: match.index + match[0].length,
  }));
  const numbers: Found[] = [];
  const isJoined = (at: number, next: number): boolean => {
    const [word, nextWord] = [words[at], words[next]];
    return word !== undefined && nextWord !== undefined && /^[ -]$/.test(text.slice(word.to, nextWord.from));
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
    numbers.push({ from: begin.from, to: words[end]?.to ?? begin.to, value: tidy(total + group), isDigits: false });
    at = end;
  }
  return numbers;
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
  // A multiplier that follows digits has already been read as part of their number.
  if (multipliers.has(word)) return !/\d[ -]?$/.test(text.slice(0, words[at]?.from));
  return word === "a" && after !== undefined && multipliers.has(after);
}

/** Tests whether "and" continues a number: "one hundred and twenty", but not "twelve and twenty". */
function isMore(next: string | undefined, before: string | undefined): boolean {
  return next !== undefined && numberWords.has(next) && before !== undefined && multipliers.has(before);
}

/** Maximum number of words after a number in which its unit is looked for. */
const LOOKED_AT_MAX = 5;

interface Counted {
  readonly unit: string | undefined;
  readonly qualifiers: readonly string[];
}

/** Finds the unit in the words after a number. If `unitOf` has none of them, returns `?` and the last word's stem. */
function unitAfter(text: string, { to, unit }: Found, next: Found | undefined): Counted {
  if (unit !== undefined) return { unit, qualifiers: [] };
  // The phrase ends at the next number, date or punctuation mark.
  const phrase = /^[^.,;:!?()"\ue000]*/.exec(text.slice(to, next?.from))?.[0] ?? "";
  const words = [...phrase.matchAll(/[\p{L}\p{M}]+/gu)].map(([word]) => plainWord(word));
  const others: string[] = [];
  for (const [index, word] of words.slice(0, LOOKED_AT_MAX).entries()) {
    if (word === "of" || word === "the") continue;
    const wordUnit = unitOf.get(word);
    if (wordUnit === "people") return { unit: peopleOf(words.slice(index + 1, index + 4)), qualifiers: others };
    if (wordUnit !== undefined) return { unit: wordUnit, qualifiers: others };
    if (participles.has(word) && unitOf.has(words[index + 1] ?? "")) continue;
    if (phraseEnds.has(word) || participles.has(word)) break;
    if (!weakQualifiers.has(word)) others.push(stemOf(word));
  }
  const last = others.at(-1);
  return { unit: last === undefined ? undefined : `?${last}`, qualifiers: others.slice(0, -1) };
}

/**
 * Finds a more specific unit in the words after "people", as in "people displaced" and "people were killed". Returns
 * "people" if no word is a unit.
 */
function peopleOf(after: readonly string[]): string {
  const kind = after.map((word) => unitOf.get(word)).find((unit) => unit !== undefined && kindsOfPeople.has(unit));
  return kind ?? "people";
}

/** Finds the unit in a verb before the number: "killed 12 people" and "killed 12 soldiers" both count deaths. */
function sufferedBy(text: string, from: number, unit: string | undefined): string | undefined {
  if (unit !== undefined && unit !== "people" && !unit.startsWith("?")) return undefined;
  const [word = ""] =
    /(?<![A-Za-z])[A-Za-z]+(?= (?:(?:about|some|at least|over|nearly|more than) )?$)/.exec(
      text.slice(Math.max(0, from - 30), from),
    ) ?? [];
  const kind = unitOf.get(plainWord(word));
  return kind !== undefined && kindsOfPeople.has(kind) ? kind : undefined;
}

/** Finds the last unit before the number: "an AQI of 162", "deaths fell to 12". */
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

/** Converts a word to lower case without accents. */
export function plainWord(word: string): string {
  return word.normalize("NFD").replace(/\p{M}/gu, "").toLowerCase();
}

const STEM_LENGTH = 5;

/** Returns the common stem of a word's forms. */
export function stemOf(word: string): string {
  return plainWord(word)
    .replace(/(?:'s|s)$/, "")
    .slice(0, STEM_LENGTH);
}

import { type PhraseTable, phraseTable } from "../kit/phrases.js";
import { type Word, wordsOf } from "../kit/words.js";
import {
  afterUsInCapitals,
  borneByPeople,
  calledAfter,
  codeWords,
  georgiaGe,
  georgiaUs,
  givenNames,
  noCountries,
  notBeside,
  notSurnames,
  pairWords,
} from "./country-traps.js";
import { countryWords, countryWordsAbroad } from "./country-words.js";

/**
 * The kind of a phrase decides which spellings match it. For example, a name needs a capital letter, and an
 * abbreviation must be in upper case.
 */
type Kind = "name" | "people" | "place" | "state" | "code" | "none";

interface Named {
  readonly codes: readonly string[];
  readonly kind: Kind;
  /** Set if the word must be spelled exactly like this, because the accents distinguish it from another word. */
  readonly spelling?: string;
}

interface Mention extends Named {
  readonly start: number;
  readonly end: number;
}

/** A word or phrase of a title that names a country. */
export interface CountryMention {
  /** ISO 3166-1 alpha-2 codes (and XK). */
  readonly codes: readonly string[];
  readonly kind: Kind;
  /** Indexes of the phrase's first word and of the word after the phrase. */
  readonly start: number;
  readonly end: number;
}

/** Maximum number of words that are read from a title. Real headlines are shorter. */
const WORDS_MAX = 120;

/**
 * ISO 3166-1 alpha-2 codes (and XK) of the countries that a headline mentions, in the order of first mention.
 * Matches names, upper-case abbreviations, adjectives, capital cities and other well-known cities, longest match first.
 * Things named after a country do not count. test/labelled/README.md has the rules. An unknown language is read as
 * English.
 */
export function countriesIn(title: string, language = "en"): readonly string[] {
  const words = wordsOf(title, WORDS_MAX);
  if (words.length === 0) return [];
  const codes = new Set<string>();
  for (const mention of mentionsIn(words, languageOf(language))) for (const code of mention.codes) codes.add(code);
  return [...codes];
}

/** Finds the words of a title that name a country, in order; `countriesIn` has the rules. */
export function countryMentionsIn(words: readonly Word[], language = "en"): readonly CountryMention[] {
  return words.length === 0 ? [] : mentionsIn(words, languageOf(language));
}

/** "pt-BR" and "PT" are Portuguese. */
function languageOf(language: string): string {
  return (/^[a-z]{2,3}(?![a-z])/i.exec(language.trim())?.[0] ?? "en").toLowerCase();
}

function mentionsIn(words: readonly Word[], language: string): readonly Mention[] {
  const table = tableOf(language);
  const isInCapitals =
    words.length > 2 &&
    words.every(
      ({ written }) => (written === written.toUpperCase() && written !== written.toLowerCase()) || isDigits(written),
    );
  const mentions: Mention[] = [];
  let at = 0;
  while (at < words.length) {
    const match = table.longestAt(words, at, (named, length) => isWrittenAs(named, words, at, length, isInCapitals));
    const named = match?.values[0];
    if (match && named && named.codes.length > 0) mentions.push({ ...named, start: at, end: at + match.length });
    at += match?.length ?? 1;
  }
  if (mentions.length === 0) return mentions;
  const title: Title = {
    words,
    mentions,
    folded: new Set(words.map((word) => word.folded)),
    isSentenceCase: isSentenceCase(words),
  };
  return mentions
    .filter((mention, index) => rules.every((rule) => rule(mention, title, index)))
    .map((mention) => resolved(mention, title));
}

function isDigits(written: string): boolean {
  return written.charCodeAt(0) <= 0x39;
}

function isWrittenAs(named: Named, words: readonly Word[], at: number, length: number, isInCapitals: boolean): boolean {
  const first = words[at]?.written ?? "";
  if (named.spelling !== undefined && first.normalize("NFC") !== named.spelling) return false;
  switch (named.kind) {
    case "none":
    case "people":
      return true;
    case "code":
      return isCode(words, at, isInCapitals);
    case "place":
      // For example, "GAO" is an office, but "Gao" is a town.
      if (
        !isInCapitals &&
        length === 1 &&
        first.length <= 4 &&
        first.length > 1 &&
        first === first.toUpperCase() &&
        first !== first.toLowerCase()
      )
        return false;
  }
  return hasCapital(first) || hasCapital(words[at + length - 1]?.written ?? "");
}

/** True if a word begins with a capital letter or with a character that has no case. */
function hasCapital(written: string): boolean {
  const first = written[0] ?? "";
  return first !== first.toLowerCase() || first === first.toUpperCase();
}

function isCode(words: readonly Word[], at: number, isInCapitals: boolean): boolean {
  const written = words[at]?.written ?? "";
  if (written.includes(".")) return written === written.toUpperCase();
  if (written !== written.toUpperCase()) return false;
  if (!isInCapitals || written !== "US") return true;
  // In an all-capitals title, "US" is the pronoun unless a word such as "SENATE" or "TROOPS" follows. "AND" counts as
  // such a word only if "US" is the first word of the title.
  const next = words[at + 1]?.folded ?? "";
  return officesInCapitals.has(next) && (at === 0 || next !== "and");
}

interface Title {
  readonly words: readonly Word[];
  readonly mentions: readonly Mention[];
  readonly folded: ReadonlySet<string>;
  readonly isSentenceCase: boolean;
}

/**
 * True if fewer than two thirds of the longer words begin with a capital. Longer words have more than three characters;
 * the first word of the title does not count.
 */
function isSentenceCase(words: readonly Word[]): boolean {
  const longer = words.slice(1).filter(({ written }) => written.length > 3);
  return longer.filter(({ written }) => hasCapital(written)).length * 3 < longer.length * 2;
}

/** A mention counts only if every rule returns true. */
const rules: readonly ((mention: Mention, title: Title, index: number) => boolean)[] = [
  isNotBorrowed,
  isNotPerson,
  isNotBesideAnother,
];

/** False if a state or country after a comma takes precedence: "Paris, Texas" is not in France. */
function isNotBorrowed(mention: Mention, { words, mentions }: Title, index: number): boolean {
  const next = mentions[index + 1];
  if (next === undefined || next.start !== mention.end || !words[next.start]?.before.startsWith(",")) return true;
  if (mention.kind === "state" || next.codes[0] === mention.codes[0]) return true;
  if (next.kind === "state") return !(mention.kind === "people" || mention.kind === "code");
  const after = words[next.end];
  const isList =
    after !== undefined &&
    (after.before.startsWith(",") || after.folded === "and") &&
    mentions[index + 2] !== undefined;
  return !(mention.kind === "place" && next.kind === "name" && !isList && mentions[index - 1]?.end !== mention.start);
}

/**
 * For a name that is also a personal name: false after a given name. In sentence case, also false before a capitalised
 * word that may be a surname.
 */
function isNotPerson(mention: Mention, { words, mentions, isSentenceCase }: Title, index: number): boolean {
  const name = words[mention.start]?.folded ?? "";
  if (mention.end - mention.start !== 1 || mention.kind === "code" || !borne.has(name)) return true;
  const before = words[mention.start - 1];
  if (before && words[mention.start]?.before === " " && givenNameSet.has(before.folded) && hasCapital(before.written))
    return false;
  const after = words[mention.end];
  if (
    mention.kind === "people" ||
    !isSentenceCase ||
    after?.before !== " " ||
    mentions[index + 1]?.start === mention.end
  )
    return true;
  if (widelyNamed.has(name)) return true;
  const isName =
    hasCapital(after.written) &&
    after.written.slice(1) !== after.written.slice(1).toUpperCase() &&
    !isDigits(after.written);
  return !isName || noSurnames.has(after.folded);
}

function isNotBesideAnother(mention: Mention, title: Title): boolean {
  if (mention.end - mention.start !== 1) return true;
  const name = title.words[mention.start]?.folded ?? "";
  const others = besides.get(name);
  return others === undefined || !hasAny(title, others);
}

function hasAny({ words, folded: foldedWords }: Title, others: readonly string[]): boolean {
  return others.some((other) => {
    if (!other.includes(" ")) return foldedWords.has(other);
    return ` ${words.map((word) => word.folded).join(" ")} `.includes(` ${other} `);
  });
}

/** Chooses the country of a word that can mean two countries. */
function resolved(mention: Mention, title: Title): Mention {
  const code = mention.codes[0];
  if (mention.kind !== "name" || mention.end - mention.start !== 1) return mention;
  const name = title.words[mention.start]?.folded;
  if (code === "GE" && name === "georgia") return { ...mention, codes: [isGeorgiaUs(mention, title) ? "US" : "GE"] };
  if (name === "congo" && title.mentions.some(({ codes }) => codes[0] === "CG")) return { ...mention, codes: ["CG"] };
  if (name === "korea" && hasAny(title, ["pyongyang", "kim jong un"])) return { ...mention, codes: ["KP"] };
  return mention;
}

function isGeorgiaUs({ start }: Mention, title: Title): boolean {
  if (hasAny(title, georgian)) return false;
  const isAfterComma = title.words[start]?.before.startsWith(",") ?? false;
  return (
    hasAny(title, georgianUs) || title.mentions.some(({ kind }) => kind === "state") || (isAfterComma && start === 1)
  );
}

const list = (text: string): string[] =>
  text
    .split(",")
    .map((item) => item.trim())
    .filter(Boolean);
const setOf = (text: string): ReadonlySet<string> => new Set(list(text));

const officesInCapitals = setOf(afterUsInCapitals);
const borne = setOf(borneByPeople);
const givenNameSet = setOf(givenNames);
const noSurnames = setOf(notSurnames);
/** Names that are mentioned so often that a capitalised word after them is more likely an office than a surname. */
const widelyNamed = setOf(
  "london,paris,washington,berlin,england,wales,france,vienna,geneva,america,britain,cairo,jersey,virginia,boston,denver,memphis",
);
const besides: ReadonlyMap<string, readonly string[]> = new Map(
  Object.entries(notBeside).map(([name, others]) => [name, list(others)]),
);
const georgianUs = list(georgiaUs);
const georgian = list(georgiaGe);

const tables = new Map<string, PhraseTable<Named>>();

/** Returns the phrase table of a language, which is built at first use. */
function tableOf(language: string): PhraseTable<Named> {
  const key = language === "en" || Intl.DisplayNames.supportedLocalesOf([language]).length > 0 ? language : "en";
  const cached = tables.get(key);
  if (cached) return cached;
  const table = builtTable(key);
  tables.set(key, table);
  return table;
}

function builtTable(language: string): PhraseTable<Named> {
  const table = phraseTable<Named>();
  const isEnglish = language === "en";
  if (!isEnglish) addPlatformNames(table, language);
  for (const { country, names, people, places } of countryWords) {
    for (const name of names) add(table, name, country, "name");
    if (isEnglish) for (const person of people) for (const form of plurals(person)) add(table, form, country, "name");
    for (const place of places) add(table, place, country, "place");
  }
  for (const { country, states } of countryWords) for (const state of states) add(table, state, country, "state");
  for (const [code, codes] of Object.entries(codeWords)) for (const word of list(codes)) add(table, word, code, "code");
  for (const [phrases, codes] of pairWords)
    for (const phrase of list(phrases)) table.set(keyOf(phrase), { codes, kind: "name" });
  if (isEnglish) addSeas(table);
  addTraps(table, language);
  const abroad = countryWordsAbroad.filter((words) => words.language === language);
  for (const { country, places } of abroad)
    for (const place of places) add(table, place, country, isAbbreviation(place) ? "code" : "place");
  for (const { country, people } of abroad) for (const person of people) add(table, person, country, "people");
  return table;
}

function plurals(person: string): string[] {
  return /(s|sh|ch|ese)$/.test(person) ? [person] : [person, `${person}s`];
}

function keyOf(phrase: string): string[] {
  return phrase.endsWith("*")
    ? [...keyOf(phrase.slice(0, -1)).slice(0, -1), `${keyOf(phrase.slice(0, -1)).at(-1)}*`]
    : wordsOf(phrase, WORDS_MAX).map((word) => word.folded);
}

/** Adds a phrase under its folded words. A place does not replace a name that has the same words. */
function add(table: PhraseTable<Named>, phrase: string, code: string, kind: Kind): void {
  const isSpelled = phrase.startsWith("=");
  const bare = isSpelled ? phrase.slice(1) : phrase;
  const key = keyOf(bare);
  if (key.length === 0 || (table.get(key) !== undefined && kind === "place" && table.get(key)?.kind === "name")) return;
  table.set(key, { codes: [code], kind, ...(isSpelled ? { spelling: bare } : {}) });
}

/** Seas, gulfs and lakes are not countries, even if named after one. */
function addSeas(table: PhraseTable<Named>): void {
  for (const { names } of countryWords) {
    for (const name of names) {
      for (const water of ["gulf of", "sea of", "lake", "bay of", "strait of", "straits of"])
        table.set(keyOf(`${water} ${name}`), none);
    }
  }
}

const none: Named = { codes: [], kind: "none" };

function addTraps(table: PhraseTable<Named>, language: string): void {
  const addTrap = (phrase: string): void => {
    const [text = "", code] = phrase.split("=").map((part) => part.trim());
    table.set(keyOf(text), code ? { codes: [code], kind: "none" } : none);
  };
  if (language === "en") {
    for (const [first, things] of Object.entries(calledAfter)) for (const thing of things) addTrap(`${first} ${thing}`);
  }
  for (const phrase of noCountries[language] ?? []) addTrap(phrase);
}

const ALPHA_2 = countryWords.map(({ country }) => country);

/** Inflected languages. In these languages, the names of countries are matched by stem. */
const INFLECTED = new Set("be bg bs cs el et fi hr hu lt lv mk pl ro ru sk sl sq sr tr uk".split(" "));

/**
 * Adds the names of the countries from `Intl.DisplayNames`, in both styles, because the short and the long name may
 * differ. A name with brackets, such as "Hong Kong (China)", is added as two names.
 */
function addPlatformNames(table: PhraseTable<Named>, language: string): void {
  for (const style of ["short", "long"] as const) {
    const names = new Intl.DisplayNames([language], { type: "region", style, fallback: "none" });
    for (const code of ALPHA_2) {
      const name = names.of(code);
      if (name === undefined) continue;
      const [first = "", aside = ""] = name.split(/[(（)）]/);
      for (const spoken of [first, aside]) addSpoken(table, spoken.trim(), code, language);
    }
  }
}

function isAbbreviation(name: string): boolean {
  return name.length <= 3 && name === name.toUpperCase() && name !== name.toLowerCase();
}

function addSpoken(table: PhraseTable<Named>, name: string, code: string, language: string): void {
  const key = keyOf(name);
  if (key.length === 0 || (table.get(key)?.codes[0] ?? code) !== code) return;
  const isShort = isAbbreviation(name);
  table.set(key, { codes: [code], kind: isShort ? "code" : "name" });
  if (language === "de" && !isShort)
    table.set([...key.slice(0, -1), `${key.at(-1)}s`], { codes: [code], kind: "name" });
  if (!INFLECTED.has(language)) return;
  const stems = key.map((word) => stemOf(word, key.length > 1));
  if (stems.some((stem) => stem.endsWith("*"))) table.set(stems, { codes: [code], kind: "name" });
}

const STEM_LENGTH_MIN = 4;

/**
 * Removes the final vowel of a word, if there is one, and adds `*`, which matches any ending. `isAll` is for names of
 * several words: all vowels at the end of the word are removed, because the word may be an adjective. A word with a
 * stem of fewer than four letters is unchanged.
 */
function stemOf(word: string, isAll: boolean): string {
  const stem = word.replace(
    isAll ? /(?<![aeiouyаеиоуыэюяαεηιουω])[aeiouyаеиоуыэюяαεηιουω]+$/ : /[aeiouyаеиоуыэюяαεηιουω]$/,
    "",
  );
  return stem.length >= STEM_LENGTH_MIN ? `${stem}*` : word;
}

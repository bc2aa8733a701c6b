import { type PhraseTable, phraseTable } from "../../../kit/phrases.js";
import type { Word } from "../../../kit/words.js";
import { tollIn } from "./death-toll.js";
import { type Combination, combinationsIn } from "./threat-combinations.js";
import {
  type ClassName,
  englishWords,
  type Role,
  spanishWords,
  type ThreatCategory,
  threatCategories,
  type WordClass,
  type WordsByClass,
  wordClasses,
} from "./threat-words.js";
import { frenchWords, germanWords, portugueseWords } from "./threat-words-abroad.js";
import { newsroomWords } from "./threat-words-newsroom.js";

/** A phrase of the tables, found. */
export interface Finding {
  readonly classes: readonly ClassName[];
  readonly at: number;
  readonly length: number;
}

/** What the words of a title say, before any rule has judged it. */
export interface Evidence {
  readonly words: readonly Word[];
  readonly findings: readonly Finding[];
  readonly classes: ReadonlySet<ClassName>;
  readonly roles: ReadonlySet<Role>;
  readonly scores: ReadonlyMap<ThreatCategory, number>;
  readonly combinations: readonly Combination[];
  /** How many died, as far as the title says; 1 when it only says that somebody did, 0 when it says nothing. */
  readonly toll: number;
}

const MASS_WEAPON_DENIED = 3;
const CHEMICAL_FIRE = 5;

export function evidenceOf(words: readonly Word[], isQuestion: boolean, language: string): Evidence {
  const table = tableOf(language);
  const findings: Finding[] = [];
  const classes = new Set<ClassName>();
  const roles = new Set<Role>();
  const scores = new Map<ThreatCategory, number>();
  for (let at = 0; at < words.length; ) {
    const found = table.longestAt(words, at);
    if (found) {
      const named = found.values.length === 1 ? (found.values[0] ?? []) : [...new Set(found.values.flat())];
      findings.push({ classes: named, at, length: found.length });
      for (const name of named) {
        const { category, weight = 0, role }: WordClass = wordClasses[name];
        if (name === "kind of text" && (words[at]?.written === "WHO" || !isKindOfText(words, at, found.length)))
          continue;
        if (category && weight > 0)
          scores.set(category, (scores.get(category) ?? 0) + (classes.has(name) ? weight / 2 : weight));
        classes.add(name);
        if (role) roles.add(role);
      }
    }
    // What is denied is still what the title is about: "no recession" is about the economy.
    at += found && !findings.at(-1)?.classes.includes("denial") ? found.length : 1;
  }
  if (roles.has("looks-back") || roles.has("form") || scores.size === 0) {
    for (const name of classes) {
      const { category, past }: WordClass = wordClasses[name];
      if (category && past) scores.set(category, (scores.get(category) ?? 0) + past);
    }
  }
  // The works are what such a title is about, not the building that burns.
  if (roles.has("chemical") && roles.has("accident") && classes.has("building fire"))
    scores.set("environmental", (scores.get("environmental") ?? 0) + CHEMICAL_FIRE);
  const combinations = combinationsIn(words);
  for (const { category, weight } of combinations) scores.set(category, (scores.get(category) ?? 0) + weight);
  if (roles.has("denial") && classes.has("mass weapon")) {
    // Who rehearses or denies is what such a title is about.
    scores.set("conflict", (scores.get("conflict") ?? 0) - MASS_WEAPON_DENIED);
  }
  if (opensWithNo(words) && !roles.has("harmless")) roles.add("denial");
  if (isQuestion || asks(words)) roles.add("form");
  if (isYearsOf(words) || namesPastYear(words)) roles.add("looks-back");
  const deaths = findings
    .filter((finding) => finding.classes.includes("death"))
    .map(({ at, length }) => ({ at, length }));
  return {
    words,
    findings,
    classes,
    roles,
    scores,
    combinations,
    toll: roles.has("animal") ? 0 : tollIn(words, deaths),
  };
}

/** "Review:" and "Five tips" say it at the beginning; elsewhere such words are words. */
function isKindOfText(words: readonly Word[], at: number, length: number): boolean {
  const after = words[at + length]?.before ?? "";
  return (
    at === 0 ||
    (at === 1 && after.startsWith(":")) ||
    (at + length === words.length && words[at]?.before.includes(":") === true) ||
    isAfterColon(words, at)
  );
}

function isAfterColon(words: readonly Word[], at: number): boolean {
  return words[at]?.before.startsWith(":") === true && at <= 4;
}

const QUESTION_WORDS = new Set(
  "how why which what who can should is are do does warum wie was wer como por pourquoi comment que quel porque".split(
    " ",
  ),
);

/** A title that opens as a question or an instruction, or goes on as one after a colon. */
function asks(words: readonly Word[]): boolean {
  return (
    words.length > 2 &&
    words.some(({ folded, written, before }, at) => {
      const isOpening = at === 0 || (before.startsWith(":") && at < words.length - 1);
      return isOpening && QUESTION_WORDS.has(folded) && written !== "WHO";
    })
  );
}

const NO_COMFORT = new Set(
  "end ends let respite survivors clear deal progress breakthrough agreement peace water power fuel food electricity confidence".split(
    " ",
  ),
);

/** "No fraud found", but not "No end to war". */
function opensWithNo(words: readonly Word[]): boolean {
  return (
    words[0]?.folded === "no" &&
    words.length > 2 &&
    words[0].written !== "NO" &&
    !NO_COMFORT.has(words[1]?.folded ?? "")
  );
}

const SPANS = new Set(["years", "decades", "centuries"]);

/** "Thirty years of …" opens a title that looks back. */
function isYearsOf(words: readonly Word[]): boolean {
  return SPANS.has(words[1]?.folded ?? "") && (words[2]?.folded === "of" || words[2]?.folded === "ago");
}

const COMPARED = new Set("since from lowest highest worst biggest than before until".split(" "));
const PAST_YEARS = /^1[0-9]{3}$/;

/** "The great flood of 1953", but not "lowest since 1998". */
function namesPastYear(words: readonly Word[]): boolean {
  return words.some(({ written }, at) => {
    const before = words[at - 1]?.folded ?? "";
    return (
      PAST_YEARS.test(written) &&
      (before === "in" || before === "of" || before === "the") &&
      !words.some(({ folded }) => COMPARED.has(folded))
    );
  });
}

/** The category of which a title says most. */
export function leading(scores: ReadonlyMap<ThreatCategory, number>): ThreatCategory | undefined {
  let best: ThreatCategory | undefined;
  for (const category of threatCategories) {
    const score = scores.get(category) ?? 0;
    if (score > 0 && score > (best === undefined ? 0 : (scores.get(best) ?? 0))) best = category;
  }
  return best;
}

const wordsByLanguage: Readonly<Record<string, WordsByClass>> = {
  en: englishWords,
  es: spanishWords,
  fr: frenchWords,
  de: germanWords,
  pt: portugueseWords,
};

const tables = new Map<string, PhraseTable<readonly ClassName[]>>();

/** Built once for each of the five; a language without words of its own is read by the English ones. */
function tableOf(language: string): PhraseTable<readonly ClassName[]> {
  const key = Object.hasOwn(wordsByLanguage, language) ? language : "en";
  const known = tables.get(key);
  if (known) return known;
  const table = phraseTable<readonly ClassName[]>();
  for (const name of Object.keys(wordClasses) as ClassName[]) {
    const lists = [wordsByLanguage[key]?.[name], ...(key === "en" ? [newsroomWords[name]] : [])];
    for (const phrase of lists.flatMap((list) => list?.split(",") ?? [])) addPhrase(table, phrase.trim(), name);
  }
  tables.set(key, table);
  return table;
}

function addPhrase(table: PhraseTable<readonly ClassName[]>, phrase: string, name: ClassName): void {
  if (phrase === "") return;
  const terms = phrase.split(/\s+/);
  const known = table.get(terms) ?? [];
  if (!known.includes(name)) table.set(terms, [...known, name]);
}

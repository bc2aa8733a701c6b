import { NUMBER_TERM, type PhraseTable, phraseTable } from "../../../../kit/phrases.js";
import { folded, type Word, wordsOf } from "../../../../kit/words.js";
import { SEVERAL_DEAD, tollIn } from "./death-toll.js";
import { noAttacks, type StateAttacks, stateAttacksIn } from "./state-attacks.js";
import {
  type ClassName,
  type Role,
  type ThreatCategory,
  threatCategories,
  type WordClass,
  wordClasses,
} from "./threat-classes.js";
import { type Combination, combinationsIn } from "./threat-combinations.js";
import { threatLanguages, threatWords } from "./threat-words.js";
import { asks, endsAsDrill, isKindOfText, isYearsOf, namesPastYear, saysNo } from "./title-form.js";

/** A phrase in a title that matches an entry of a phrase table. */
export interface Finding {
  readonly classes: readonly ClassName[];
  readonly at: number;
  readonly length: number;
}

/** The evidence in the words of a title, before any rule applies. */
export interface Evidence {
  readonly words: readonly Word[];
  readonly findings: readonly Finding[];
  readonly classes: ReadonlySet<ClassName>;
  readonly roles: ReadonlySet<Role>;
  readonly scores: ReadonlyMap<ThreatCategory, number>;
  readonly combinations: readonly Combination[];
  readonly attacks: StateAttacks;
  /**
   * Number of deaths in the title; 1 if deaths are mentioned without a number, 0 if none are mentioned or the dead are
   * animals.
   */
  readonly toll: number;
}

/** The evidence from the individual phrases of a title. */
type Reading = Pick<Evidence, "words" | "findings"> & {
  readonly classes: Set<ClassName>;
  readonly roles: Set<Role>;
  readonly scores: Map<ThreatCategory, number>;
};

export function evidenceOf(words: readonly Word[], isQuestion: boolean, language: string): Evidence {
  const reading = read(words, tableOf(language));
  const { findings, classes, roles, scores } = reading;
  if (roles.has("looks-back") || roles.has("form") || scores.size === 0) {
    for (const name of classes) {
      const { category, past }: WordClass = wordClasses[name];
      if (category && past) add(scores, category, past);
    }
  }
  const combinations = combinationsIn(words);
  for (const { category, weight } of combinations) add(scores, category, weight);
  const attacks = isContest(classes) ? noAttacks : stateAttacksIn(words, language);
  if (attacks.isAttack || attacks.isWar) add(scores, "conflict", ATTACK_WEIGHT);
  for (const { applies, category, weight } of corrections) if (applies(reading)) add(scores, category, weight);
  if ((saysNo(words) && !roles.has("harmless")) || endsAsDrill(words)) roles.add("denial");
  if (isQuestion || asks(words)) roles.add("form");
  if (isYearsOf(words) || namesPastYear(words)) roles.add("looks-back");
  if (isProductRecall(reading)) roles.delete("looks-back");
  const deaths = findings
    .filter((finding) => finding.classes.includes("death"))
    .map(({ at, length }) => ({ at, length }));
  const toll = roles.has("animal") ? 0 : tollIn(words, deaths);
  if (toll >= SEVERAL_DEAD) forgetArena(reading);
  return { words, findings, classes, roles, scores, combinations, attacks, toll };
}

/** Tests for matches, in which countries "hit" and "strike" each other without arms. */
function isContest(classes: ReadonlySet<ClassName>): boolean {
  return classes.has("sport") && !classes.has("death");
}

/** Weight of an attack by a state for the category conflict. It is that of an invasion. */
const ATTACK_WEIGHT = 9;

function add(scores: Map<ThreatCategory, number>, category: ThreatCategory, weight: number): void {
  scores.set(category, (scores.get(category) ?? 0) + weight);
}

function read(words: readonly Word[], table: PhraseTable<readonly ClassName[]>): Reading {
  const findings: Finding[] = [];
  const classes = new Set<ClassName>();
  const roles = new Set<Role>();
  const scores = new Map<ThreatCategory, number>();
  for (let at = 0; at < words.length; ) {
    const phrase = table.longestAt(words, at);
    if (phrase) {
      const named = phrase.values.length === 1 ? (phrase.values[0] ?? []) : [...new Set(phrase.values.flat())];
      findings.push({ classes: named, at, length: phrase.length });
      for (const name of named) {
        if (!isMeant(name, words, at, phrase.length)) continue;
        const { category, weight = 0, role }: WordClass = wordClasses[name];
        if (category && weight > 0) add(scores, category, classes.has(name) ? weight / 2 : weight);
        classes.add(name);
        if (role) roles.add(role);
      }
    }
    // After a phrase of denial, reading continues inside the phrase, because a denied topic is still the topic: "no
    // recession" is about the economy.
    at += phrase && !findings.at(-1)?.classes.includes("denial") ? phrase.length : 1;
  }
  return { words, findings, classes, roles, scores };
}

/** Tests whether the words at a position of the title are used in the sense of a class. */
function isMeant(name: ClassName, words: readonly Word[], at: number, length: number): boolean {
  // "WHO" is the organisation, "who" the question word.
  const isOrganisation = words[at]?.written === "WHO";
  if (name === "kind of text") return !isOrganisation && isKindOfText(words, at, length);
  if (name === "health" && words[at]?.folded === "who") return isOrganisation;
  if (name === "great storm") return !isStormed(words, at, length);
  return true;
}

const STORMERS = new Set(
  `commandos police troops soldiers forces protesters demonstrators crowd crowds fans militants gunmen fighters rebels
  officers delegates passengers`.split(/\s+/),
);

/** Tests for "storm" as a verb: commandos storm a ferry. */
function isStormed(words: readonly Word[], at: number, length: number): boolean {
  return length === 1 && words[at]?.folded === "storm" && STORMERS.has(words[at - 1]?.folded ?? "");
}

interface Correction {
  readonly applies: (reading: Reading) => boolean;
  readonly category: ThreatCategory;
  readonly weight: number;
}

const BROUGHT_DOWN: readonly ClassName[] = ["outage", "national outage", "tech trouble"];

/** Corrections of the category scores for certain combinations of classes and roles. */
const corrections: readonly Correction[] = [
  {
    // A title about an accident at a chemical plant is about the plant, not about a burning building.
    applies: ({ roles, classes }) => roles.has("chemical") && roles.has("accident") && classes.has("building fire"),
    category: "environmental",
    weight: 5,
  },
  {
    // A network attack stays a network attack, regardless of the systems that it brings down.
    applies: ({ classes }) => classes.has("cyber attack") && BROUGHT_DOWN.some((name) => classes.has(name)),
    category: "cyber",
    weight: 4,
  },
  // A title about a denied or rehearsed attack is about the denial or the rehearsal, not about a conflict.
  {
    applies: ({ roles, classes }) => roles.has("denial") && classes.has("mass weapon"),
    category: "conflict",
    weight: -3,
  },
  {
    applies: ({ roles, classes }) => roles.has("denial") && classes.has("invasion"),
    category: "conflict",
    weight: -7,
  },
];

/**
 * Subtracts the weight of arena classes. Called for a title with several deaths, in which a stage or stadium is only
 * the location.
 */
function forgetArena({ classes, scores }: Reading): void {
  for (const name of classes) {
    const { category, weight = 0, role }: WordClass = wordClasses[name];
    if (role === "arena" && category) add(scores, category, -weight);
  }
}

const GOODS: readonly ClassName[] = ["outbreak", "health", "care in trouble", "tech trouble", "gadget", "economy"];

/** Tests whether "recall" means a product recall and not a look back. */
function isProductRecall({ findings, words, classes }: Reading): boolean {
  const looking = findings.filter((finding) => finding.classes.includes("looking back"));
  return (
    looking.length > 0 &&
    looking.every(({ at, length }) => length === 1 && words[at]?.folded.startsWith("recall")) &&
    GOODS.some((name) => classes.has(name))
  );
}

/** Returns the category with the highest score; undefined if no score is above 0. */
export function leading(scores: ReadonlyMap<ThreatCategory, number>): ThreatCategory | undefined {
  let best: ThreatCategory | undefined;
  for (const category of threatCategories) {
    const score = scores.get(category) ?? 0;
    if (score > 0 && score > (best === undefined ? 0 : (scores.get(best) ?? 0))) best = category;
  }
  return best;
}

const tables = new Map<string, PhraseTable<readonly ClassName[]>>();

/** Returns the phrase table of a language, built once. A language without threat words uses the English table. */
function tableOf(language: string): PhraseTable<readonly ClassName[]> {
  const key = threatLanguages.has(language) ? language : "en";
  const cachedTable = tables.get(key);
  if (cachedTable) return cachedTable;
  const words = threatWords(key);
  const classesOf = new Map<string, ClassName[]>();
  for (const name of Object.keys(wordClasses) as ClassName[]) {
    for (const phrase of words[name] ?? []) {
      const classes = classesOf.get(phrase);
      if (classes === undefined) classesOf.set(phrase, [name]);
      else if (!classes.includes(name)) classes.push(name);
    }
  }
  const table = phraseTable<readonly ClassName[]>();
  for (const [phrase, classes] of classesOf)
    table.set(PLAIN.test(phrase) ? phrase.split(" ") : phrase.split(" ").flatMap(termsOf), classes);
  tables.set(key, table);
  return table;
}

const TERM_WORDS_MAX = 40;
/** Matches phrases that need no folding. Most phrases match. */
const PLAIN = /^[a-z0-9 #*]*$/;

/** Folds a term like the words of a title: in scripts without spaces, each character is a word. */
function termsOf(term: string): readonly string[] {
  if (term === NUMBER_TERM) return [term];
  if (term.endsWith("*")) return [`${folded(term.slice(0, -1))}*`];
  return wordsOf(term, TERM_WORDS_MAX).map((word) => word.folded);
}

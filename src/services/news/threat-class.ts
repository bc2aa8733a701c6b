import { type PhraseTable, phraseTable } from "../../kit/phrases.js";
import { type Word, wordsOf } from "../../kit/words.js";
import { tollIn } from "./death-toll.js";
import { type Combination, combinationsIn } from "./threat-combinations.js";
import {
  type ClassName,
  englishWords,
  type Role,
  spanishWords,
  type ThreatCategory,
  type ThreatLevel,
  threatCategories,
  threatLevels,
  type WordClass,
  type WordsByClass,
  wordClasses,
} from "./threat-words.js";
import { frenchWords, germanWords, portugueseWords } from "./threat-words-abroad.js";
import { newsroomWords } from "./threat-words-newsroom.js";

/** What a title is about and how bad it is, with what decided it. */
export interface ThreatClass {
  readonly level: ThreatLevel;
  readonly category: ThreatCategory;
  /** 0 to 1: how far the category is ahead of the next, and how much the title said at all. */
  readonly confidence: number;
  /** The rule that set the level, and the words that spoke for the category. */
  readonly reason: string;
}

/** A phrase of the tables, found. */
interface Finding {
  readonly classes: readonly ClassName[];
  readonly at: number;
  readonly length: number;
}

interface Evidence {
  readonly words: readonly Word[];
  readonly findings: readonly Finding[];
  readonly classes: ReadonlySet<ClassName>;
  readonly roles: ReadonlySet<Role>;
  readonly scores: ReadonlyMap<ThreatCategory, number>;
  readonly combinations: readonly Combination[];
  /** How many died, as far as the title says; 1 when it only says that somebody did, 0 when it says nothing. */
  readonly toll: number;
}

/** No headline is longer; what comes after is not read. */
const WORDS_MAX = 80;
/** Characters at the end of a title that are looked at for a question mark. */
const ENDING_READ = 200;
const MASS_WEAPON_DENIED = 3;
const [MANY_DEAD, SEVERAL_DEAD] = [100, 5];

/**
 * Level, category, confidence and reason of a headline, by the words of threat-words.ts and the rules of
 * test/labelled/README.md. The same title gives the same answer, whatever its white space and quotes are.
 */
export function classifyTitle(title: string, language = "en"): ThreatClass {
  const words = wordsOf(title, WORDS_MAX);
  const isQuestion = title.slice(-ENDING_READ).trimEnd().endsWith("?");
  const evidence = evidenceOf(words, isQuestion, tableOf(language.trim().slice(0, 2).toLowerCase()));
  const level = levelRules.find(({ applies }) => applies(evidence)) ?? restRule;
  const category = categoryOf(evidence, level.name);
  return {
    level: level.level(evidence),
    category,
    confidence: confidenceOf(evidence, category),
    reason: reasonOf(evidence, level.name, category),
  };
}

function evidenceOf(words: readonly Word[], isQuestion: boolean, table: PhraseTable<readonly ClassName[]>): Evidence {
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

interface LevelRule {
  readonly name: string;
  readonly applies: (evidence: Evidence) => boolean;
  readonly level: (evidence: Evidence) => ThreatLevel;
}

const always = (level: ThreatLevel) => (): ThreatLevel => level;

/** The first that applies decides. */
const levelRules: readonly LevelRule[] = [
  {
    name: "obituary",
    applies: ({ roles, toll }) => roles.has("obituary") && toll < SEVERAL_DEAD,
    level: always("info"),
  },
  { name: "looks back", applies: ({ roles }) => roles.has("looks-back") && !roles.has("court"), level: always("info") },
  { name: "kind of text", applies: ({ roles, toll }) => roles.has("form") && toll === 0, level: always("info") },
  { name: "figure of speech", applies: isFigurative, level: always("info") },
  {
    name: "harmless",
    applies: ({ roles, toll, scores }) => roles.has("harmless") && toll <= 1 && !roles.has("denial") && scores.size > 0,
    level: harmlessLevel,
  },
  { name: "denied or over", applies: isDenied, level: always("low") },
  { name: "court", applies: ({ roles }) => roles.has("court"), level: always("low") },
  {
    name: "a hundred dead",
    applies: ({ toll, classes }) => toll >= MANY_DEAD && !isLongPast(classes),
    level: always("critical"),
  },
  { name: "plant or warhead", applies: isPlantEmergency, level: always("critical") },
  { name: "pandemic", applies: ({ classes }) => classes.has("pandemic"), level: always("critical") },
  {
    name: "dead",
    applies: ({ toll, classes, roles }) =>
      toll >= SEVERAL_DEAD && !isLongPast(classes) && !(roles.has("orderly") && classes.has("pandemic")),
    level: always("high"),
  },
  {
    name: "killing",
    applies: ({ toll, scores, roles }) => toll > 0 && !roles.has("orderly") && isKilling(scores),
    level: atLeast("high"),
  },
  { name: "hazard strikes", applies: isHazardStriking, level: always("high") },
  { name: "national scale", applies: isNational, level: always("high") },
];

const restRule: LevelRule = { name: "words", applies: () => true, level: worstOf };

/** Words of the stage, the pitch and the home outweigh the alarming ones, and nobody is said to have died. */
function isFigurative({ roles, scores, toll, classes, words }: Evidence): boolean {
  if (toll > 1) return false;
  if (roles.has("figure")) return true;
  if (!roles.has("arena")) return false;
  const general = (scores.get("general") ?? 0) - (classes.has("politics") ? 2 : 0);
  const others = Math.max(0, ...[...scores].filter(([category]) => category !== "general").map(([, score]) => score));
  const isHard =
    roles.has("court") ||
    classes.has("terror attack") ||
    classes.has("crowd crush") ||
    classes.has("political crisis") ||
    classes.has("building fire") ||
    classes.has("transport accident") ||
    (classes.has("emergency") && words.some(({ folded }) => folded.startsWith("evacuat")));
  return !isHard && general > others;
}

/** Deaths in statistics and studies are none of today. */
function isLongPast(classes: ReadonlySet<ClassName>): boolean {
  return (
    classes.has("on record") &&
    !classes.has("emergency") &&
    !classes.has("terror attack") &&
    !classes.has("transport accident") &&
    !classes.has("outbreak") &&
    !classes.has("hazard") &&
    !classes.has("quake") &&
    !classes.has("great storm") &&
    !classes.has("fighting") &&
    !classes.has("mass shooting")
  );
}

/** A denial that goes with a new toll is a part of the news only. */
function isDenied({ roles, toll }: Evidence): boolean {
  return roles.has("denial") && toll < SEVERAL_DEAD;
}

function harmlessLevel(evidence: Evidence): ThreatLevel {
  return rank(worstOf(evidence)) >= rank("medium") || evidence.roles.has("struck") || evidence.roles.has("accident")
    ? "medium"
    : "low";
}

const rank = (level: ThreatLevel): number => threatLevels.indexOf(level);

/** Fire, blast or release at a chemical or nuclear plant, or with a warhead. */
function isPlantEmergency({ roles, classes, toll }: Evidence): boolean {
  if (roles.has("nuclear")) return roles.has("accident") && !classes.has("orderly");
  return (
    roles.has("chemical") &&
    roles.has("accident") &&
    (toll > 1 || !roles.has("orderly")) &&
    (classes.has("death") || classes.has("emergency") || !roles.has("animal"))
  );
}

const killing: readonly ThreatCategory[] = ["conflict", "terrorism", "disaster", "health", "protest"];

function isKilling(scores: ReadonlyMap<ThreatCategory, number>): boolean {
  const category = leading(scores);
  return category !== undefined && killing.includes(category);
}

function atLeast(least: ThreatLevel): (evidence: Evidence) => ThreatLevel {
  return (evidence) => {
    const worst = worstOf(evidence);
    return rank(worst) > rank(least) ? worst : least;
  };
}

function isHazardStriking({ classes, roles, words, findings }: Evidence): boolean {
  if (roles.has("orderly") && !roles.has("struck")) return false;
  if (classes.has("quake") && magnitudeIn(words) >= STRONG_MAGNITUDE) return true;
  if (!roles.has("struck")) return false;
  const great = findings.find((finding) => finding.classes.includes("great storm"));
  return great !== undefined && words[great.at]?.folded !== "storm";
}

const STRONG_MAGNITUDE = 6;

/** "magnitude 7.1", "7.1-magnitude", "6,8" in other languages. */
function magnitudeIn(words: readonly Word[]): number {
  const at = words.findIndex(
    ({ folded }) => folded.startsWith("magnitud") || folded === "starke" || folded === "richter",
  );
  if (at < 0) return decimalIn(words);
  for (let near = Math.max(0, at - 3); near <= at + 3; near += 1) {
    const whole = Number(words[near]?.folded);
    if (whole >= 3 && whole <= 9) return whole;
  }
  return 0;
}

/** "sismo de 7,1", "6.8 quake". */
function decimalIn(words: readonly Word[]): number {
  const at = words.findIndex(
    ({ folded }, place) =>
      /^[3-9]$/.test(folded) &&
      /^[.,]$/.test(words[place + 1]?.before ?? "") &&
      /^\d$/.test(words[place + 1]?.folded ?? ""),
  );
  return Number(words[at]?.folded ?? 0);
}

function isNational({ classes, roles, scores }: Evidence): boolean {
  if (classes.has("national outage")) return true;
  return classes.has("cyber attack") && roles.has("national") && roles.has("crippled") && leading(scores) === "cyber";
}

/** The worst level of the classes found; public business keeps it low unless a class stands firm. */
function worstOf({ classes, roles, words, scores, combinations }: Evidence): ThreatLevel {
  if (classes.has("gadget") && leading(scores) === "tech" && !roles.has("orderly") && !classes.has("tech trouble"))
    return "info";
  let worst: ThreatLevel = "info";
  for (const name of classes) {
    const { level = "info", firm, role }: WordClass = wordClasses[name];
    const isMild =
      !firm &&
      (roles.has("orderly") || (name === "strike" && !roles.has("worker")) || (name === "fall" && !isSteep(words))) &&
      rank(level) > rank("low");
    const counted = isMild ? "low" : role === "orderly" ? "low" : level;
    if (rank(counted) > rank(worst)) worst = counted;
  }
  const category = leading(scores);
  for (const { level, category: own } of combinations)
    if (own === category && rank(level) > rank(worst) && (level === "critical" || !roles.has("orderly"))) worst = level;
  return worst === "low" && roles.has("trouble") && !roles.has("orderly") ? "medium" : worst;
}

const STEEP_PERCENT = 5;

function isSteep(words: readonly Word[]): boolean {
  return words.some(({ folded }, at) => {
    const next = words[at + 1];
    const isPercent =
      next?.before.startsWith("%") ||
      next?.folded === "percent" ||
      (next?.folded === "per" && words[at + 2]?.folded === "cent");
    return isPercent && words[at]?.before !== "." && Number(folded) >= STEEP_PERCENT;
  });
}

function leading(scores: ReadonlyMap<ThreatCategory, number>): ThreatCategory | undefined {
  let best: ThreatCategory | undefined;
  for (const category of threatCategories) {
    const score = scores.get(category) ?? 0;
    if (score > 0 && score > (best === undefined ? 0 : (scores.get(best) ?? 0))) best = category;
  }
  return best;
}

function categoryOf({ scores, roles }: Evidence, rule: string): ThreatCategory {
  if (rule === "obituary") return "general";
  if (rule === "figure of speech" && !roles.has("figure")) return "general";
  return leading(scores) ?? "general";
}

function confidenceOf({ scores }: Evidence, category: ThreatCategory): number {
  const own = scores.get(category) ?? 0;
  const next = Math.max(0, ...[...scores].filter(([other]) => other !== category).map(([, score]) => score));
  if (own === 0) return 0.1;
  return Math.round(100 * (1 - Math.exp(-own / 5)) * (own / (own + next))) / 100;
}

function reasonOf({ findings, words, toll }: Evidence, rule: string, category: ThreatCategory): string {
  const spoken = findings.flatMap(({ classes, at, length }) => {
    const names = classes.filter((name) => {
      const { category: own, role }: WordClass = wordClasses[name];
      return own === category || role !== undefined;
    });
    const text = words
      .slice(at, at + length)
      .map(({ folded }) => folded)
      .join(" ");
    return names.length > 0 ? [`${names.join(" + ")} "${text}"`] : [];
  });
  return [rule, ...(toll > 1 ? [`toll ${toll}`] : []), ...spoken.slice(0, 8)].join("; ");
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

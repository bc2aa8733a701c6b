import type { Word } from "../../../../kit/words.js";
import { SEVERAL_DEAD } from "./death-toll.js";
import { type ThreatCategory, type ThreatLevel, threatLevels, type WordClass, wordClasses } from "./threat-classes.js";
import { type Evidence, leading } from "./threat-evidence.js";

const MANY_DEAD = 100;

export interface LevelRule {
  readonly name: string;
  readonly applies: (evidence: Evidence) => boolean;
  readonly level: (evidence: Evidence) => ThreatLevel;
}

const always = (level: ThreatLevel) => (): ThreatLevel => level;

/** Returns the first level rule that applies. */
export function levelRuleOf(evidence: Evidence): LevelRule {
  return levelRules.find(({ applies }) => applies(evidence)) ?? restRule;
}

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
    applies: (evidence) => evidence.toll >= MANY_DEAD && !isLongPast(evidence),
    level: always("critical"),
  },
  { name: "plant or warhead", applies: isPlantEmergency, level: always("critical") },
  { name: "outbreak of war", applies: ({ attacks }) => attacks.isWar, level: always("critical") },
  { name: "pandemic", applies: ({ classes }) => classes.has("pandemic"), level: always("critical") },
  {
    name: "dead",
    applies: (evidence) =>
      evidence.toll >= SEVERAL_DEAD &&
      !isLongPast(evidence) &&
      !(evidence.roles.has("orderly") && evidence.classes.has("pandemic")),
    level: always("high"),
  },
  {
    name: "killing",
    applies: (evidence) =>
      evidence.toll > 0 && !evidence.roles.has("orderly") && isKilling(evidence.scores) && !isLongPast(evidence),
    level: atLeast("high"),
  },
  { name: "attack by a state", applies: ({ attacks }) => attacks.isAttack, level: atLeast("high") },
  { name: "hazard strikes", applies: isHazardStriking, level: always("high") },
  { name: "national scale", applies: isNational, level: always("high") },
  { name: "blast", applies: ({ attacks }) => attacks.isBlast, level: atLeast("medium") },
];

const restRule: LevelRule = { name: "words", applies: () => true, level: worstOf };

/**
 * Tests whether alarming words are figures of speech. The title must report at most one death. It must also have a
 * phrase that is always figurative or, unless it has a denial, terms from stage, sport or home. These terms suffice in
 * the titles that `isPlayedWar` accepts. In other titles, they must weigh at least as much as the alarming words, and
 * they count for nothing beside hard news, such as a terror attack.
 */
function isFigurative({ roles, scores, toll, classes, words }: Evidence): boolean {
  if (toll > 1) return false;
  if (roles.has("figure")) return true;
  if (!roles.has("arena") || roles.has("denial")) return false;
  if (isPlayedWar(classes)) return true;
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
  return !isHard && general >= others;
}

/**
 * Tests for a "war" or "coup" in a title about home or sport that mentions no armed party: "Chefs declare war",
 * "toddler stages coup".
 */
function isPlayedWar(classes: Evidence["classes"]): boolean {
  const isAtHome = classes.has("home") || classes.has("sport");
  const isArmed = classes.has("armed forces") || classes.has("armed party") || classes.has("fighting");
  return isAtHome && !isArmed && (classes.has("invasion") || classes.has("coup"));
}

/** Tests for deaths that are not current, because the title reports statistics or a study. */
function isLongPast({ classes, roles, words }: Evidence): boolean {
  if (!classes.has("on record")) return false;
  if (roles.has("orderly") && words.some(({ folded }) => LONG_SPANS.has(folded))) return true;
  return (
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

const LONG_SPANS = new Set("decade decades century annual annually yearly".split(" "));

/** Tests for a denial. If the title also reports several deaths, the denial is only part of the news. */
function isDenied({ roles, toll }: Evidence): boolean {
  return roles.has("denial") && toll < SEVERAL_DEAD;
}

function harmlessLevel(evidence: Evidence): ThreatLevel {
  return rank(worstOf(evidence)) >= rank("medium") || evidence.roles.has("struck") || evidence.roles.has("accident")
    ? "medium"
    : "low";
}

const rank = (level: ThreatLevel): number => threatLevels.indexOf(level);

/** Tests for a fire, blast or release at a chemical or nuclear plant, or an accident with a warhead. */
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

/**
 * Reads the whole part of an earthquake magnitude: "magnitude 7.1", "7.1-magnitude", or "6,8" in other languages.
 * Returns 0 if there is none.
 */
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

/**
 * Reads the whole part of a magnitude with one decimal, as in "sismo de 7,1" or "6.8 quake". Returns 0 if there is
 * none.
 */
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
  const isWhole = classes.has("whole country");
  if (classes.has("national outage") || (classes.has("outage") && isWhole)) return true;
  const isCrippled = (roles.has("national") || isWhole) && roles.has("crippled");
  return classes.has("cyber attack") && isCrippled && leading(scores) === "cyber";
}

/**
 * Returns the highest level of the title's classes, and of its combinations in the leading category. In a title about
 * public business (words with the role `orderly`), the level of a class that is not `firm` is at most low, and only
 * critical combinations count. The level is also at most low for a strike in a title that mentions no workers, for a
 * fall that is not steep, and for a protest in a title about lawmaking. A title about gadgets is "info" if it mentions
 * neither public business nor trouble in technology. In other titles than those about public business, the word
 * "trouble" raises low to medium.
 */
function worstOf({ classes, roles, words, scores, combinations }: Evidence): ThreatLevel {
  if (classes.has("gadget") && leading(scores) === "tech" && !roles.has("orderly") && !classes.has("tech trouble"))
    return "info";
  let worst: ThreatLevel = "info";
  for (const name of classes) {
    const { level = "info", firm, role }: WordClass = wordClasses[name];
    const isMild =
      (!firm && roles.has("orderly")) ||
      (name === "strike" && !roles.has("worker")) ||
      (name === "fall" && !isSteep(words)) ||
      (name === "protest" && isLawmaking(words, combinations));
    const counted = role === "orderly" || (isMild && rank(level) > rank("low")) ? "low" : level;
    if (rank(counted) > rank(worst)) worst = counted;
  }
  const category = leading(scores);
  for (const { level, category: own } of combinations)
    if (own === category && rank(level) > rank(worst) && (level === "critical" || !roles.has("orderly"))) worst = level;
  return worst === "low" && roles.has("trouble") && !roles.has("orderly") ? "medium" : worst;
}

const PASSING = new Set("passes passed adopts approves votes backs debates signs".split(" "));
const LAWS = new Set("bill law act legislation".split(" "));

/** Tests for lawmaking: passing a law on demonstrations is not a demonstration. */
function isLawmaking(words: readonly Word[], combinations: Evidence["combinations"]): boolean {
  return (
    words.some(({ folded }) => PASSING.has(folded)) &&
    words.some(({ folded }) => LAWS.has(folded)) &&
    combinations.every(({ category }) => category !== "protest")
  );
}

const STEEP_PERCENT = 5;

function isSteep(words: readonly Word[]): boolean {
  return words.some(({ folded }, at) => {
    if (folded === "sharply" || folded === "steeply") return true;
    const next = words[at + 1];
    const isPercent =
      next?.before.startsWith("%") ||
      next?.folded === "percent" ||
      (next?.folded === "per" && words[at + 2]?.folded === "cent");
    return isPercent && words[at]?.before !== "." && words[at - 1]?.folded !== "to" && Number(folded) >= STEEP_PERCENT;
  });
}

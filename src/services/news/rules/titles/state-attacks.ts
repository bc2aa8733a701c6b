import { type CountryMention, countryMentionsIn } from "../../../../geography/country-mentions.js";
import type { Word } from "../../../../kit/words.js";
import {
  afterBlast,
  aimed,
  aircraft,
  attackWords,
  beforeBlast,
  blasts,
  conditions,
  fears,
  launched,
  launches,
  objectEnds,
  objects,
  otherSenses,
  parties,
  struckBy,
  warKinds,
  warRegions,
  weapons,
} from "./attack-words.js";

/** Facts about violence between states or armed parties that follow from the order of a title's words. */
export interface StateAttacks {
  /** "Israel strikes Gaza", "Houthis attack tanker": a state or an armed party attacks another. */
  readonly isAttack: boolean;
  /** "War breaks out between India and Pakistan". */
  readonly isWar: boolean;
  /** "Explosion rocks Tehran": a blast at a named place, whatever its cause. */
  readonly isBlast: boolean;
}

export const noAttacks: StateAttacks = { isAttack: false, isWar: false, isBlast: false };

/** Maximum numbers of words between attacker and verb, between verb and target, in the object, and after "with". */
const [GAP_MAX, MODIFIERS_MAX, OBJECT_MAX, WEAPON_WITHIN] = [4, 5, 9, 5];

/**
 * Finds attacks, outbreaks of war and blasts in the words of a title. The other words of the title can still show that
 * it reports a denial, a trial or an anniversary.
 */
export function stateAttacksIn(words: readonly Word[], language: string): StateAttacks {
  const terms = attackWords[language];
  if (
    terms === undefined ||
    !words.some(({ folded }) => terms.verbs.has(folded) || (language === "en" && isCue(folded)))
  )
    return noAttacks;
  const title = { words, terms, mentions: countryMentionsIn(words, language), language };
  return {
    isAttack: words.some((_, at) => isAttackAt(title, at)),
    isWar: language === "en" && words.some((_, at) => isWarAt(title, at)),
    isBlast: language === "en" && words.some((_, at) => isBlastAt(title, at)),
  };
}

/** Tests for the English words without which a title without a verb of attack has none of the facts. */
function isCue(word: string): boolean {
  return word === "war" || isDowning(word) || launches.has(word) || blasts.has(word);
}

const isDowning = (word: string): boolean => word === "downs" || /^(?:shoots?|shot)$/.test(word);

interface Title {
  readonly words: readonly Word[];
  readonly terms: (typeof attackWords)[string];
  readonly mentions: readonly CountryMention[];
  readonly language: string;
}

/** Tests for an attack whose verb is the word at `at`. */
function isAttackAt(title: Title, at: number): boolean {
  const { words, terms, language } = title;
  const verb = words[at]?.folded ?? "";
  const next = words[at + 1]?.folded ?? "";
  const isVerb = terms.verbs.has(verb);
  if (!isVerb && !(language === "en" && isCue(verb))) return false;
  const attacker = attackerBefore(title, at);
  if (attacker === undefined) return false;
  if (isVerb) {
    if (otherSenses.has(next) && !(verb.startsWith("str") && next === "back")) return false;
    if (language === "de" && verb.startsWith("greif") && !isPutOn(words, at)) return false;
    return !isHarmless(title, at + 1) && isTargetAt(title, at + 1, attacker);
  }
  if (launches.has(verb)) return isLaunchedAt(title, at + 1, attacker);
  if (verb === "downs") return isAircraftAfter(title, at + 1, attacker);
  return isDowning(verb) && next === "down" && isAircraftAfter(title, at + 2, attacker);
}

/** German separable verb: "greift Iran an". */
function isPutOn(words: readonly Word[], at: number): boolean {
  return words.slice(at + 1, at + OBJECT_MAX).some(({ folded }) => folded === "an");
}

/** The codes of the country whose forces act at a verb; empty for an armed party without a state. */
function attackerBefore({ words, terms, mentions }: Title, at: number): readonly string[] | undefined {
  for (let place = at; place > Math.max(0, at - GAP_MAX); place -= 1) {
    if (isBreak(words, place)) return undefined;
    const mention = mentions.find(({ end }) => end === place);
    const word = words[place - 1]?.folded ?? "";
    const isParty = parties.has(word);
    if (mention !== undefined || isParty) {
      const start = mention?.start ?? place - 1;
      return isConditional(words, start) ? undefined : (mention?.codes ?? []);
    }
    if (!terms.forces.has(word)) return undefined;
  }
  return undefined;
}

/** Tests for words that make an attack a condition or a fear: "if Israel strikes", "threat of US attack". */
function isConditional(words: readonly Word[], start: number): boolean {
  if (isBreak(words, start)) return false;
  const [earlier, before] = [words[start - 2]?.folded ?? "", words[start - 1]?.folded ?? ""];
  return conditions.has(before) || ((before === "of" || before === "against") && fears.has(earlier));
}

/** Tests whether a punctuation mark other than a hyphen or an apostrophe separates a word from the previous one. */
function isBreak(words: readonly Word[], at: number): boolean {
  return /[,;:–—!?]|\s-\s/u.test(words[at]?.before ?? "");
}

/** Tests whether the object that begins at a word shows that the title is about trade, sport or a quarrel. */
function isHarmless({ words, terms }: Title, from: number): boolean {
  for (let at = from; at < Math.min(words.length, from + OBJECT_MAX); at += 1) {
    const word = words[at]?.folded ?? "";
    if (isBreak(words, at) || objectEnds.has(word)) return false;
    if (terms.harmless.has(word)) return true;
    if (word === "with" && !isArmed(words, at + 1)) return true;
    if (isScore(words, at)) return true;
  }
  return false;
}

/** Tests for the result of a match: "3-0". */
function isScore(words: readonly Word[], at: number): boolean {
  const next = words[at + 1];
  return (
    /^\d{1,2}$/.test(words[at]?.folded ?? "") &&
    /^[-–]$/.test(next?.before ?? "") &&
    /^\d{1,2}$/.test(next?.folded ?? "")
  );
}

function isArmed(words: readonly Word[], at: number): boolean {
  return words.slice(at, at + WEAPON_WITHIN).some(({ folded }) => weapons.has(folded));
}

/** Tests whether the object that begins at a word is another country, a place there, an armed party or a target. */
function isTargetAt({ words, terms, mentions }: Title, from: number, attacker: readonly string[]): boolean {
  for (let at = from; at < Math.min(words.length, from + MODIFIERS_MAX); at += 1) {
    if (isBreak(words, at)) return false;
    const mention = mentions.find(({ start }) => start === at);
    if (mention !== undefined) return !mention.codes.some((code) => attacker.includes(code));
    const word = words[at]?.folded ?? "";
    if (parties.has(word)) return true;
    // "Hits" has too many senses to count without a country: "Norway hits ships with fees".
    if (objects.has(word) && !/^hits?$/.test(words[from - 1]?.folded ?? "")) return true;
    if (!terms.modifiers.has(word)) return false;
  }
  return false;
}

/** Tests for "launches attack on Israel", "fires missiles at Israel". */
function isLaunchedAt(title: Title, from: number, attacker: readonly string[]): boolean {
  const { words } = title;
  for (let at = from; at < Math.min(words.length, from + OBJECT_MAX); at += 1) {
    if (isBreak(words, at)) return false;
    const word = words[at]?.folded ?? "";
    if (word === "in" && struckBy.has(words[at - 1]?.folded ?? "")) return isTargetAt(title, at + 1, attacker);
    if (aimed.has(word) && at > from) return !isHarmless(title, at + 1) && isTargetAt(title, at + 1, attacker);
    if (!launched.has(word) && !/^\d/.test(word)) return false;
  }
  return false;
}

/** Tests for "shoots down Indian jet". A downed drone or balloon is an incident, not a battle. */
function isAircraftAfter({ words, mentions }: Title, from: number, attacker: readonly string[]): boolean {
  let isForeign = false;
  for (let at = from; at < Math.min(words.length, from + MODIFIERS_MAX); at += 1) {
    if (isBreak(words, at)) return false;
    const mention = mentions.find(({ start }) => start === at);
    if (mention !== undefined) isForeign ||= !mention.codes.some((code) => attacker.includes(code));
    if (isForeign && aircraft.has(words[at]?.folded ?? "")) return true;
  }
  return false;
}

/** Tests for "war breaks out" or "war erupts" at a word, between or in countries that the title names. */
function isWarAt({ words, mentions }: Title, at: number): boolean {
  const next = words[at + 1]?.folded ?? "";
  const isOut = next === "erupts" || (next === "breaks" && words[at + 2]?.folded === "out");
  if (words[at]?.folded !== "war" || !isOut) return false;
  const isOfStates =
    at === 0 ||
    isBreak(words, at) ||
    warKinds.has(words[at - 1]?.folded ?? "") ||
    mentions.some(({ end }) => end === at);
  if (!isOfStates) return false;
  const after = words.slice(at + 2, at + 2 + MODIFIERS_MAX);
  const isNamed = (from: number): boolean => mentions.some(({ start }) => start === from || start === from + 1);
  if (after.some(({ folded }) => folded === "among")) return false;
  const between = after.findIndex(({ folded }) => folded === "between");
  if (between >= 0) return isNamed(at + 3 + between);
  return (
    mentions.some(({ start }) => start > at && start < at + 2 + MODIFIERS_MAX) ||
    after.some(({ folded }) => warRegions.has(folded))
  );
}

/** Tests for a blast at a word, followed by a place that the title names. */
function isBlastAt({ words, mentions }: Title, at: number): boolean {
  if (!blasts.has(words[at]?.folded ?? "") || !afterBlast.has(words[at + 1]?.folded ?? "")) return false;
  if (at > 0 && !isBreak(words, at) && !beforeBlast.has(words[at - 1]?.folded ?? "")) return false;
  return mentions.some(({ start }) => start > at);
}

import { type CountryMention, countryMentionsIn } from "../../../../geography/country-mentions.js";
import { isPeople } from "../../../../geography/country-people.js";
import type { Word } from "../../../../kit/words.js";
import {
  agreements,
  aimed,
  aircraft,
  attackWords,
  atWar,
  beforeAgreements,
  beforeBlast,
  beforeVenues,
  beforeWeapons,
  blastIn,
  blastShakes,
  blasts,
  forceParts,
  launched,
  launchedWeapons,
  launches,
  launchesBase,
  objects,
  parties,
  quarrels,
  venues,
  weaponForces,
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

/** Maximum numbers of words of an attacker, before a target, between "launches" and "at", before a venue or weapon. */
const [ATTACKER_MAX, MODIFIERS_MAX, LAUNCHED_MAX, PHRASE_MAX, WEAPON_WITHIN] = [8, 5, 7, 3, 5];

/**
 * Finds attacks, outbreaks of war and blasts in the words of a title. A false alarm is worse than a missed one, so each
 * rule requires that the title, or its part after a colon, begins with the attacker, the war or the blast. The other
 * words of the title can still show that it reports a denial, a trial or an anniversary.
 */
export function stateAttacksIn(words: readonly Word[], language: string): StateAttacks {
  const terms = attackWords[language];
  const isEnglish = language === "en";
  if (terms === undefined || !words.some(({ folded }) => isVerb(folded, terms) || (isEnglish && isCue(folded))))
    return noAttacks;
  const title = { words, terms, mentions: countryMentionsIn(words, language), isEnglish };
  return {
    isAttack: words.some((_, at) => isAttackAt(title, at)),
    isWar: isEnglish && isWar(title),
    isBlast: isEnglish && isBlast(title),
  };
}

type Terms = (typeof attackWords)[string];

interface Title {
  readonly words: readonly Word[];
  readonly terms: Terms;
  readonly mentions: readonly CountryMention[];
  readonly isEnglish: boolean;
}

interface Attacker {
  /** The codes of the country whose forces act; empty for an armed party without a state. */
  readonly codes: readonly string[];
  readonly isParty: boolean;
  readonly hasForce: boolean;
  /** True for weapons and troops; "military attacks" may also be a statement. */
  readonly isArmed: boolean;
}

interface Target {
  readonly codes: readonly string[];
  readonly isParty: boolean;
  /** "targets", "airbase": an object that is attacked with arms only. */
  readonly isMilitary: boolean;
  readonly hasOwner: boolean;
  readonly end: number;
}

const isVerb = (word: string, { direct, vague, directBase, vagueBase }: Terms): boolean =>
  direct.has(word) || vague.has(word) || directBase.has(word) || vagueBase.has(word);

/** Tests for the English words without which a title without a verb of attack has none of the facts. */
const isCue = (word: string): boolean =>
  word === "war" || isDowning(word) || launches.has(word) || launchesBase.has(word) || blasts.has(word);

const isDowning = (word: string): boolean => word === "downs" || /^(?:shoots?|shot)$/.test(word);

const foldedAt = (words: readonly Word[], at: number): string => words[at]?.folded ?? "";

/** Tests for an attack whose verb is the word at `at`. */
function isAttackAt(title: Title, at: number): boolean {
  const { words, terms, isEnglish } = title;
  const verb = foldedAt(words, at);
  if (!isVerb(verb, terms) && !(isEnglish && isCue(verb))) return false;
  const attacker = attackerBefore(title, at);
  if (attacker === undefined || hasVenue(title, at)) return false;
  const isBase = terms.directBase.has(verb) || terms.vagueBase.has(verb) || launchesBase.has(verb);
  if (isBase && !attacker.hasForce && !attacker.isParty) return false;
  if (isVerb(verb, terms)) return isStruck(title, at, attacker);
  if (launches.has(verb) || launchesBase.has(verb)) return isLaunchedAt(title, at, attacker);
  if (verb === "downs") return isAircraftAfter(title, at + 1, attacker);
  return isDowning(verb) && foldedAt(words, at + 1) === "down" && isAircraftAfter(title, at + 2, attacker);
}

/**
 * Reads the words between the beginning of a clause and a verb as an attacker: a country's name ("Israel"), a party, or
 * a country with a force ("Israeli jets", "US forces"). Any other word makes it something else: "Slowdown in China".
 */
function attackerBefore({ words, terms, mentions, isEnglish }: Title, verbAt: number): Attacker | undefined {
  let at = verbAt;
  while (at > 0 && !isBreak(words, at)) at -= 1;
  if (verbAt - at > ATTACKER_MAX || (at > 0 && !words[at]?.before.includes(":"))) return undefined;
  while (terms.articles.has(foldedAt(words, at))) at += 1;
  let hasForce = !isEnglish && terms.troops.has(foldedAt(words, at));
  let isForceArmed = false;
  if (hasForce) at += 1;
  const mention = mentions.find(({ start }) => start === at);
  const isParty = parties.has(foldedAt(words, at));
  if (mention === undefined && !isParty) return undefined;
  const end = mention?.end ?? at + 1;
  const isPossessive = isPossessiveAt(words, end);
  const isOwner = isPossessive || (mention !== undefined && isAdjective(words, mention, isEnglish));
  for (let part = isPossessive ? end + 1 : end; part < verbAt; part += 1) {
    const word = foldedAt(words, part);
    const isAirRaid = word === "air" && part + 1 < verbAt && forceParts.has(foldedAt(words, part + 1));
    if (isEnglish && (weaponForces.has(word) || terms.troops.has(word) || isAirRaid)) {
      hasForce = true;
      isForceArmed ||= !isAirRaid && !offices.has(word);
    } else if (!isEnglish || !forceParts.has(word)) return undefined;
  }
  const isAlone = verbAt === end;
  if (!hasForce && !isParty && (isOwner || !isAlone || mention?.kind === "place" || mention?.kind === "state"))
    return undefined;
  return { codes: mention?.codes ?? [], isParty, hasForce, isArmed: isForceArmed };
}

const offices = new Set(["military", "army"]);

const isPossessiveAt = (words: readonly Word[], at: number): boolean =>
  foldedAt(words, at) === "s" && /^['’]$/.test(words[at]?.before ?? "");

function isAdjective(words: readonly Word[], { kind, start, end }: CountryMention, isEnglish: boolean): boolean {
  const text = words
    .slice(start, end)
    .map(({ folded }) => folded)
    .join(" ");
  return kind === "people" || (isEnglish && isPeople(text));
}

/** Tests whether a punctuation mark other than a hyphen or an apostrophe separates a word from the previous one. */
function isBreak(words: readonly Word[], at: number): boolean {
  return /[,;:–—!?|()]|\s-\s/u.test(words[at]?.before ?? "");
}

/** Tests for a venue of words, sport or fiction: "at UN", "in new Netflix thriller", "from terror list". */
function hasVenue({ words }: Title, verbAt: number): boolean {
  return words.some(({ folded }, at) => {
    if (!venues.has(folded)) return false;
    const isBefore = words.slice(Math.max(0, at - PHRASE_MAX), at).some((word) => beforeVenues.has(word.folded));
    return at < verbAt || isBefore;
  });
}

/** Tests the object and the evidence of a verb of attack. */
function isStruck(title: Title, verbAt: number, attacker: Attacker): boolean {
  const { words, terms } = title;
  const verb = foldedAt(words, verbAt);
  const isReply = foldedAt(words, verbAt + 1) === "back" && /^(?:at|against)$/.test(foldedAt(words, verbAt + 2));
  const target = targetAt(title, isReply ? verbAt + 3 : verbAt + 1, attacker);
  if (target === undefined) return false;
  if (verb.startsWith("greif") && !words.slice(target.end).some(({ folded }) => folded === "an")) return false;
  if (isUnarmed(words, target.end)) return false;
  if ((terms.direct.has(verb) || terms.directBase.has(verb)) && !isReply) return true;
  if (isQuarrel(words, verbAt + 1)) return false;
  const isRaid = verb.startsWith("raid");
  if (attacker.isArmed || areAtWar(attacker, target) || isArmed(words, target.end)) return true;
  return !isRaid && (attacker.isParty || target.isParty || (target.isMilitary && target.hasOwner));
}

/** Tests for "with" without a weapon: "hits China with tariffs". */
function isUnarmed(words: readonly Word[], from: number): boolean {
  return words.some(({ folded }, at) => at >= from && folded === "with" && !hasWeapon(words, at + 1));
}

const hasWeapon = (words: readonly Word[], from: number): boolean =>
  words.slice(from, from + WEAPON_WITHIN).some(({ folded }) => weapons.has(folded));

/** Tests for words about trade or a quarrel, and for agreements that are not the time of the attack. */
function isQuarrel(words: readonly Word[], from: number): boolean {
  let isPast = false;
  for (const { folded } of words.slice(from)) {
    isPast ||= beforeAgreements.has(folded);
    if (quarrels.has(folded) || (!isPast && agreements.has(folded))) return true;
  }
  return false;
}

function areAtWar({ codes }: Attacker, target: Target): boolean {
  return codes.some((code) => target.codes.some((other) => atWar.has([code, other].sort().join("-"))));
}

const VICTIMS = /^(?:\d+|at|dozens|hundreds|scores|several|people|civilians|two|three|four|five|six|seven|eight|nine)$/;

/** Tests for weapons or a toll after the object: "with drones", "killing 30". */
function isArmed(words: readonly Word[], from: number): boolean {
  return words.some(({ folded }, at) => {
    if (at < from) return false;
    if (beforeWeapons.has(folded)) return hasWeapon(words, at + 1);
    return /^(?:kill|wound|injur)(?:s|es|ing)$/.test(folded) && VICTIMS.test(foldedAt(words, at + 1));
  });
}

/**
 * Reads the object of a verb: another country, a place there, a party, or a military object. Returns undefined if the
 * country belongs to a longer object, such as "India trade deal" or "Chinese chipmakers".
 */
function targetAt(title: Title, from: number, attacker: Attacker): Target | undefined {
  const { words, terms, mentions, isEnglish } = title;
  let [codes, isParty, hasOwner, isOpen]: [readonly string[], boolean, boolean, boolean] = [[], false, false, false];
  for (let at = from; at < Math.min(words.length, from + MODIFIERS_MAX + 3); at += 1) {
    if (at > from && isBreak(words, at)) return undefined;
    const word = foldedAt(words, at);
    const mention = mentions.find(({ start }) => start === at);
    if (mention !== undefined || parties.has(word)) {
      if (mention?.codes.some((code) => attacker.codes.includes(code))) return undefined;
      isParty ||= mention === undefined;
      codes = [...codes, ...(mention?.codes ?? [])];
      hasOwner = true;
      const end = mention?.end ?? at + 1;
      const isPossessive = isPossessiveAt(words, end);
      isOpen = isPossessive || (mention !== undefined && isAdjective(words, mention, isEnglish));
      if (!isOpen && isEnd(title, end)) return { codes, isParty, isMilitary: false, hasOwner, end };
      at = isPossessive ? end : end - 1;
      continue;
    }
    const isObject = objects.has(word) || terms.targets.has(word);
    if (isObject && isEnd(title, at + 1)) {
      // Without an owner, only an attack with arms has such an object: "Norway hits ships with fees".
      const isOwned = hasOwner || (!isEnglish && ownerAfter(title, at + 1, attacker));
      const verb = foldedAt(words, from - 1);
      if (!isOwned && !attacker.isParty && !terms.direct.has(verb) && !terms.directBase.has(verb)) return undefined;
      // "Oil targets" and "climate targets" may be sanctions and goals.
      const isMilitary = terms.targets.has(word) && !goods.has(foldedAt(words, at - 1));
      return { codes, isParty, isMilitary, hasOwner: isOwned, end: at + 1 };
    }
    if (!isObject && !terms.modifiers.has(word) && !/^\d+$/.test(word)) return undefined;
  }
  return undefined;
}

const goods = new Set("oil fuel gas power energy cargo container commercial".split(" "));

/** Tests for the country after the object in other languages: "Ziele im Jemen". */
function ownerAfter({ words, terms, mentions }: Title, from: number, attacker: Attacker): boolean {
  let at = from;
  while (terms.modifiers.has(foldedAt(words, at))) at += 1;
  return mentions.some(({ start, codes }) => start === at && !codes.some((code) => attacker.codes.includes(code)));
}

/** Tests whether the object ends before a word: at the end of the clause, before a preposition or a second country. */
function isEnd({ words, terms, mentions }: Title, at: number): boolean {
  if (at >= words.length || isBreak(words, at)) return true;
  const word = foldedAt(words, at);
  if (word !== "and") return terms.followers.has(word) && !words[at]?.before.includes("-");
  const second = mentions.find(({ start }) => start === at + 1);
  const end = second?.end ?? 0;
  return (
    second !== undefined && (end >= words.length || isBreak(words, end) || terms.followers.has(foldedAt(words, end)))
  );
}

/** Tests for "fires missiles at Israel", "launches strikes in Yemen". */
function isLaunchedAt(title: Title, verbAt: number, attacker: Attacker): boolean {
  const { words } = title;
  const isFired = foldedAt(words, verbAt).startsWith("fire");
  let hasWeapons = false;
  for (let at = verbAt + 1; at <= Math.min(words.length - 1, verbAt + LAUNCHED_MAX); at += 1) {
    if (isBreak(words, at)) return false;
    const word = foldedAt(words, at);
    const isIn = word === "in" && /strikes$/.test(foldedAt(words, at - 1));
    if (isIn || (aimed.has(word) && at > verbAt + 1)) {
      const target = targetAt(title, at + 1, { ...attacker, hasForce: true });
      if (target === undefined || isQuarrel(words, at) || isUnarmed(words, target.end)) return false;
      const isKnown = attacker.hasForce || attacker.isParty || target.isParty || areAtWar(attacker, target);
      return hasWeapons || isKnown || isArmed(words, target.end);
    }
    const isMissileAttack = /^(?:missile|rocket|drone)$/.test(word) && launched.has(foldedAt(words, at + 1));
    hasWeapons ||= launchedWeapons.has(word) || isMissileAttack || (isFired && /^(?:missile|rocket)$/.test(word));
    if (!launched.has(word) && !/^\d/.test(word)) return false;
  }
  return false;
}

/** Tests for "shoots down Indian jet". A downed drone or balloon is an incident, not a battle. */
function isAircraftAfter(title: Title, from: number, attacker: Attacker): boolean {
  const { words, mentions } = title;
  let isForeign = false;
  for (let at = from; at < Math.min(words.length, from + MODIFIERS_MAX); at += 1) {
    if (isBreak(words, at)) return false;
    const mention = mentions.find(({ start }) => start === at);
    if (mention !== undefined) isForeign ||= !mention.codes.some((code) => attacker.codes.includes(code));
    if (isForeign && aircraft.has(foldedAt(words, at)) && isEnd(title, at + 1)) return true;
  }
  return false;
}

const WAR = /^(?:(?:(?:all out|full scale|open|new|nuclear|a) )*)war (?:breaks out|erupts) between$/;
const NEWS_MARK = /^(?:breaking|breaking news|live|urgent|just in)$/;
const WAR_WORDS_MAX = 8;

/** Tests for "War breaks out between" two countries at the beginning of the title. */
function isWar(title: Title): boolean {
  const { words, mentions } = title;
  const between = words.findIndex(({ folded }) => folded === "between");
  if (between < 0 || between > WAR_WORDS_MAX) return false;
  const start = words.findIndex((_, at) => at > 0 && at < between && isBreak(words, at));
  if (start > 0 && !NEWS_MARK.test(textOf(words.slice(0, start)))) return false;
  if (!WAR.test(textOf(words.slice(Math.max(0, start), between + 1)))) return false;
  const first = mentions.find((mention) => mention.start === between + 1 && !isAdjective(words, mention, true));
  if (first === undefined || foldedAt(words, first.end) !== "and") return false;
  const second = mentions.find((mention) => mention.start === first.end + 1 && !isAdjective(words, mention, true));
  if (second === undefined || !isEnd(title, second.end)) return false;
  return !hasVenue(title, 0) && !isQuarrel(words, second.end) && foldedAt(words, second.end) !== "over";
}

const textOf = (words: readonly Word[]): string => words.map(({ folded }) => folded).join(" ");

/**
 * Tests for a blast at the beginning of the title that shakes a place or happens in a town. "Explosion in Germany
 * electric car sales" and "Blasts in Germany: dispute" are none.
 */
function isBlast(title: Title): boolean {
  const { words, mentions, isEnglish } = title;
  const at = words.findIndex(({ folded }) => blasts.has(folded));
  if (at < 0 || words.slice(0, at).some(({ folded }) => !beforeBlast.has(folded))) return false;
  let place = at + 1;
  const isShaking = blastShakes.has(foldedAt(words, place));
  const isHitting = !isShaking && /^(?:hits?|heard|reported)$/.test(foldedAt(words, place));
  if (isShaking || isHitting) place += 1;
  const isIn = blastIn.has(foldedAt(words, place));
  if (isIn) place += 1;
  if (!isShaking && !isHitting && !isIn) return false;
  const mention = mentions.find(({ start }) => start === place);
  if (mention === undefined || isAdjective(words, mention, isEnglish)) return false;
  return (isShaking || mention.kind === "place") && isEnd(title, mention.end);
}

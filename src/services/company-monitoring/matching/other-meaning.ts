import type { Word } from "../../../kit/words.js";
import {
  articles,
  beforeCompany,
  businessNouns,
  companyNouns,
  comparedWith,
  comparisons,
  familyNames,
  firstNames,
  formerRoles,
  functionWords,
  inBefore,
  indexPrepositions,
  indexVerbs,
  leavings,
  legalForms,
  likenings,
  nameParticles,
  ordinaryWords,
  otherMeanings,
  otherOrganisations,
  personalTitles,
  persons,
  placeNouns,
  placePrepositions,
  platforms,
  sharedNames,
  sourceVerbs,
  sportsGrounds,
  stockIndexes,
  venues,
} from "./company-words.js";
import { isNamesake } from "./namesake.js";
import { nationalities, placeNames, regions } from "./place-names.js";
import type { Mention, ReadTitle } from "./read-title.js";
import { isCapital } from "./title-capitals.js";

/** Returns the words directly beside a mention, separated only by a space. */
export function neighbours(
  { words }: ReadTitle,
  { at, length }: Mention,
): { before: Word | undefined; after: Word | undefined } {
  const isBeside = (word: Word | undefined): boolean => word?.before === " ";
  return {
    before: at > 0 && isBeside(words[at]) ? words[at - 1] : undefined,
    after: isBeside(words[at + length]) ? words[at + length] : undefined,
  };
}

/**
 * Tests whether a name means another organisation, a person, a place, a phrase, or a publisher that is named as the
 * source.
 */
export function isSomethingElse(title: ReadTitle, mention: Mention): boolean {
  const { words } = title;
  const { at, length, form } = mention;
  return (
    isInOtherName(title, mention) ||
    isNamesake(title, mention) ||
    isPerson(title, mention) ||
    isPlace(title, mention) ||
    isComparison(title, mention) ||
    isInPhrase(words, at, length) ||
    isPartOfCompound(title, mention) ||
    isStockIndex(words, at, length) ||
    (form.isPublisher && isSource(title, mention))
  );
}

/**
 * Tests whether the words beside a name make it part of the name of another organisation, a place, a venue or a
 * contest.
 */
function isInOtherName(title: ReadTitle, mention: Mention): boolean {
  if (mention.form.ambiguity !== "none" && (endsOtherName(title, mention) || beginsOtherName(title, mention)))
    return true;
  const { words, capitals } = title;
  const { at, length, form, companyWords } = mention;
  const { after } = neighbours(title, mention);
  const isOneWord = form.words.length === 1;
  // "Mercedes-Benz Stadium"
  const isHyphened = words[at + length]?.before === "-" && isCapital(words[at + length]?.written ?? "");
  const next = isHyphened && words[at + length + 1]?.before === " " ? words[at + length + 1] : after;
  if (next === undefined || companyWords.has(next.folded)) return false;
  const isName = capitals === "none" || isCapital(next.written);
  if (isName && sportsGrounds.has(next.folded)) return true;
  // "M&S Bank Arena"
  const far = after && words[at + length + 1];
  if (isName && far?.before === " " && isCapital(far.written) && sportsGrounds.has(far.folded)) return true;
  if (isName && venues.has(next.folded) && capitals === "names") return true;
  if (after === undefined) return false;
  if (placeNouns.has(after.folded)) return true;
  if (isName && otherOrganisations.has(after.folded) && (isOneWord || form.ambiguity !== "none")) return true;
  if (isName && isOneWord && capitals === "names" && businessNouns.has(after.folded)) return true;
  // "Vale do Paraíba", "Bank of Ireland"
  const beyond = words[at + length + 1];
  const isLonger = /^(?:of|do|da|dos|das|di|del|della|du|de)$/.test(after.folded) && isCapital(beyond?.written ?? "");
  return isLonger && form.ambiguity !== "none" && capitals !== "none";
}

/** Tests whether a name is the end of a longer one: "State of Origin". */
function endsOtherName({ words, capitals }: ReadTitle, { at }: Mention): boolean {
  if (capitals !== "names" || words[at - 1]?.folded !== "of" || !isCapital(words[at - 2]?.written ?? "a")) return false;
  return ![at - 2, at - 3].some((start) => start >= 0 && beforeCompany.longestAt(words, start) !== undefined);
}

/** Tests whether an ambiguous name is the start of a longer one: "Compass Pathways". */
function beginsOtherName(title: ReadTitle, mention: Mention): boolean {
  const { after } = neighbours(title, mention);
  if (title.capitals !== "names" || title.isForeign || after === undefined) return false;
  if (legalForms.longestAt(title.words, mention.at + mention.length) !== undefined) return false;
  return /^\p{Lu}\p{Ll}/u.test(after.written) && !mention.companyWords.has(after.folded) && !isBesideName(after);
}

/**
 * Tests whether a capitalised word may follow a company's name without being part of it: a nationality, a place, or a
 * noun such as "Plants".
 */
function isBesideName({ folded }: Word): boolean {
  return nationalities.has(folded) || placeNames.has(folded) || companyNouns.has(folded);
}

/** Tests whether the word before a name describes it, rather than being part of it: "German Bosch", "Carmaker Ford". */
function isDescription({ words, capitals }: ReadTitle, { at }: Mention): boolean {
  const { folded = "", written = "" } = words[at - 1] ?? {};
  if (capitals !== "names" || written === written.toUpperCase()) return true;
  if (functionWords.has(folded) || nationalities.has(folded) || ordinaryWords.has(folded)) return true;
  return [at - 1, at - 2, at - 3].some((start) => {
    const lead = start >= 0 ? beforeCompany.longestAt(words, start) : undefined;
    return lead !== undefined && start + lead.length === at;
  });
}

function isPerson(title: ReadTitle, mention: Mention): boolean {
  const { capitals } = title;
  const { form, companyWords } = mention;
  if (form.words.length !== 1) return false;
  const { before, after } = neighbours(title, mention);
  const { words } = title;
  // "Dr. Abbott"
  const far = words[mention.at - 1];
  if (words[mention.at]?.before === ". " && far && personalTitles.has(far.folded)) return true;
  const isNamed = form.ambiguity === "family" || form.ambiguity === "shared";
  // In other languages, the capitalised word before a name may be any noun, so it does not indicate a person.
  const canBeFamily = isNamed || (form.ambiguity === "none" && !form.isAbbreviation && !title.isForeign);
  const isName = (word: Word | undefined): word is Word =>
    word !== undefined && (capitals === "none" || isCapital(word.written));
  if (isName(before)) {
    if (firstNames.has(before.folded) && !companyWords.has(before.folded)) return true;
    if (personalTitles.has(before.folded)) return true;
    if (nameParticles.has(before.folded) && !companyWords.has(before.folded) && isCapital(before.written)) return true;
    if (canBeFamily && !isDescription(title, mention) && !companyWords.has(before.folded)) return true;
  }
  const isFirstName = firstNames.has(form.words[0]?.folded ?? "");
  if (!isName(after) || capitals !== "names" || companyWords.has(after.folded)) return false;
  return isFirstName || (isNamed && (familyNames.has(after.folded) || sharedNames.has(after.folded)));
}

/** Tests for a place: "Hershey, Pennsylvania", and "in Argos" if nothing indicates that a company is meant. */
function isPlace(title: ReadTitle, mention: Mention): boolean {
  const { words } = title;
  const { at, length, form } = mention;
  if (form.isAbbreviation || (form.words.length > 1 && form.ambiguity === "none")) return false;
  if (words[at + length]?.before === ", " && regions.longestAt(words, at + length) !== undefined) return true;
  if (form.ambiguity !== "none" && isBetweenPlaces(words, at, length)) return true;
  if (form.words.length > 1) return false;
  const { before, after } = neighbours(title, mention);
  // "at the Etihad" is a stadium.
  const isAtThe = before?.folded === "the" && words[at - 2]?.folded === "at" && !companyNouns.has(after?.folded ?? "");
  if (isAtThe) return true;
  if (before === undefined || !placePrepositions.has(before.folded)) return false;
  const isHeld = inBefore.has(words[at - 2]?.folded ?? "");
  const isOwner = /^['’]$/.test(words[at + length]?.before ?? "");
  const isFree = form.ambiguity === "none" ? after === undefined : !companyNouns.has(after?.folded ?? "");
  return !isHeld && !isOwner && isFree;
}

/** Tests for the start or end of a route: "from Halifax to Nanaimo". */
function isBetweenPlaces(words: readonly Word[], at: number, length: number): boolean {
  const [to, other] = [words[at + length], words[at + length + 1]];
  const isFrom = words[at - 1]?.folded === "from" && to?.folded === "to" && isCapital(other?.written ?? "a");
  return (
    isFrom ||
    (words[at - 1]?.folded === "to" && words[at - 3]?.folded === "from" && isCapital(words[at - 2]?.written ?? "a"))
  );
}

/** Tests whether a name refers to a stock index: "Dow sheds 800 points". */
function isStockIndex(words: readonly Word[], at: number, length: number): boolean {
  const name = words.slice(at, at + length).map(({ folded }) => folded);
  if (!stockIndexes.has(name.join(" "))) return false;
  const [before, after] = [words[at - 1], words[at + length]];
  return (
    after === undefined ||
    indexVerbs.has(after.folded) ||
    (before !== undefined && indexPrepositions.has(before.folded))
  );
}

/** Tests whether a name is part of a phrase with another meaning, such as "Amazon rainforest". */
function isInPhrase(words: readonly Word[], at: number, length: number): boolean {
  return [at, at - 1, at - 2].some((start) => {
    const phrase = start >= 0 ? otherMeanings.longestAt(words, start) : undefined;
    return phrase !== undefined && start + phrase.length >= at + length;
  });
}

/** Tests whether a name is in a compound or used as a common noun: "Uber-style", "Oculus-Marathon", "a Target". */
function isPartOfCompound({ words, capitals }: ReadTitle, { at, length, form, companyWords }: Mention): boolean {
  const after = words[at + length];
  // "Yum yum"
  if (form.words.length === 1 && after?.folded === words[at]?.folded) return true;
  if (after?.before === "-" && (comparedWith.has(after.folded) || /^[a-z]+ing$/.test(after.written))) return true;
  // "to out-Amazon the shops"
  if (words[at]?.before === "-" && words[at - 1]?.written === "out") return true;
  // "Mainz 05"
  if (after?.before === " " && /^0\d$/.test(after.written)) return true;
  // "900 BCE"
  const isMeasured = words[at]?.before === " " && /^\d+$/.test(words[at - 1]?.written ?? "");
  if (form.isAbbreviation && isMeasured && after?.before !== " ") return true;
  if (form.ambiguity === "none") return false;
  // "The Crown returns"
  const isDefinite = words[at - 1]?.folded === "the" && form.words.length === 1;
  if (isDefinite && !companyNouns.has(after?.folded ?? "") && !isCapital(after?.written ?? "")) return true;
  // "Omega 3"
  if (after?.before === " " && /^\d{1,2}$/.test(after.written) && words[at + length + 1]?.before !== "%") return true;
  const before = words[at - 1];
  if (before === undefined) return false;
  if (words[at]?.before === "-") return !companyWords.has(before.folded);
  return capitals !== "names" && words[at]?.before === " " && articles.has(before.folded);
}

/** Tests whether a name is used for something else: "the Uber for dogs", "ex-Google", "on YouTube". */
function isComparison({ words }: ReadTitle, { at, length, form }: Mention): boolean {
  const before = words[at - 1]?.folded;
  const after = words[at + length];
  if (before === "the" && (after?.folded === "of" || after?.folded === "for") && after.before === " ") return true;
  if (isLikened(words, at, length)) return true;
  if (platforms.has(form.words.map(({ folded }) => folded).join(" "))) {
    if (before === "on" || before === "via") return true;
    // "on Instagram and WhatsApp"
    const [first, preposition] = [words[at - 2]?.folded ?? "", words[at - 3]?.folded ?? ""];
    if (before === "and" && platforms.has(first) && (preposition === "on" || preposition === "via")) return true;
  }
  return [at - 1, at - 2, at - 3, at - 4].some((start) => {
    const lead = start >= 0 ? comparisons.longestAt(words, start) : undefined;
    return lead !== undefined && start + lead.length === at;
  });
}

/**
 * Tests whether a name stands for something similar to the company, or for a former employer: "An Etsy for churches",
 * "'Reddit for farmers'", "China's Tesla?", "Ford veteran", "once a Tesco cashier", "pitches Chewy for cattle"
 */
function isLikened(words: readonly Word[], at: number, length: number): boolean {
  const [article, first] = [words[at - 1]?.folded ?? "", words[at - 2]?.folded ?? ""];
  const after = words[at + length];
  const isDirect = after?.before === " ";
  if (isDirect && formerRoles.has(after.folded)) return true;
  // "She quit Tesco to herd goats"
  const isLeft = leavings.has(article) && persons.has(first);
  if (isLeft && isDirect && (after.folded === "to" || after.folded === "for")) return true;
  const isOne = article === "a" || article === "an";
  if (isOne && (first === "once" || first === "as")) return true;
  const isQuoted = /["'‘“]$/.test(words[at]?.before ?? "") && words[at - 1]?.folded !== after?.folded;
  const isPurpose =
    isDirect && (after.folded === "for" || after.folded === "of") && !isCapital(words[at + length + 1]?.written ?? "A");
  // "wants to be Chewy for cattle"
  const isBecome = likenings.has(article);
  if (isPurpose && (isOne || at === 0 || isQuoted || isBecome)) return true;
  // "China's Tesla" at the end of the title or before a question mark.
  const isOwned = article === "s" && /^['’]$/.test(words[at - 1]?.before ?? "") && placeNames.has(first);
  return isOwned && (after === undefined || after.before.startsWith("?"));
}

/** Tests whether a publisher is named as the source: "…, Bloomberg reports", "Reuters: …", "tells CNN". */
function isSource({ words }: ReadTitle, { at, length }: Mention): boolean {
  const after = words[at + length];
  const isDefinite = words[at - 1]?.folded === "the";
  const before = words[isDefinite ? at - 2 : at - 1]?.folded;
  if (before !== undefined && ["to", "via", "tells", "told", "by", "in"].includes(before) && after === undefined)
    return true;
  if (at === 0 && after?.before.startsWith(":")) return true;
  return after !== undefined && sourceVerbs.has(after.folded) && (at > 0 || after.folded === "poll");
}

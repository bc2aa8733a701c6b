import type { Word } from "../../../kit/words.js";
import {
  beforePlace,
  bodyKinds,
  disasterKinds,
  enumerations,
  firstNames,
  imitations,
  kinship,
  kinshipCompanies,
  memorials,
  namedOf,
  namings,
  nounBeforeOf,
  personEvents,
  units,
  vesselKinds,
} from "./company-words.js";
import { placeNames } from "./place-names.js";
import type { Mention, ReadTitle } from "./read-title.js";
import { isCapital } from "./title-capitals.js";

/** Maximum number of words on each side of a name that are tested as parts of a longer place name. */
const PLACE_BESIDE_MAX = 2;

/**
 * Tests whether a name means something else instead of the company: a ship, a storm, a unit, a person, a relative, a
 * monument, a longer name of a place, a model that others imitate, an ordinary noun, another organisation with the same
 * acronym or with another legal form, or a part of a Chinese phrase.
 */
export function isNamesake(title: ReadTitle, mention: Mention): boolean {
  return (
    isVesselOrStorm(title, mention) ||
    isUnit(title, mention) ||
    isPersonOfName(title, mention) ||
    isRelative(title, mention) ||
    isInListOfPersons(title, mention) ||
    isInPlaceName(title, mention) ||
    isHyphenedName(title, mention) ||
    isPlaceOrModel(title, mention) ||
    isAged(title, mention) ||
    isNounOf(title, mention) ||
    isEnumerated(title, mention) ||
    isGivenName(title, mention) ||
    isBodyOfKind(title, mention) ||
    isOtherLegalForm(title, mention) ||
    isInHanPhrase(title, mention)
  );
}

/** Tests for a ship or a storm: "Royal Yacht Britannia", "Hurricane Sandy". */
function isVesselOrStorm({ words }: ReadTitle, { at, companyWords }: Mention): boolean {
  const before = words[at - 1];
  if (before === undefined || words[at]?.before !== " " || companyWords.has(before.folded)) return false;
  // "Sellers storm Pinduoduo office" is not about a storm, so the word for a disaster must be capitalised.
  return vesselKinds.has(before.folded) || (disasterKinds.has(before.folded) && isCapital(before.written));
}

/** Tests for a unit: "2 degrees Celsius", "1.5 Celsius". */
function isUnit({ words }: ReadTitle, { at, length }: Mention): boolean {
  const [own, before] = [words[at], words[at - 1]];
  if (length > 1 || before === undefined || own?.before !== " ") return false;
  return /^degrees?$/.test(before.folded) || (units.has(own.folded) && /^\d+$/.test(before.written));
}

/** Tests for a person, by the word after the name: "Samuel Adams statue", "Abbott dies". */
function isPersonOfName({ words }: ReadTitle, { at, length, form, companyWords }: Mention): boolean {
  const isFullName = form.words.length > 1 && firstNames.has(form.words[0]?.folded ?? "");
  if (form.ambiguity === "none" && !isFullName) return false;
  const after = words[at + length];
  if (after?.before !== " " || companyWords.has(after.folded)) return false;
  return memorials.has(after.folded) || personEvents.has(after.folded);
}

/** Tests for a relative: "Dick's brother", but not "Ford's sister brand". */
function isRelative({ words }: ReadTitle, { at, length, form }: Mention): boolean {
  const after = words[at + length];
  const isOwner = after?.folded === "s" && /^['’]$/.test(after.before);
  if (!isOwner && form.words.at(-1)?.folded !== "s") return false;
  const start = at + length + (isOwner ? 1 : 0);
  return kinship.has(words[start]?.folded ?? "") && !kinshipCompanies.has(words[start + 1]?.folded ?? "");
}

/** Tests for a surname beside a full name: "Lamar Jackson and Jacobs", "Jacobs and Lamar Jackson". */
function isInListOfPersons({ words, capitals }: ReadTitle, { at, length, form }: Mention): boolean {
  if (capitals !== "names" || form.words.length > 1 || form.ambiguity === "none" || form.ambiguity === "ordinary") {
    return false;
  }
  const isFullName = (first: Word | undefined, last: Word | undefined): boolean =>
    first !== undefined &&
    last?.before === " " &&
    firstNames.has(first.folded) &&
    isCapital(first.written) &&
    isCapital(last.written);
  const isBefore = words[at - 1]?.folded === "and" && isFullName(words[at - 3], words[at - 2]);
  const isAfter = words[at + length]?.folded === "and" && isFullName(words[at + length + 1], words[at + length + 2]);
  return isBefore || isAfter;
}

/** Tests for a longer place name: "British Columbia", "Burlington Township". */
function isInPlaceName({ words, capitals }: ReadTitle, { at, length, companyWords }: Mention): boolean {
  if (capitals === "none") return false;
  for (let start = Math.max(0, at - PLACE_BESIDE_MAX); start <= at; start += 1) {
    for (let end = at + length; end <= Math.min(words.length, at + length + PLACE_BESIDE_MAX); end += 1) {
      if (end - start <= length) continue;
      const name = words.slice(start, end);
      const others = name.filter((_, index) => start + index < at || start + index >= at + length);
      if (!others.every(({ folded, written }) => isCapital(written) && !companyWords.has(folded))) continue;
      if (!name.slice(1).every(({ before }) => before === " ")) continue;
      if (placeNames.has(name.map(({ folded }) => folded).join(" "))) return true;
    }
  }
  return false;
}

/**
 * Tests for a longer name with a hyphen: "Hydro-Québec", but not "Pandora-Aktie" in a language that joins nouns with
 * hyphens.
 */
function isHyphenedName({ words, isForeign }: ReadTitle, { at, length, form, companyWords }: Mention): boolean {
  const after = words[at + length];
  if (after?.before !== "-" || !isCapital(after.written) || companyWords.has(after.folded)) return false;
  if (placeNames.has(after.folded)) return true;
  return form.ambiguity !== "none" && !isForeign && /^\p{Lu}\p{Ll}/u.test(after.written);
}

/** Tests for a list of ordinary words: "Orange, lemon or lime?" */
function isEnumerated({ words, capitals }: ReadTitle, { at, length, form }: Mention): boolean {
  if (capitals !== "names" || length > 1 || form.isAbbreviation) return false;
  const [second, conjunction, third] = words.slice(at + 1, at + 4);
  if (second?.before !== ", " || conjunction === undefined || third === undefined) return false;
  const isPlain = (word: Word): boolean => /^\p{Ll}+$/u.test(word.written);
  if (!isPlain(second) || !isPlain(third) || conjunction.before !== " " || third.before !== " ") return false;
  const isAlternative = enumerations.has(conjunction.folded);
  return isAlternative || (form.ambiguity === "ordinary" && conjunction.folded === "and");
}

/** Tests for a place or a model that others imitate: "Town of Albemarle", "downtown Albemarle", "an Etsy clone". */
function isPlaceOrModel({ words }: ReadTitle, { at, length, form }: Mention): boolean {
  const [before, after] = [words[at - 1], words[at + length]];
  if (after?.before === " " && imitations.has(after.folded)) return true;
  if (length > 1 || form.isAbbreviation || before === undefined || words[at]?.before !== " ") return false;
  return beforePlace.has(before.folded) || (before.folded === "of" && namedOf.has(words[at - 2]?.folded ?? ""));
}

/** Tests for a person with an age: "Jacobs, 34, wins gold". */
function isAged({ words }: ReadTitle, { at, length, form }: Mention): boolean {
  const [age, next] = [words[at + length], words[at + length + 1]];
  if (form.ambiguity === "none" || age?.before !== ", " || !/^\d{1,2}$/.test(age.written)) return false;
  return next === undefined || next.before === ", ";
}

/** Tests for an ordinary noun before "of": "New discovery of an ancient tomb". */
function isNounOf({ words }: ReadTitle, { at, length, form }: Mention): boolean {
  if (form.ambiguity !== "ordinary" || length > 1 || words[at + 1]?.folded !== "of") return false;
  return at === 0 || nounBeforeOf.has(words[at - 1]?.folded ?? "");
}

/** Tests for a given name: "Bear cub named Indigo". */
function isGivenName({ words }: ReadTitle, { at, length }: Mention): boolean {
  const after = words[at + length];
  return length === 1 && namings.has(words[at - 1]?.folded ?? "") && (after === undefined || after.before === " ");
}

/** Tests for the acronym of another organisation: "Teachers' union TUI", "Denver airport DIA". */
function isBodyOfKind({ words }: ReadTitle, { at, form }: Mention): boolean {
  const before = words[at - 1];
  return form.isAbbreviation && words[at]?.before === " " && bodyKinds.has(before?.folded ?? "");
}

/** Tests for the legal form of another company: "Metro AG" if the company is "Metro Inc." */
function isOtherLegalForm({ words }: ReadTitle, { at, length, companyWords }: Mention): boolean {
  const written = words[at + length];
  if (written === undefined || !/^,? $/.test(written.before) || !isCapital(written.written)) return false;
  const families = legalFamilies.filter((forms) => forms.some((form) => companyWords.has(form)));
  return (
    families.length > 0 && !families.flat().includes(written.folded) && legalFamilies.flat().includes(written.folded)
  );
}

/** Legal forms in groups that do not mix: a company has forms from one group only. */
const legalFamilies: readonly (readonly string[])[] = [
  ["inc", "incorporated", "corp", "corporation", "llc"],
  ["plc"],
  ["ag", "gmbh", "kgaa"],
  ["spa"],
  ["nv", "bv"],
  ["ab"],
  ["asa"],
  ["oyj", "oy", "abp"],
];

const HAN = /^\p{Script=Han}$/u;
/** Chinese words of one character that precede a name, such as those for "to", "with", "sue" and "invest in". */
const hanParticles: ReadonlySet<string> = new Set([..."对對与與和向给給诉訴投被向将將在从從由"]);

/**
 * Tests for a name of at most two Chinese characters directly after another Chinese character that is not one of
 * `hanParticles`. There, the characters of the name may be part of other words.
 */
function isInHanPhrase({ words }: ReadTitle, { at, length }: Mention): boolean {
  const before = words[at - 1];
  if (length > 2 || words[at]?.before !== "" || before === undefined) return false;
  const isHan = words.slice(at - 1, at + length).every(({ written }) => HAN.test(written));
  return isHan && !hanParticles.has(before.written);
}

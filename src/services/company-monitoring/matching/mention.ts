import type { Word } from "../../../kit/words.js";
import {
  accentedWords,
  afterCompany,
  assets,
  beforeCompany,
  businessWords,
  companyNouns,
  distinctiveNames,
  foreignBusiness,
  functionWords,
  koreanBusiness,
  legalForms,
  otherFields,
  otherLanguages,
  personVerbs,
  thingVerbs,
} from "./company-words.js";
import type { NameForm } from "./name-forms.js";
import { isSomethingElse, neighbours } from "./other-meaning.js";
import type { Mention, ReadTitle } from "./read-title.js";
import { isCapital } from "./title-capitals.js";

/** Confidence of an attribution, by the way in which the company is named. The floor for publication is 0.9. */
const ATTRIBUTION = { legal: 0.98, words: 0.97, word: 0.95, context: 0.92, doubtful: 0.6 } as const;
/** A word of a name's context must start at most this many words before or after the name. */
const REACH = 2;
/** Weight of the context that a name needs if its spelling or position is doubtful. */
const CONTEXT_MIN = { unsure: 0.5, short: 1, respelled: 1.5, listed: 0.5 } as const;
/**
 * Evidence needed by a name, depending on its other meaning. `none`: a single word that is not known to be distinctive.
 * `beginning`: such a word before another capitalised word. `plural`: an ordinary word in the plural, or without the
 * capitals that the company uses.
 */
const EVIDENCE_MIN = { none: 1, beginning: 2, ordinary: 1.5, plural: 2, family: 1.5, shared: 2.5 } as const;
/** Maximum evidence that a title's event adds to the context of a name. */
const EVENT_EVIDENCE_MAX = 1;
/**
 * The evidence that a capital inside a title adds. `ordinary`: for a name that is also a common word. `none`: for any
 * other single word.
 */
const INSIDE = { ordinary: 1, none: 0.5 } as const;

/** Tests whether the words at a position are spelled like this form, with its capitals and its signs between words. */
export function isWrittenAs(form: NameForm, { words, capitals }: ReadTitle, at: number): boolean {
  return form.words.every((own, index) => {
    const word = words[at + index];
    if (word === undefined) return false;
    if (index > 0 && !isJoined(own, word)) return false;
    if (capitals === "none") return true;
    if (form.isAbbreviation) return word.written === word.written.toUpperCase() || isLongAbbreviation(form, word);
    // Some words start with a small letter in the name itself: "eBay", or "of" inside a name. If the first word of
    // a name has no capitals at all, the name was declared carelessly, so a title must capitalise that word.
    const isSmall = !isCapital(own.written) && (index > 0 || own.written !== own.written.toLowerCase());
    return isSmall || isCapital(word.written);
  });
}

/** Tests whether a word may be an abbreviation spelled like a name, as British papers write "Ikea" and "Hsbc". */
function isLongAbbreviation(form: NameForm, word: Word): boolean {
  return form.ambiguity !== "ordinary" && word.written.length >= 4 && isCapital(word.written);
}

/** Tests whether a word is joined to the preceding one as in the name, or by a similar sign. */
function isJoined(own: Word, word: Word): boolean {
  const [ownSign, sign] = [own.before.trim(), word.before.trim()];
  if (ownSign === sign || (ownSign === "'" && sign === "’") || (ownSign === "’" && sign === "'")) return true;
  if (own.written.length <= 1 || (own.written.length === 2 && ownSign !== "")) return false;
  return ["", "-", "‑", "–", "&", "'", "’", ","].includes(sign) && word.before.length <= 3;
}

/** Returns the confidence that a mention names the company, 0 to 1. */
export function attributionOf(title: ReadTitle, mention: Mention): number {
  const { form, at, length } = mention;
  if (isSomethingElse(title, mention)) return 0;
  const hasLegalForm = form.isLegal || legalFormFollows(title.words, at + length);
  if (hasLegalForm) return ATTRIBUTION.legal;
  if (form.ambiguity === "none") {
    if (form.words.length > 1) return ATTRIBUTION.words;
    return isWordOfCompany(title, mention) ? ATTRIBUTION.word : ATTRIBUTION.doubtful;
  }
  const kind = isPlural(mention) || isWordInSmall(title, mention) ? "plural" : form.ambiguity;
  return hasEvidence(title, mention, kind) ? ATTRIBUTION.context : ATTRIBUTION.doubtful;
}

/** Tests whether a single word without a known other meaning names its company. */
function isWordOfCompany(title: ReadTitle, mention: Mention): boolean {
  if (isRespelled(title, mention)) return contextOf(title, mention) >= CONTEXT_MIN.respelled;
  if (/^[\p{Script=Latin}\d]{1,2}$/u.test(mention.form.words[0]?.written ?? ""))
    return contextOf(title, mention) >= CONTEXT_MIN.short;
  if (!isDistinctive(mention.form)) {
    return hasEvidence(title, mention, isBeginning(title, mention) ? "beginning" : "none");
  }
  return !isUnsure(title, mention) || contextOf(title, mention) >= CONTEXT_MIN.unsure;
}

/**
 * Tests whether a single word has no other meaning: it has capitals inside ("DoorDash"), or it is in the list of
 * distinctive names ("Netflix").
 */
function isDistinctive({ words: [own, second] }: NameForm): boolean {
  if (own === undefined || second !== undefined) return false;
  return hasInnerCapital(own.written) || distinctiveNames.has(own.folded);
}

/** Tests whether a name has, or may well have, another meaning. */
function isDoubtful(form: NameForm): boolean {
  return form.ambiguity !== "none" || (form.words.length === 1 && !isDistinctive(form));
}

/** Tests whether a name's context and the title's event are sufficient evidence. */
function hasEvidence(title: ReadTitle, mention: Mention, kind: keyof typeof EVIDENCE_MIN): boolean {
  const missing = EVIDENCE_MIN[kind] - contextOf(title, mention);
  return missing <= 0 || (missing <= EVENT_EVIDENCE_MAX && title.eventEvidence() >= missing);
}

/**
 * Tests whether a distinctive word may still mean something else: it is an acronym, which other organisations may
 * share; it may start a longer name ("Allegro Chorus"); or it is only a part of the company's name and the first word
 * of the title ("Bluefin tuna return").
 */
function isUnsure(title: ReadTitle, mention: Mention): boolean {
  const { at, form, isShortened } = mention;
  // In other languages, the first word of a title is usually its subject, so an acronym there is not doubtful.
  if (form.isAbbreviation && /^[A-Z\d]+$/.test(title.words[at]?.written ?? "")) {
    return form.words.length === 1 && !(title.isForeign && at === 0);
  }
  return !title.isForeign && (isBeginning(title, mention) || (isShortened && at === 0));
}

/** Tests whether another capitalised word follows a name, so that both may be parts of a longer name. */
function isBeginning(title: ReadTitle, mention: Mention): boolean {
  if (title.isForeign || title.capitals !== "names" || isLegal(title, mention)) return false;
  return isNameBeside(neighbours(title, mention).after, mention);
}

/** Tests whether a title spells a name with accents or capitals that the company does not use: "KIA", "Koné". */
function isRespelled({ words, capitals }: ReadTitle, { at, form }: Mention): boolean {
  const [own, { written }] = [form.words[0]?.written ?? "", words[at] ?? { written: "" }];
  if (isAccented(written) && !isAccented(own)) return true;
  if (hasInnerCapital(written) && !hasInnerCapital(own)) return true;
  return capitals === "names" && written.length <= 4 && isUpper(written) && !isUpper(own);
}

/** Tests whether a title writes a name without the capitals that the company uses: "Bat beats ball". */
function isWordInSmall({ words, capitals }: ReadTitle, { at, form }: Mention): boolean {
  const { written = "" } = words[at] ?? {};
  // Papers spell longer all-capital names like other names: "Puma".
  const isShortUpper = written.length <= 3 && hasOwnCapitals(form);
  return capitals === "names" && form.ambiguity === "ordinary" && isShortUpper && !isWrittenExactly(form, written);
}

/** Tests whether a name has capitals that the ordinary word lacks: "BAT", "BlackBerry". */
function hasOwnCapitals({ words: [own, second] }: NameForm): boolean {
  return own !== undefined && second === undefined && /\p{Lu}/u.test(own.written.slice(1));
}

const isWrittenExactly = ({ words: [own] }: NameForm, written: string): boolean => own?.written === written;
const hasInnerCapital = (written: string): boolean => /\p{Ll}\p{Lu}/u.test(written);
const isUpper = (written: string): boolean => written === written.toUpperCase();
const isAccented = (written: string): boolean => written.normalize("NFD") !== written.normalize("NFC");
const isLegal = ({ words }: ReadTitle, { at, length }: Mention): boolean => legalFormFollows(words, at + length);

/**
 * Tests whether a name is attributed to its company because the title certainly names another company. False for a name
 * that may be part of a longer one. The name of a place (`shared`) also needs a little context of its own, or must be
 * in a list with the other name.
 */
export function isNamedWith(title: ReadTitle, mention: Mention, other: Mention): boolean {
  if (standsInName(title, mention)) return false;
  if (mention.form.ambiguity !== "shared" || contextOf(title, mention) >= CONTEXT_MIN.listed) return true;
  return isListedWith(title, mention, other);
}

/** Tests whether two names are in a list: "Caterpillar and Deere". */
export function isListedWith(title: ReadTitle, mention: Mention, other: Mention): boolean {
  const [first, second] = mention.at < other.at ? [mention, other] : [other, mention];
  const between = title.words.slice(first.at + first.length, second.at);
  if (between.length === 0) return title.words[second.at]?.before === ", ";
  return between.length === 1 && listWords.has(between[0]?.folded ?? "");
}

/** Tests whether a name is a product of `owner`: it follows the owner's name and precedes a number. */
export function isProductOf({ words }: ReadTitle, { at, length }: Mention, owner: Mention): boolean {
  const isOwned = owner.at + owner.length === at - 1 && /^['’]$/.test(words[at - 1]?.before ?? "");
  return isOwned && /^\d/.test(words[at + length]?.written ?? "");
}

const listWords: ReadonlySet<string> = new Set(["and", "or", "vs", "versus", "than", "und", "et", "y", "e"]);

function legalFormFollows(words: readonly Word[], at: number): boolean {
  const next = words[at];
  if (next === undefined || !/^[,\s]*$/.test(next.before) || !isCapital(next.written)) return false;
  return legalForms.longestAt(words, at) !== undefined;
}

/**
 * Weight added in titles in languages other than English, where an English word is most likely a name. Names of places
 * (`shared`) stay ambiguous there.
 */
const foreignWeight = { ordinary: 1, family: 0.5, shared: 0 } as const;

/** Returns the weight of the context of an ambiguous name. */
function contextOf(title: ReadTitle, mention: Mention): number {
  const { words, capitals, isBusiness, isForeign, isOtherField } = title;
  const { at, length, form } = mention;
  let weight =
    (isBusiness ? 0.5 : 0) -
    (isOtherField && isDoubtful(form) ? 1 : 0) +
    (isForeign && form.ambiguity !== "none" && !standsInName(title, mention) ? foreignWeight[form.ambiguity] : 0);
  // A capital after a full stop, a colon or a hyphen carries no information.
  const isInside = (at > 0 || length > 1) && /^[\s,'’]*$/.test(words[at]?.before ?? "") && !form.isAbbreviation;
  const isWord = form.ambiguity === "ordinary" || form.ambiguity === "none";
  if (capitals === "names" && isInside && isWord && !standsInName(title, mention)) weight += INSIDE[form.ambiguity];
  if (words[at + length]?.folded === "s" && /^['’]$/.test(words[at + length]?.before ?? "")) weight += 0.5;
  const isName = form.ambiguity === "family" || form.ambiguity === "shared";
  const hasCapitals = hasOwnCapitals(form) && isWrittenExactly(form, words[at]?.written ?? "");
  if (capitals === "names" && form.ambiguity === "ordinary" && hasCapitals) weight += 1;
  const isThing = form.ambiguity === "ordinary" && form.words.length === 1 && at === 0;
  let after = 0;
  for (let place = at + length; place < Math.min(words.length, at + length + REACH); place += 1) {
    if (/[.!?|;]/.test(words[place]?.before ?? "")) break;
    // The first words of a headline are its subject, so a weak sign directly after them counts in full.
    const isSubject = at === 0 && place === length && capitals === "names" && !isPlural(mention);
    const signs = afterCompany.longestAt(words, place);
    if (form.ambiguity === "none" && companyNouns.has(words[place]?.folded ?? "")) after = Math.max(after, 0.5);
    // If a noun follows the name, that noun is the subject: "Persimmon harvest begins".
    if (signs === undefined && (isNoun(words[place]) || isNamePart(title, mention, words[place]))) break;
    for (const value of signs?.values ?? []) {
      const isPersons = isName && signs?.length === 1 && personVerbs.has(words[place]?.folded ?? "");
      const isThings = isThing && signs?.length === 1 && thingVerbs.has(words[place]?.folded ?? "");
      after = Math.max(after, isPersons || isThings ? Math.min(value, 0.5) : isSubject ? Math.max(value, 1) : value);
    }
  }
  after = Math.max(after, assetWeight(title, mention));
  if (isInRussianQuotes(words, at, length)) weight += 1.5;
  let before = 0;
  for (let place = Math.max(0, at - REACH); place < at; place += 1) {
    const phrase = beforeCompany.longestAt(words, place);
    if (phrase && place + phrase.length <= at) before = Math.max(before, ...phrase.values);
  }
  return weight + after + before;
}

/**
 * Returns the weight of the word that follows a name if it is a word for sites, products or people, as in "Ford plant".
 * The weight is lower if the name also means a thing or a place, because such words also follow things and places.
 */
function assetWeight({ words }: ReadTitle, { at, length, form }: Mention): number {
  const after = words[at + length];
  if (after?.before !== " " || isCapital(after.written) || assets.longestAt(words, at + length) === undefined) return 0;
  return form.ambiguity === "none" || form.ambiguity === "family" ? 1.5 : 0.5;
}

/** Tests for quotation marks, in which Russian titles put the names of organisations: "Акции «Самолета»". */
function isInRussianQuotes(words: readonly Word[], at: number, length: number): boolean {
  const [own, after] = [words[at], words[at + length]];
  if (own === undefined || !/^\p{Script=Cyrillic}/u.test(own.written)) return false;
  return own.before.endsWith("«") && (after === undefined || after.before.startsWith("»"));
}

/** Tests whether a name is the plural of an ordinary word: "Travelers stranded". */
function isPlural({ form }: Mention): boolean {
  return form.ambiguity === "ordinary" && form.words.length === 1 && /[^s]s$/.test(form.words[0]?.folded ?? "");
}

/** Tests whether a word may be a noun that the preceding name modifies. */
function isNoun(word: Word | undefined): boolean {
  return word !== undefined && word.before === " " && /^[a-z]{3,}$/.test(word.written);
}

/** Tests whether a word beside an ambiguous name makes a longer name: "Target Hospitality". */
function isNamePart({ capitals }: ReadTitle, { form, companyWords }: Mention, word: Word | undefined): boolean {
  if (word === undefined || form.ambiguity === "none" || capitals !== "names") return false;
  return word.before === " " && /^\p{Lu}\p{Ll}/u.test(word.written) && !companyWords.has(word.folded);
}

/** Tests whether another capitalised word is next to a name, as part of a longer name. */
function standsInName(title: ReadTitle, mention: Mention): boolean {
  const { before, after } = neighbours(title, mention);
  const isStart = before === title.words[0] && functionWords.has(before?.folded ?? "");
  return (isNameBeside(before, mention) && !isStart) || isNameBeside(after, mention);
}

function isNameBeside(word: Word | undefined, { companyWords }: Mention): boolean {
  return word !== undefined && /^\p{Lu}\p{Ll}/u.test(word.written) && !companyWords.has(word.folded);
}

const HANGUL = /\p{Script=Hangul}/u;
const ACCENTED = /[\u00df-\u024f]/;
const OTHER_SCRIPT = /[\u0370-\u1fff\u2c00-\uffff]/;

/** Tests whether a title is in a language other than English. */
export function isForeign(words: readonly Word[]): boolean {
  return words.some(
    ({ folded, written }) =>
      otherLanguages.has(folded) ||
      OTHER_SCRIPT.test(written) ||
      // English uses accents in names and in few other words.
      (ACCENTED.test(written) && !isCapital(written) && !accentedWords.has(folded)),
  );
}

/** Tests whether a title has a word about sport, schools or faith. */
export function isAboutOtherField(words: readonly Word[]): boolean {
  return words.some((_, at) => otherFields.longestAt(words, at) !== undefined);
}

/** Tests whether a title has a word about business. */
export function isAboutBusiness(words: readonly Word[]): boolean {
  return words.some((_, at) => businessWords.longestAt(words, at) !== undefined);
}

/** Tests whether a title has a business word in a language other than English. */
export function isAboutForeignBusiness(words: readonly Word[]): boolean {
  return words.some(
    ({ folded, written }) =>
      foreignBusiness.has(folded) || (HANGUL.test(written) && koreanBusiness.some((part) => written.includes(part))),
  );
}

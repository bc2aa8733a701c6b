import type { Word } from "../../../kit/words.js";
import {
  afterCompany,
  beforeCompany,
  businessWords,
  comparisons,
  firstNames,
  functionWords,
  legalForms,
  otherLanguages,
  otherMeanings,
  otherOrganisations,
  personalTitles,
  platforms,
  sourceVerbs,
  states,
  venues,
} from "./company-words.js";
import type { NameForm } from "./name-forms.js";
import { isCapital, type TitleCapitals } from "./title-capitals.js";

/** A title that is searched for companies. */
export interface ReadTitle {
  readonly words: readonly Word[];
  readonly capitals: TitleCapitals;
  /** The title has a word of business, such as "shares". */
  readonly isBusiness: boolean;
  /** The title is not English. */
  readonly isForeign: boolean;
}

/** The place of a name in a title. */
export interface Mention {
  readonly at: number;
  readonly length: number;
  readonly form: NameForm;
  /** Folded words of the names of the company. */
  readonly companyWords: ReadonlySet<string>;
}

/** Attribution by how a company is named. 0.9 is the floor for publication. */
const ATTRIBUTION = { legal: 0.98, words: 0.97, word: 0.95, context: 0.92, doubtful: 0.6 } as const;
/** Words between a name and its context. */
const REACH = 2;
/** Context that a name needs which is also a word, or also that of persons and places. */
const CONTEXT_MIN = { none: 1, ordinary: 1, shared: 1.5 } as const;

/** Sees whether the words at a place are written as this form is: its capitals, and its signs between words. */
export function isWrittenAs(form: NameForm, { words, capitals }: ReadTitle, at: number): boolean {
  return form.words.every((own, index) => {
    const word = words[at + index];
    if (word === undefined) return false;
    if (index > 0 && !isJoined(own, word)) return false;
    if (capitals === "none") return true;
    if (form.isAbbreviation) return word.written === word.written.toUpperCase() || isLongAbbreviation(form, word);
    // "eBay" and "of" are small in the name itself; a name without capitals was typed carelessly.
    const isSmall = !isCapital(own.written) && (index > 0 || own.written !== own.written.toLowerCase());
    return isSmall || isCapital(word.written);
  });
}

/** British papers write "Ikea" and "Hsbc". */
function isLongAbbreviation(form: NameForm, word: Word): boolean {
  return form.ambiguity === "none" && word.written.length >= 4 && isCapital(word.written);
}

/** Sees whether a word follows the one before it as in the name. */
function isJoined(own: Word, word: Word): boolean {
  const [wanted, sign] = [own.before.trim(), word.before.trim()];
  if (wanted === sign || (wanted === "'" && sign === "’") || (wanted === "’" && sign === "'")) return true;
  if (own.written.length <= 1 || (own.written.length === 2 && wanted !== "")) return false;
  return ["", "-", "‑", "–", "&", "'", "’", ","].includes(sign) && word.before.length <= 3;
}

/** Confidence that a mention names the company, 0 to 1. */
export function attributionOf(title: ReadTitle, mention: Mention): number {
  const { form, at, length } = mention;
  if (isSomethingElse(title, mention)) return 0;
  const hasLegalForm = form.isLegal || legalFormFollows(title.words, at + length);
  if (hasLegalForm) return ATTRIBUTION.legal;
  if (form.ambiguity === "none") {
    const written = form.words[0]?.written ?? "";
    if (form.words.length > 1) return ATTRIBUTION.words;
    return written.length > 2 || contextOf(title, mention) >= CONTEXT_MIN.none
      ? ATTRIBUTION.word
      : ATTRIBUTION.doubtful;
  }
  return contextOf(title, mention) >= CONTEXT_MIN[form.ambiguity] ? ATTRIBUTION.context : ATTRIBUTION.doubtful;
}

function legalFormFollows(words: readonly Word[], at: number): boolean {
  const next = words[at];
  if (next === undefined || !/^[,\s]*$/.test(next.before) || !isCapital(next.written)) return false;
  return legalForms.longestAt(words, at) !== undefined;
}

/** The words directly beside a mention, with nothing but a space between. */
function neighbours(
  { words }: ReadTitle,
  { at, length }: Mention,
): { before: Word | undefined; after: Word | undefined } {
  const isBeside = (word: Word | undefined): boolean => word?.before === " ";
  return {
    before: at > 0 && isBeside(words[at]) ? words[at - 1] : undefined,
    after: isBeside(words[at + length]) ? words[at + length] : undefined,
  };
}

/** True for another organisation, a person, a place, a phrase, or a publisher as the source. */
function isSomethingElse(title: ReadTitle, mention: Mention): boolean {
  const { words, capitals } = title;
  const { at, length, form, companyWords } = mention;
  const { before, after } = neighbours(title, mention);
  const isOneWord = form.words.length === 1;
  const [afterIsCapital, beforeIsCapital] = [after, before].map(
    (word) => word !== undefined && (capitals === "none" || isCapital(word.written)),
  );
  if (after !== undefined && afterIsCapital && !companyWords.has(after.folded)) {
    if (venues.has(after.folded) && capitals === "names") return true;
    if (otherOrganisations.has(after.folded) && (isOneWord || form.ambiguity !== "none")) return true;
  }
  if (before !== undefined && beforeIsCapital && isOneWord) {
    if (firstNames.has(before.folded) && !companyWords.has(before.folded)) return true;
    if (personalTitles.has(before.folded)) return true;
  }
  const isFirstName = isOneWord && firstNames.has(form.words[0]?.folded ?? "");
  if (isFirstName && after !== undefined && afterIsCapital && capitals === "names") return true;
  const next = words[at + length];
  if (isOneWord && next?.before === ", " && states.has(next.folded)) return true;
  if (isComparison(title, mention)) return true;
  if (isInPhrase(words, at, length)) return true;
  if (words[at + length]?.before === "-" && /^(?:style|like|esque|era)$/.test(words[at + length]?.folded ?? ""))
    return true;
  return form.isPublisher && isSource(title, mention);
}

/** Sees whether a name is part of a phrase with another meaning, such as "Amazon rainforest". */
function isInPhrase(words: readonly Word[], at: number, length: number): boolean {
  return [at, at - 1, at - 2].some((start) => {
    const phrase = start >= 0 ? otherMeanings.longestAt(words, start) : undefined;
    return phrase !== undefined && start + phrase.length >= at + length;
  });
}

/** Sees whether a name stands for something else: "the Uber for dogs", "ex-Google", "on YouTube". */
function isComparison({ words }: ReadTitle, { at, length, form }: Mention): boolean {
  const before = words[at - 1]?.folded;
  const after = words[at + length];
  if (before === "the" && (after?.folded === "of" || after?.folded === "for") && after.before === " ") return true;
  if ((before === "on" || before === "via") && platforms.has(form.words.map(({ folded }) => folded).join(" ")))
    return true;
  return [at - 1, at - 2, at - 3].some((start) => {
    const found = start >= 0 ? comparisons.longestAt(words, start) : undefined;
    return found !== undefined && start + found.length === at;
  });
}

/** Sees whether a publisher is named as the source: "…, Bloomberg reports", "Reuters: …", "tells CNN". */
function isSource({ words }: ReadTitle, { at, length }: Mention): boolean {
  const after = words[at + length];
  const before = words[at - 1]?.folded;
  if (before !== undefined && ["to", "via", "tells", "told", "by", "in"].includes(before) && after === undefined)
    return true;
  if (at === 0 && after?.before.startsWith(":")) return true;
  return after !== undefined && sourceVerbs.has(after.folded) && (at > 0 || after.folded === "poll");
}

/** The weight of the context of an ambiguous name. */
function contextOf(title: ReadTitle, mention: Mention): number {
  const { words, capitals, isBusiness, isForeign } = title;
  const { at, length, form } = mention;
  let weight = (isBusiness ? 0.5 : 0) + (isForeign && form.ambiguity === "ordinary" ? 1 : 0);
  // A capital after a full stop, a colon or a hyphen carries no information.
  const isInside = at > 0 && /^[\s,'’]*$/.test(words[at]?.before ?? "") && !form.isAbbreviation;
  if (capitals === "names" && isInside && form.ambiguity !== "shared" && !standsInName(title, mention)) weight += 1;
  if (words[at + length]?.folded === "s" && /^['’]$/.test(words[at + length]?.before ?? "")) weight += 0.5;
  let after = 0;
  for (let place = at + length; place < Math.min(words.length, at + length + REACH); place += 1) {
    if (/[.!?|;]/.test(words[place]?.before ?? "")) break;
    // The first words of a headline are its subject, so half a sign counts as a whole one there.
    const isSubject = at === 0 && place === length && capitals === "names";
    const values = afterCompany.longestAt(words, place)?.values ?? [];
    after = Math.max(after, ...values.map((value) => (isSubject ? 1 : value)));
  }
  let before = 0;
  for (let place = Math.max(0, at - REACH); place < at; place += 1) {
    const found = beforeCompany.longestAt(words, place);
    if (found && place + found.length <= at) before = Math.max(before, ...found.values);
  }
  return weight + after + before;
}

/** Sees whether a name has another capital beside it, as part of a longer name. */
function standsInName(title: ReadTitle, mention: Mention): boolean {
  const { before, after } = neighbours(title, mention);
  const isName = (word: Word | undefined): boolean =>
    word !== undefined && /^\p{Lu}\p{Ll}/u.test(word.written) && !mention.companyWords.has(word.folded);
  const isStart = before === title.words[0] && functionWords.has(before?.folded ?? "");
  return (isName(before) && !isStart) || isName(after);
}

const OTHER_SCRIPT = /[\u0370-\u1fff\u2c00-\uffff]/;

/** Sees whether a title is written in another language than English. */
export function isForeign(words: readonly Word[]): boolean {
  return words.some(({ folded, written }) => otherLanguages.has(folded) || OTHER_SCRIPT.test(written));
}

/** Sees whether a title has a word of business. */
export function isAboutBusiness(words: readonly Word[]): boolean {
  return words.some((_, at) => businessWords.longestAt(words, at) !== undefined);
}

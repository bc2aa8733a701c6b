import { type Word, wordsOf } from "../../../kit/words.js";
import {
  familyNames,
  groupEndings,
  legalForms,
  ordinaryWords,
  placeBeginnings,
  placeEndings,
  publishers,
  sharedNames,
  timeWords,
} from "./company-words.js";
import { nationalities, placeNames } from "./place-names.js";

const NAME_WORDS_MAX = 12;
/** Minimum number of letters before a removable ending: "T-Systems" keeps its ending. */
const SHORT_LETTERS_MIN = 3;
/** Maximum length of a word in capitals that is treated as an abbreviation, such as UPS. */
const ABBREVIATION_LETTERS_MAX = 5;

/**
 * The other meaning of a name. `ordinary`: a common word; `family`: a name of people, which may also be a name of
 * places; `shared`: a place, a nationality, a time word or another acronym; `none`: no other meaning is known.
 */
export type Ambiguity = "none" | "ordinary" | "family" | "shared";

/** One way to write the name of a company. */
export interface NameForm {
  readonly words: readonly Word[];
  /** The other meaning that the whole form has, if any. */
  readonly ambiguity: Ambiguity;
  /** The form is an abbreviation in capitals, such as UPS. */
  readonly isAbbreviation: boolean;
  /** The words include the legal form, such as Inc. */
  readonly isLegal: boolean;
  /** The words lack an ending of the name, such as Group. */
  readonly isShort: boolean;
  readonly isPublisher: boolean;
}

/**
 * Returns the forms in which texts write a name: as given, without its legal form, without an ending such as Group, and
 * in the genitive of other languages. No form begins with "The". An ending is removed only if the rest is neither an
 * ordinary word nor a place. Each form is also returned with "and" for `&`, and without the apostrophe of `'s`. A name
 * without words has no forms.
 */
export function nameForms(name: string): readonly NameForm[] {
  const all = wordsOf(name, NAME_WORDS_MAX);
  const full = all.length > 1 && all[0]?.folded === "the" ? all.slice(1) : all;
  const core = withoutLegalForm(full);
  const forms = [full, core, withoutGroupEnding(core), ...genitive(core)];
  const both = forms.flatMap((words) => [words, withAnd(words), withoutApostrophe(words)]);
  const byKey = new Map(both.filter((words) => words.length > 0).map((words) => [keyOf(words), words]));
  return [...byKey.values()].map((words) => formOf(words, core.length));
}

/**
 * Returns the search terms for a form. Cyrillic words are searched without their endings, because the endings change.
 */
export function termsOf(words: readonly Word[]): readonly string[] {
  return words.map(({ folded }) => (/^[а-яё]{5,}$/.test(folded) ? `${folded.replace(/[аеийоуыьэюя]$/, "")}*` : folded));
}

/** Returns the key of a form: its folded words. */
export function keyOf(words: readonly Word[]): string {
  return words.map(({ folded }) => folded).join(" ");
}

/** Removes the legal forms at the end of a name. */
function withoutLegalForm(words: readonly Word[]): readonly Word[] {
  let rest = words;
  for (;;) {
    const start = [1, 2, 3, 4]
      .map((length) => rest.length - length)
      .find((at) => at > 0 && legalForms.longestAt(rest, at)?.length === rest.length - at);
    if (start === undefined) return rest;
    // An "and" before the legal form is removed with it: "Deere and Company".
    rest = rest.slice(0, rest[start - 1]?.folded === "and" && start > 1 ? start - 1 : start);
  }
}

function withoutGroupEnding(core: readonly Word[]): readonly Word[] {
  const last = core.at(-1);
  if (core.length < 2 || last === undefined || !groupEndings.has(last.folded)) return core;
  const rest = core.slice(0, -1);
  if (rest.map(({ written }) => written).join("").length < SHORT_LETTERS_MIN) return core;
  return ["none", "family"].includes(ambiguityOf(rest)) && !rest.every(({ folded }) => groupEndings.has(folded))
    ? rest
    : core;
}

/** Returns the genitive that other languages form without an apostrophe: "Microsofts". */
function genitive(core: readonly Word[]): readonly (readonly Word[])[] {
  const [word] = core;
  if (core.length !== 1 || word === undefined || !/^[a-z]{5,}$/.test(word.folded)) return [];
  if (word.folded.endsWith("s") || ambiguityOf(core) !== "none") return [];
  return [[{ ...word, written: `${word.written}s`, folded: `${word.folded}s` }]];
}

/** Replaces `&` with `and`, as in "Johnson and Johnson". */
function withAnd(words: readonly Word[]): readonly Word[] {
  return words.flatMap((word) =>
    word.before.trim() === "&"
      ? [
          { written: "and", folded: "and", before: " " },
          { ...word, before: " " },
        ]
      : [word],
  );
}

/** Removes the apostrophe before an `s`: "McDonald's" becomes "McDonalds". */
function withoutApostrophe(words: readonly Word[]): readonly Word[] {
  const joined: Word[] = [];
  for (const word of words) {
    const last = joined.at(-1);
    if (last && word.folded === "s" && /^['’]$/.test(word.before)) {
      joined[joined.length - 1] = { ...last, written: `${last.written}s`, folded: `${last.folded}s` };
    } else joined.push(word);
  }
  return joined;
}

function formOf(words: readonly Word[], coreLength: number): NameForm {
  const isLegal = words.length > coreLength;
  const written = words.map((word) => word.written).join("");
  const ambiguity = ambiguityOf(words);
  const isUpper = written === written.toUpperCase() && written !== written.toLowerCase();
  return {
    words,
    ambiguity: isLegal ? "none" : ambiguity,
    // A name such as NEXT is a word in capitals, not an abbreviation.
    isAbbreviation: isUpper && written.length <= ABBREVIATION_LETTERS_MAX && ambiguity !== "ordinary",
    isLegal,
    isShort: words.length < coreLength,
    isPublisher: publishers.has(keyOf(words)),
  };
}

function ambiguityOf(words: readonly Word[]): Ambiguity {
  const bare = words.filter(({ folded }) => folded !== "s" && folded !== "and" && folded !== "of");
  if (bare.length > 2) return "none";
  // True if the name itself ends with 's, as "Macy's" does.
  const isOwner = words.at(-1)?.folded === "s" && words.length > 1;
  if (nationalities.has(keyOf(words)) || placeNames.has(keyOf(words)) || timeWords.has(keyOf(words)))
    return isOwner ? "family" : "shared";
  const [word, second] = bare;
  // "Hazel Grove", "Rio Claro"
  const isPlaceLike =
    second !== undefined && (placeBeginnings.has(word?.folded ?? "") || placeEndings.has(second.folded));
  if (isPlaceLike && words.length === 2 && second.before === " ") return "shared";
  if (bare.length === 1 && word && (sharedNames.has(word.folded) || familyNames.has(word.folded))) {
    return isOwner && !sharedNames.has(word.folded) ? "none" : "family";
  }
  return bare.every(({ folded }) => ordinaryWords.has(folded) || sharedNames.has(folded) || familyNames.has(folded))
    ? "ordinary"
    : "none";
}

import { ownFile } from "../../../kit/own-file.js";
import { readWordLists } from "../../../kit/word-lists.js";
import { folded, wordsOf } from "../../../kit/words.js";

const FORM_WORDS_MAX = 8;

type Forms = ReadonlyMap<number, ReadonlySet<string>>;

const lists = readWordLists(ownFile("data/legal-forms.txt"));

/** Returns the legal forms of one list in legal-forms.txt, as folded words. */
function formsOf(list: string): readonly (readonly string[])[] {
  const forms = lists[list];
  if (forms === undefined) throw new Error(`legal-forms.txt: no list ${list}`);
  return forms.map((form) => wordsOf(form, FORM_WORDS_MAX).map((word) => folded(word.written.replaceAll(".", ""))));
}

/** Legal forms that follow a name, as folded words. */
export const followingForms = formsOf("after a name");
/** Folded words of share classes, such as ADR, which headlines write in place of a legal form. */
export const shareClasses = formsOf("share class");

/** Groups the forms by their number of words, most words first, because longer forms are tried first. */
function byLength(forms: readonly (readonly string[])[]): Forms {
  const lengths = new Map<number, Set<string>>();
  for (const words of forms) {
    const own = lengths.get(words.length) ?? new Set();
    lengths.set(words.length, own.add(words.join(" ")));
  }
  return new Map([...lengths].sort(([a], [b]) => b - a));
}

const followingByLength = byLength(followingForms);
const precedingByLength = byLength(formsOf("before a name"));

/** Maximum number of legal forms that are removed from a name. `PT Bank Central Asia Tbk` has two. */
const FORMS_MAX = 3;

/**
 * Returns the folded words of a name without its legal forms. At least one word is left, even of a name that consists
 * only of legal forms.
 */
export function withoutLegalForms(words: readonly string[]): readonly string[] {
  let left = words;
  for (let form = 0; form < FORMS_MAX; form += 1) {
    const shorter = withoutFollowing(left) ?? withoutPreceding(left);
    if (shorter === undefined) break;
    left = shorter;
  }
  return left;
}

function withoutFollowing(words: readonly string[]): readonly string[] | undefined {
  for (const [length, forms] of followingByLength) {
    if (length < words.length && forms.has(words.slice(-length).join(" "))) return words.slice(0, -length);
  }
  return undefined;
}

function withoutPreceding(words: readonly string[]): readonly string[] | undefined {
  for (const [length, forms] of precedingByLength) {
    if (length < words.length && forms.has(words.slice(0, length).join(" "))) return words.slice(length);
  }
  return undefined;
}

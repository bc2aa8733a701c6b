import { folded, wordsOf } from "../../../kit/words.js";
import { inLatin } from "./latin.js";
import { withoutLegalForms } from "./legal-forms.js";

const NAME_CHARACTERS_MAX = 300;
const WORDS_MAX = 32;

/**
 * Returns a key that is equal for all spellings of a name. The key ignores case, accents, punctuation, the legal form,
 * a leading `The`, and each word `and`. Cyrillic and Greek letters are transliterated to Latin letters. For a name
 * without letters or digits, the key is empty.
 */
export function nameKey(name: string): string {
  const words = wordsOf(inLatin(name.slice(0, NAME_CHARACTERS_MAX).normalize("NFC")), WORDS_MAX).map((word) =>
    folded(word.written.replaceAll(".", "")),
  );
  const significant = words.filter((word) => word !== "and");
  const named = significant[0] === "the" && significant.length > 1 ? significant.slice(1) : significant;
  return withoutLegalForms(named).join(" ");
}

import { folded, wordsOf } from "../../../kit/words.js";
import { publishers } from "./company-words.js";

const SEPARATORS = [" - ", " | ", " – ", " — "];
const TAIL_CHARACTERS_MAX = 48;
const HEAD_WORDS_MIN = 2;
/** Last words of publishers' names. */
const kinds: ReadonlySet<string> = new Set(
  "news times post daily journal herald tribune gazette chronicle press radio tv wire magazine online today review insider observer standard sun star mirror globe examiner courier argus dispatch echo mail media weekly".split(
    " ",
  ),
);

/** "(BBC Radio 4)", "(Photos: Reuters)" */
const BRACKETS_AT_END = /[([]([^()[\]]{1,48})[)\]]$/;
const TAIL_WORDS_MAX = 8;
/**
 * The tail of a title is the text after its last separator. A tail may begin with a publisher's name and then continue,
 * as in "Yahoo News UK" and "BBC Radio 4". Such a tail may have at most this many words after its first word.
 */
const PUBLISHER_WORDS_MAX = 3;

/** Returns the title without the name of its publisher at the end, as in "… - Reuters" and "… (Photo: Reuters)". */
export function withoutPublisher(title: string): string {
  const brackets = BRACKETS_AT_END.exec(title.trimEnd());
  const credit = brackets?.[1]?.replace(/^[^:]*:\s*|^via\s+/i, "") ?? "";
  if (brackets && isPublisher(credit)) return title.slice(0, brackets.index).trimEnd();
  const at = Math.max(...SEPARATORS.map((separator) => title.lastIndexOf(separator)));
  if (at <= 0 || title.length - at > TAIL_CHARACTERS_MAX) return title;
  const tail = title.slice(at + 3).trim();
  const head = title.slice(0, at).trimEnd();
  const isLong = wordsOf(head, HEAD_WORDS_MIN).length >= HEAD_WORDS_MIN;
  return isLong && isPublisher(tail) ? head : title;
}

function isPublisher(tail: string): boolean {
  const words = wordsOf(tail, TAIL_WORDS_MAX);
  const terms = words.map(({ folded }) => folded);
  const isName = words.every(({ written }) => written[0] !== written[0]?.toLowerCase() || /^\d/.test(written));
  if (publishers.has(terms.join(" "))) return true;
  const isBegun = terms.some((_, end) => end > 0 && publishers.has(terms.slice(0, end).join(" ")));
  if (isBegun && isName && words.length <= PUBLISHER_WORDS_MAX + 1) return true;
  const last = words.at(-1);
  const isHost = words.length > 1 && words.slice(1).every(({ before }) => before === ".");
  if (isHost) return true;
  return isName && words.length > 1 && last !== undefined && kinds.has(folded(last.written));
}

import { folded, wordsOf } from "../../../kit/words.js";
import { publishers } from "./company-words.js";

const SEPARATORS = [" - ", " | ", " – ", " — "];
const TAIL_CHARACTERS_MAX = 48;
const HEAD_WORDS_MIN = 2;
/** Words with which names of publishers end. */
const kinds: ReadonlySet<string> = new Set(
  "news times post daily journal herald tribune gazette chronicle press radio tv wire magazine online today review insider observer standard sun star mirror globe examiner courier argus dispatch echo mail media weekly".split(
    " ",
  ),
);

/** Returns the title without the name of its publisher at the end, as in "… - Reuters". */
export function withoutPublisher(title: string): string {
  const at = Math.max(...SEPARATORS.map((separator) => title.lastIndexOf(separator)));
  if (at <= 0 || title.length - at > TAIL_CHARACTERS_MAX) return title;
  const tail = title.slice(at + 3).trim();
  const head = title.slice(0, at).trimEnd();
  const isLong = wordsOf(head, HEAD_WORDS_MIN).length >= HEAD_WORDS_MIN;
  return isLong && isPublisher(tail) ? head : title;
}

function isPublisher(tail: string): boolean {
  const words = wordsOf(tail, 8);
  if (publishers.has(words.map(({ folded }) => folded).join(" "))) return true;
  const last = words.at(-1);
  const isHost = words.length > 1 && words.slice(1).every(({ before }) => before === ".");
  if (isHost) return true;
  const isName = words.every(({ written }) => written[0] !== written[0]?.toLowerCase());
  return isName && words.length > 1 && last !== undefined && kinds.has(folded(last.written));
}

import type { Word } from "../../../../kit/words.js";

/**
 * Tests whether a phrase such as "Review" stands where it states the type of article: at the start of a title, as the
 * second word if a colon follows, after an early colon, or at the end after a colon.
 */
export function isKindOfText(words: readonly Word[], at: number, length: number): boolean {
  const after = words[at + length]?.before ?? "";
  return (
    at === 0 ||
    (at === 1 && after.startsWith(":")) ||
    (at + length === words.length && words[at]?.before.includes(":") === true) ||
    isAfterColon(words, at)
  );
}

function isAfterColon(words: readonly Word[], at: number): boolean {
  return words[at]?.before.startsWith(":") === true && at <= 4;
}

const QUESTION_WORDS = new Set(
  "how why which what who can should is are do does warum wie was wer como por pourquoi comment que quel porque".split(
    " ",
  ),
);

/** Tests for a question or instruction at the start of a title or after a colon. */
export function asks(words: readonly Word[]): boolean {
  return (
    words.length > 2 &&
    words.some(({ folded, written, before }, at) => {
      const isOpening = at === 0 || (before.startsWith(":") && at < words.length - 1);
      return isOpening && QUESTION_WORDS.has(folded) && written !== "WHO";
    })
  );
}

const NO_COMFORT = new Set(
  "end ends let respite survivors clear deal progress breakthrough agreement peace water power fuel food electricity confidence".split(
    " ",
  ),
);

/** Tests for a negative report: "No fraud found" or "Bank: no data taken", but not "No end to war". */
export function saysNo(words: readonly Word[]): boolean {
  return words.some(
    ({ folded, written, before }, at) =>
      folded === "no" &&
      (at === 0 || before.startsWith(":")) &&
      words.length > at + 2 &&
      written !== "NO" &&
      !NO_COMFORT.has(words[at + 1]?.folded ?? ""),
  );
}

const DRILLS = new Set(["drill", "drills", "exercise", "exercises", "rehearsal", "wargames"]);

/** Tests for a drill at the end of a title: "Commandos storm ferry in hijack exercise". */
export function endsAsDrill(words: readonly Word[]): boolean {
  return DRILLS.has(words.at(-1)?.folded ?? "");
}

const SPANS = new Set(["years", "decades", "centuries"]);

/** Tests for a title that looks back: "Thirty years of …" or "Thirty years ago …". */
export function isYearsOf(words: readonly Word[]): boolean {
  return SPANS.has(words[1]?.folded ?? "") && (words[2]?.folded === "of" || words[2]?.folded === "ago");
}

const COMPARED = new Set("since from lowest highest worst biggest than before until".split(" "));
const PAST_YEARS = /^1[0-9]{3}$/;

/** Tests for a year before 2000 that dates the event: "The great flood of 1953", but not "lowest since 1998". */
export function namesPastYear(words: readonly Word[]): boolean {
  return words.some(({ written }, at) => {
    const before = words[at - 1]?.folded ?? "";
    return (
      PAST_YEARS.test(written) &&
      (before === "in" || before === "of" || before === "the") &&
      !words.some(({ folded }) => COMPARED.has(folded))
    );
  });
}

import { englishStem } from "../../../kit/english-stem.js";
import { ownFile } from "../../../kit/own-file.js";
import { readWordLists } from "../../../kit/word-lists.js";
import { wordsOf } from "../../../kit/words.js";

/** A word of a title, as matched against the event tables. */
export interface TitleWord {
  /** Lower case, without diacritics. */
  readonly folded: string;
  readonly stem: string;
  /** True in a clause after "after", "amid" and the like. Such a clause states the background, not the event. */
  readonly isSubordinate: boolean;
  /** True for the first word after a comma, a dash or another sign between clauses. */
  readonly isNewClause: boolean;
}

/**
 * Stems that represent a number, the start of a title, a colon after its first words, a question mark, and the end of
 * the title.
 */
export const [NUMBER, BEGINNING, COLON, QUESTION, END] = ["#", "^", ":", "?", "$"];

/** Longer titles are truncated to this length. */
const WORDS_MAX = 60;
/** Maximum number of words in a section label before a colon ("Opinion:"). */
const RUBRIC_WORDS = 3;
/** Newsroom labels before a title. */
const LABEL =
  /^(?:update \d+|wrapup \d+|brief|refile|exclusive|breaking(?: news)?|just in|corrected|correction|alert|press release)\s*[-–—:|]\s*/i;
const DIGITS = /^\d+(?:k|m|mn|mm|b|bn|x|pc|p|c|th|st|nd|rd)?$/;
const CLAUSE_SIGN = /[,;:?!–—]|(?:^| )-/;
const MINUS = /(?:^| )[-–−]$/;
/**
 * Number of characters at the end of a title that are searched for a question mark, because quotation marks or spaces
 * may follow it.
 */
const AFTER_QUESTION = 3;

const lists = readWordLists(ownFile("data/title-words.txt"));
const [numerals, units, currencies, articles, subordinators] = [
  "numerals",
  "units",
  "currencies",
  "articles",
  "subordinators",
].map((name) => new Set(lists[name]));

/**
 * Returns the words and signs of a title, without articles, possessives and newsroom labels. A number includes the
 * currency before it and the unit after it.
 */
export function titleWordsOf(title: string): readonly TitleWord[] {
  const words: TitleWord[] = [];
  let clauseStart = -1;
  let isNewClause = false;
  const add = (folded: string, stem: string): void => {
    words.push({ folded, stem, isSubordinate: clauseStart >= 0, isNewClause });
    isNewClause = false;
  };
  add(BEGINNING, BEGINNING);
  for (const { folded, before } of wordsOf(title.replace(LABEL, ""), WORDS_MAX)) {
    if (CLAUSE_SIGN.test(before)) isNewClause = true;
    if (before.includes(QUESTION)) add(QUESTION, QUESTION);
    if (before.startsWith(COLON) && words.length <= RUBRIC_WORDS + 1) add(COLON, COLON);
    if (before.startsWith(",")) {
      // A subordinate clause that opens the title ends at the first comma. A participle after a comma starts a
      // subordinate clause.
      if (clauseStart === 2) clauseStart = -1;
      if (isParticiple(folded)) clauseStart = words.length;
    }
    const last = words.at(-1);
    if (DIGITS.test(folded) || (numerals?.has(folded) && last?.stem !== NUMBER)) {
      if (last?.stem === NUMBER) continue;
      if (currencies?.has(last?.folded ?? "")) words.pop();
      if (before.endsWith("+")) add("up", "up");
      else if (MINUS.test(before)) add("down", "down");
      add(NUMBER, NUMBER);
    } else if (!articles?.has(folded) && !(last?.stem === NUMBER && units?.has(folded))) {
      add(folded, englishStem(folded));
      if (clauseStart < 0 && subordinators?.has(folded)) clauseStart = words.length;
    }
  }
  if (title.slice(-AFTER_QUESTION).includes(QUESTION)) add(QUESTION, QUESTION);
  add(END, END);
  return words;
}

function isParticiple(folded: string): boolean {
  return folded.length > 5 && folded.endsWith("ing");
}

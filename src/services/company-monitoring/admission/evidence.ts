import { ownFile } from "../../../kit/own-file.js";
import { type PhraseTable, phraseTable } from "../../../kit/phrases.js";
import { readWordLists } from "../../../kit/word-lists.js";
import { type Word, wordsOf } from "../../../kit/words.js";
import type { Finding } from "../scan/finding.js";
import { classOfTitle } from "./category.js";
import { cleanText } from "./clean-text.js";
import type { EventClass } from "./event-class.js";

export const TITLE_CHARACTERS_MAX = 300;
export const EXCERPT_CHARACTERS_MAX = 400;
const WORDS_MAX = 40;
/** Minimum length of a word that distinguishes events; shorter words say little about which event is meant. */
const LETTERS_MIN = 4;

/** The role of a finding: it reports an event, or it corrects or withdraws an earlier report. */
export type Stance = "reports" | "corrects" | "retracts";

/** A finding with its interpretation. */
export interface Evidence {
  /** Unique within a company; orders findings published at the same instant. */
  readonly key: string;
  readonly finding: Finding;
  /**
   * Key of the earlier evidence that this finding names as withdrawn; undefined if the finding names none. If the
   * stance is "retracts" and the finding names none, it withdraws the earlier reports of its own origin. A
   * withdrawal by a first party also withdraws the earlier reports of all origins that are not first parties.
   */
  readonly withdrawnKey: string | undefined;
  readonly eventClass: EventClass;
  readonly stance: Stance;
  readonly isFiling: boolean;
  /** Folded words of the title that distinguish events. */
  readonly words: ReadonlySet<string>;
  /** The folded words of the title; equal for copies of one text. */
  readonly copyKey: string;
}

const stances = readWordLists(ownFile("data/correction-words.txt"));
const correcting = phrasesIn("corrects");
const retracting = phrasesIn("retracts");

function phrasesIn(list: string): PhraseTable<true> {
  const table = phraseTable<true>();
  for (const phrase of stances[list] ?? []) table.set(phrase.split(" "), true);
  return table;
}

function keyOf(provider: Finding["provider"], sourceId: string): string {
  return `${provider} ${sourceId}`;
}

/** Interprets a finding. The result depends only on the finding and on fixed word lists. */
export function evidenceOf(raw: Finding): Evidence {
  const finding: Finding = {
    ...raw,
    title: cleanText(raw.title, TITLE_CHARACTERS_MAX),
    excerpt: cleanText(raw.excerpt, EXCERPT_CHARACTERS_MAX),
    publisher: cleanText(raw.publisher, TITLE_CHARACTERS_MAX),
  };
  const words = wordsOf(finding.title, WORDS_MAX);
  const stance = stanceOf(finding, words);
  return {
    key: keyOf(finding.provider, finding.sourceId),
    withdrawnKey: finding.withdraws === undefined ? undefined : keyOf(finding.provider, finding.withdraws),
    finding,
    eventClass: classOf(finding, stance),
    stance,
    isFiling: finding.provider === "MONITORING_PROVIDER_FILINGS",
    words: new Set(words.map(({ folded }) => folded).filter((word) => word.length >= LETTERS_MIN)),
    copyKey: words.map(({ folded }) => folded).join(" "),
  };
}

function stanceOf({ isCorrection, provider, withdraws }: Finding, words: readonly Word[]): Stance {
  if (withdraws !== undefined) return "retracts";
  if (retracting.longestAt(words, 0) !== undefined) return "retracts";
  if (correcting.longestAt(words, 0) !== undefined) return "corrects";
  // An amended filing corrects the original one. A finding of a register is always a report of its own.
  return isCorrection && provider !== "MONITORING_PROVIDER_REGISTER" ? "corrects" : "reports";
}

/** The opening label of a correction or retraction, such as "Correction:". The title is classified without it. */
const NOTICE = /^[\p{L} ]{1,24}:\s*/u;

function classOf(finding: Finding, stance: Stance): EventClass {
  const { provider, title, filingItems, withdraws } = finding;
  if (provider === "MONITORING_PROVIDER_SANCTIONS") {
    const direction = withdraws === undefined ? "negative" : "positive";
    return { category: "sanctions", direction, strength: 2, signs: ["an entry of a sanctions list"] };
  }
  const text = stance === "reports" ? title : title.replace(NOTICE, "");
  return classOfTitle({ title: text, ...(filingItems && { filingItems }) });
}

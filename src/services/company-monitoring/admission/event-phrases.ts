import { oneOf, readCsv, textCell } from "../../../kit/csv-table.js";
import { ownFile } from "../../../kit/own-file.js";
import { type PhraseTable, phraseTable } from "../../../kit/phrases.js";
import { readWordLists } from "../../../kit/word-lists.js";
import { type EventCategory, type EventDirection, eventCategories, eventDirections } from "./event-class.js";

/** The meaning of a phrase. */
export interface EventSign {
  readonly category: EventCategory;
  readonly direction: EventDirection;
  readonly isStrong: boolean;
  readonly phrase: string;
}

/** The phrases of events. A phrase in several lists has several signs. */
export const eventPhrases: PhraseTable<EventSign[]> = readEventPhrases();

/** The meaning of a pair of phrases, and the table of its second phrases. */
export interface EventPair {
  readonly sign: EventSign;
  readonly second: PhraseTable<true>;
}

/** The pairs of phrases that indicate an event only together, by the first phrase. */
export const eventPairs: PhraseTable<EventPair[]> = readEventPairs();

const words = readWordLists(ownFile("data/event-words.txt"));
export const beginningsOfNothing = phrasesOf("nothing begins");
export const phrasesOfNothing = phrasesOf("nothing");
export const reversals = phrasesOf("reversed");
export const openings = phrasesOf("open");

function readEventPhrases(): PhraseTable<EventSign[]> {
  const table = phraseTable<EventSign[]>();
  for (const [title, phrases] of Object.entries(readWordLists(ownFile("data/company-events.txt")))) {
    const [first, second, weight = ""] = title.split(" ");
    const category = eventCategories.find((name) => name === first);
    const direction = eventDirections.find((name) => name === second);
    if (category === undefined || direction === undefined || !["", "strong"].includes(weight)) {
      throw new Error(`company-events.txt: no list may be called ${title}`);
    }
    for (const phrase of phrases) {
      add(table, phrase, { category, direction, isStrong: weight === "strong", phrase });
    }
  }
  return table;
}

function readEventPairs(): PhraseTable<EventPair[]> {
  const table = phraseTable<EventPair[]>();
  const rows = readCsv(ownFile("data/company-event-pairs.csv"), {
    category: oneOf(eventCategories),
    direction: oneOf(eventDirections),
    first: textCell,
    second: textCell,
  });
  for (const { category, direction, first, second: seconds } of rows) {
    const second = phraseTable<true>();
    for (const phrase of seconds.split("|")) second.set(phrase.split(" "), true);
    for (const phrase of first.split("|")) {
      add(table, phrase, { sign: { category, direction, isStrong: true, phrase }, second });
    }
  }
  return table;
}

function add<Entry>(table: PhraseTable<Entry[]>, phrase: string, entry: Entry): void {
  const terms = phrase.split(" ");
  const entries = table.get(terms);
  if (entries) entries.push(entry);
  else table.set(terms, [entry]);
}

function phrasesOf(list: string): PhraseTable<true> {
  const table = phraseTable<true>();
  for (const phrase of words[list] ?? [])
    table.set(
      phrase.split(" ").filter((term) => term !== ""),
      true,
    );
  return table;
}

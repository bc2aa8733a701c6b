import { anyTextCell, type Column, oneOf, readCsv, textCell, textLike } from "../../../src/kit/csv-table.js";
import { listCell } from "./companies.js";

/** The possible first words of a note, which state the kind of difficulty of the row. `plain` means no difficulty. */
export const MENTION_TRAPS = [
  "alias",
  "brand",
  "comparison",
  "former-name",
  "namesake",
  "non-ascii",
  "person",
  "place",
  "plain",
  "publisher",
  "several",
  "suffix",
  "ticker",
  "word",
] as const;

/**
 * Reads the titles of the first file, each with the ids of the companies that it mentions. If `recorded` is not empty,
 * `text` is empty and `titleAt(recorded)` returns the title.
 */
export function firstMentions() {
  return readMentions("mentions.csv", textLike(/^t\d{4}$/, "t and four digits"));
}

/** Reads the titles of the second file, in the same form. */
export function secondMentions() {
  return readMentions("mentions-2.csv", textLike(/^u\d{4}$/, "u and four digits"));
}

/** Reads the titles of the third file, in the same form. */
export function thirdMentions() {
  return readMentions("mentions-3.csv", textLike(/^v\d{4}$/, "v and four digits"));
}

/** Reads the titles of the fourth file, in the same form. The first four files are for tuning. */
export function fourthMentions() {
  return readMentions("mentions-4.csv", textLike(/^w\d{4}$/, "w and four digits"));
}

/** Reads the titles of the fifth file, in the same form. They are for measuring, never for tuning. */
export function heldOutMentions() {
  return readMentions("mentions-5.csv", textLike(/^x\d{4}$/, "x and four digits"));
}

/** Reads the titles of another file, in the same form. */
export function mentionsIn(file: URL) {
  return readMentions(file, textLike(/^[a-z]\d{4}$/, "a letter and four digits"));
}

/** A labelled title. */
export type MentionRow = ReturnType<typeof mentionsIn>[number];

function readMentions(file: string | URL, id: Column<string>) {
  return readCsv(new URL(file, import.meta.url), {
    id,
    kind: oneOf(["headline", "filing"]),
    text: anyTextCell,
    recorded: anyTextCell,
    expected: listCell,
    note: textCell,
  });
}

/** The trap of a row, from its note `<trap>` or `<trap>: <detail>`. */
export function trapOf(note: string): string {
  return note.split(":", 1)[0] ?? "";
}

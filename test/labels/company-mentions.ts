import { anyTextCell, oneOf, readCsv, textCell, textLike } from "../../src/kit/csv-table.js";
import { listCell } from "./companies.js";

/** The first word of a note: the difficulty of the row. `plain` rows have none. */
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

/** Reads the titles with the ids of the companies that they mention. `titleAt` reads the text of a recorded row. */
export function labelledMentions() {
  return readCsv(new URL("mentions.csv", import.meta.url), {
    id: textLike(/^t\d{4}$/, "t and four digits"),
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

import { anyTextCell, oneOf, readCsv, textLike } from "../../src/kit/csv-table.js";

export const EVENT_CATEGORIES = [
  "accident",
  "bankruptcy",
  "contract",
  "cyber",
  "delisting",
  "financing",
  "labour",
  "legal",
  "management",
  "none",
  "ownership",
  "product",
  "recall",
  "regulatory",
  "restatement",
  "results",
  "sanctions",
  "supply",
] as const;

/** Reads the labelled titles and filings. The text of a recorded row is empty; `titleAt` reads it. */
export function labelledCompanyEvents() {
  return readCsv(new URL("company-events.csv", import.meta.url), {
    id: textLike(/^(?:wire|f|r)\d{3}$/, "wire, f or r and three digits"),
    kind: oneOf(["headline", "filing"]),
    text: anyTextCell,
    recorded: anyTextCell,
    category: oneOf(EVENT_CATEGORIES),
    direction: oneOf(["positive", "negative", "mixed", ""]),
  });
}

import { anyTextCell, type Column, oneOf, readCsv, textLike } from "../../../src/kit/csv-table.js";

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

/**
 * Reads the labelled titles and filings for tuning. If a title is in the shared recordings, `text` is empty, and
 * `titleAt(recorded)` returns the title.
 */
export function labelledCompanyEvents() {
  return readEvents("company-events.csv", textLike(/^(?:wire|f|r)\d{3}$/, "wire, f or r and three digits"));
}

/** Reads the held-out titles and filings, in the same form. They are for measuring, never for tuning. */
export function heldOutCompanyEvents() {
  return readEvents("company-events-2.csv", textLike(/^(?:wave|g|s)\d{3}$/, "wave, g or s and three digits"));
}

function readEvents(file: string, id: Column<string>) {
  return readCsv(new URL(file, import.meta.url), {
    id,
    kind: oneOf(["headline", "filing"]),
    text: anyTextCell,
    recorded: anyTextCell,
    category: oneOf(EVENT_CATEGORIES),
    direction: oneOf(["positive", "negative", "mixed", ""]),
  });
}

import type { MatchedText } from "../../../src/services/company-monitoring/matching/company-matcher.js";
import type { MentionRow } from "./company-mentions.js";
import { titleAt } from "./recorded-titles.js";

/** The minimum attribution with which the service publishes a match. */
const FLOOR = 0.9;

interface Matcher {
  match(text: string, kind: MatchedText): readonly { readonly companyKey: string; readonly attribution: number }[];
}

/** A labelled title, and the companies that the matcher found in it with an attribution high enough to publish. */
export interface MeasuredRow extends MentionRow {
  readonly title: string;
  readonly matchedIds: readonly string[];
}

/** Matches labelled titles. If `withoutRecorded` is true, leaves out the recorded titles. */
export function matchRows(
  matcher: Matcher,
  mentions: readonly MentionRow[],
  withoutRecorded: boolean,
): readonly MeasuredRow[] {
  return mentions
    .filter(({ recorded }) => recorded === "" || !withoutRecorded)
    .map((row) => {
      const title = row.text || titleAt(row.recorded);
      const matches = matcher.match(title, row.kind === "filing" ? "filing" : "title");
      const matchedIds = matches.filter(({ attribution }) => attribution >= FLOOR).map(({ companyKey }) => companyKey);
      return { ...row, title, matchedIds };
    });
}

/**
 * Computes precision and recall. Precision is the share of found companies that are expected. Recall is the share of
 * expected companies that were found.
 */
export function figuresOf(rows: readonly MeasuredRow[]): {
  readonly matches: number;
  readonly expected: number;
  readonly precision: number;
  readonly recall: number;
} {
  const matches = rows.flatMap((row) => row.matchedIds).length;
  const expected = rows.flatMap((row) => row.expected).length;
  const both = rows.flatMap((row) => row.matchedIds.filter((id) => row.expected.includes(id))).length;
  return { matches, expected, precision: both / matches, recall: both / expected };
}

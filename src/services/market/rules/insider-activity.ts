import { DAY_MS } from "../../../kit/clock.js";
import type { InsiderTransaction, OwnershipLine, OwnershipReport } from "../records.js";

const TRANSACTIONS_MAX = 20;
/**
 * EDGAR dates a report to the day on which it was disseminated. If a long weekend follows the submission, that day may
 * be four days later.
 */
const DISSEMINATED_WITHIN_DAYS = 4;

/** Insiders' purchases and sales in US dollars, and their newest transactions. */
export interface InsiderActivity {
  readonly totalBuys: number;
  readonly totalSells: number;
  readonly netValue: number;
  /** Newest first. */
  readonly transactions: readonly InsiderTransaction[];
}

/**
 * Sums up the transactions since the day `from` (YYYY-MM-DD), after amendments have replaced earlier reports. `reports`
 * must be newest first.
 */
export function insiderActivity(reports: readonly OwnershipReport[], from: string): InsiderActivity {
  const lines = withoutAmended(reports)
    .flatMap((report) => report.lines)
    .filter(({ tradedOn }) => tradedOn >= from)
    // The sort is stable, so trades of one day stay in the order of their reports, newest first.
    .sort((a, b) => b.tradedOn.localeCompare(a.tradedOn));
  const totalOf = (code: "P" | "S"): number =>
    Math.round(lines.reduce((sum, line) => sum + (line.code === code ? (usdOf(line) ?? 0) : 0), 0));
  const [totalBuys, totalSells] = [totalOf("P"), totalOf("S")];
  return {
    totalBuys,
    totalSells,
    netValue: totalBuys - totalSells,
    transactions: lines.slice(0, TRANSACTIONS_MAX).map(served),
  };
}

function served(line: OwnershipLine): InsiderTransaction {
  const { ownerName, shareCount, code, tradedOn } = line;
  const value = usdOf(line);
  return {
    name: ownerName,
    shares: Math.round(shareCount),
    ...(value !== undefined && { value: Math.round(value * 100) / 100 }),
    transactionCode: code,
    transactionDate: tradedOn,
  };
}

/**
 * Returns the value of a transaction in US dollars: 0 if it is neither a purchase nor a sale, undefined if it has no
 * price.
 */
function usdOf({ code, shareCount, priceUsd }: OwnershipLine): number | undefined {
  if (code !== "P" && code !== "S") return 0;
  return priceUsd === undefined ? undefined : shareCount * priceUsd;
}

/** Removes the reports that a later amendment replaces. */
function withoutAmended(reports: readonly OwnershipReport[]): readonly OwnershipReport[] {
  const replaced = new Set<OwnershipReport>();
  for (const [index, report] of reports.entries()) {
    // An amendment that has itself been amended still replaces its original.
    if (report.isAmendment) for (const original of replacedBy(report, reports.slice(index + 1))) replaced.add(original);
  }
  return reports.filter((report) => !replaced.has(report));
}

/**
 * Returns the reports that an amendment replaces. The candidates are earlier reports of the same owner. If the
 * amendment states the day on which its original was submitted, only two kinds of reports are candidates: reports that
 * were filed on that day or up to four days later, and amendments that state the same submission day. Each candidate
 * with a trade on the same day as one of the amendment's trades is replaced. If no candidate has such a trade, but the
 * amendment states the submission day and there is exactly one candidate, this candidate is replaced. An amendment
 * without transactions replaces nothing.
 */
function replacedBy({ lines: [line, ...more] }: OwnershipReport, earlier: readonly OwnershipReport[]) {
  if (line === undefined) return [];
  const { ownerCik, originalOn } = line;
  const days = new Set([line, ...more].map(({ tradedOn }) => tradedOn));
  const candidates = earlier.filter(
    ({ filedOn, isAmendment, lines: [first] }) =>
      first?.ownerCik === ownerCik &&
      (originalOn === undefined || (isAmendment && first.originalOn === originalOn) || isFiledAt(filedOn, originalOn)),
  );
  const ofSameDays = candidates.filter(({ lines }) => lines.some(({ tradedOn }) => days.has(tradedOn)));
  if (ofSameDays.length > 0) return ofSameDays;
  return originalOn !== undefined && candidates.length === 1 ? candidates : [];
}

function isFiledAt(filedOn: string, submittedOn: string): boolean {
  const days = (Date.parse(filedOn) - Date.parse(submittedOn)) / DAY_MS;
  return days >= 0 && days <= DISSEMINATED_WITHIN_DAYS;
}

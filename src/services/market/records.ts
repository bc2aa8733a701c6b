import { type Static, Type } from "typebox";

/** A company of the SEC's list of tickers. */
export const ListedCompany = Type.Object({
  cik: Type.String({ pattern: "^\\d{10}$" }),
  ticker: Type.String({ minLength: 1, maxLength: 16 }),
  name: Type.String({ minLength: 1, maxLength: 200 }),
});
export type ListedCompany = Static<typeof ListedCompany>;

/** Codes of the served transactions: purchase, sale, exercise, award, return to the issuer, tax paid in shares. */
export const transactionCodes = ["P", "S", "M", "A", "D", "F"] as const;
export type TransactionCode = (typeof transactionCodes)[number];

/** A line of an ownership report: one transaction in shares. */
export interface OwnershipLine {
  readonly ownerCik: string;
  readonly ownerName: string;
  /** YYYY-MM-DD */
  readonly tradedOn: string;
  readonly code: TransactionCode;
  readonly shareCount: number;
  /** US dollars per share; absent if the report states none. */
  readonly priceUsd?: number;
  /** In an amendment: the day on which the original report was submitted, if stated. */
  readonly originalOn?: string;
}

/** An ownership report and its lines. */
export interface OwnershipReport {
  readonly accessionNumber: string;
  /** YYYY-MM-DD */
  readonly filedOn: string;
  readonly isAmendment: boolean;
  readonly lines: readonly OwnershipLine[];
}

/** The ownership reports about a company. */
export interface OwnershipReports {
  /** Newest first. */
  readonly reports: readonly OwnershipReport[];
  /** Number of listed reports that were not read. */
  readonly unreadCount: number;
}

/** A served transaction. */
export const InsiderTransaction = Type.Object(
  {
    name: Type.String({ description: "Filer of the report, a person or entity; the first filer of a joint report" }),
    shares: Type.Integer({ format: "int64", description: "Number of shares, rounded to whole shares" }),
    value: Type.Optional(
      Type.Number({
        format: "double",
        description:
          "Shares times price for codes P and S, US dollars; 0 for the other codes; absent if the report states no price",
      }),
    ),
    transactionCode: Type.Enum([...transactionCodes], {
      description:
        "Code of the line: P purchase, S sale, M exercise of a derivative, A award, D return to the issuer, F shares kept for tax",
    }),
    transactionDate: Type.String({ format: "date", description: "Day of the trade, YYYY-MM-DD" }),
  },
  { title: "InsiderTransaction" },
);
export type InsiderTransaction = Static<typeof InsiderTransaction>;

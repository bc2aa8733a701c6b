import { Type } from "typebox";
import { Value } from "typebox/value";
import type { DocumentOf } from "../../../contract/format.js";
import { BadRow, followUp, LeftOut, SourceFailure, source, step } from "../../../contract/source.js";
import { edgarLicence, edgarRequest } from "../../../edgar/edgar-request.js";
import { submissionsRequest } from "../../../edgar/submissions.js";
import { isCalendarDate } from "../../../kit/calendar-date.js";
import { type OwnershipLine, type OwnershipReports, transactionCodes } from "../records.js";

/** The reports to read: those about one company, filed on or after a date. */
export interface OwnershipPlan {
  /** Ten digits. */
  readonly cik: string;
  /** Earliest filing date, YYYY-MM-DD. */
  readonly from: string;
}

interface ListedReport {
  readonly cik: string;
  readonly accessionNumber: string;
  readonly filedOn: string;
  readonly isAmendment: boolean;
  readonly file: string;
}

/**
 * Maximum number of reports per read. Reading that many takes about ten seconds, because `edgarRequest` spaces requests
 * to stay below the SEC's rate limit. A large company has 40 to 80 reports in half a year.
 */
export const REPORTS_MAX = 80;
const REPORT_BYTES_MAX = 4 * 1024 * 1024;

const Column = Type.Array(Type.Unknown());
const Submissions = Type.Object({
  filings: Type.Object({
    recent: Type.Object({ accessionNumber: Column, filingDate: Column, form: Column, primaryDocument: Column }),
  }),
});

const Amount = Type.Object({ value: Type.Optional(Type.String()) });

const document = followUp({
  request: ({ cik, accessionNumber, file }: ListedReport) =>
    edgarRequest("call", {
      key: accessionNumber,
      url: `https://www.sec.gov/Archives/edgar/data/${Number(cik)}/${accessionNumber.replaceAll("-", "")}/${file}`,
      bytesMax: REPORT_BYTES_MAX,
    }),
  format: { kind: "xml", root: "ownershipDocument", lists: ["reportingOwner", "nonDerivativeTransaction"] },
  row: Type.Object({
    owner: Type.Object({
      reportingOwnerId: Type.Object({
        rptOwnerCik: Type.String({ minLength: 1, maxLength: 10 }),
        rptOwnerName: Type.String({ minLength: 1, maxLength: 200 }),
      }),
    }),
    originalOn: Type.Optional(Type.String()),
    line: Type.Object({
      transactionDate: Type.Object({ value: Type.String() }),
      transactionCoding: Type.Object({ transactionCode: Type.String() }),
      transactionAmounts: Type.Object({
        transactionShares: Type.Object({ value: Type.String() }),
        // Instead of a price, a line may have only a footnote, for example one with a range of prices.
        transactionPricePerShare: Type.Optional(Type.Union([Amount, Type.String()])),
      }),
    }),
  }),
  rows: linesOf,
  record({ owner: { reportingOwnerId }, originalOn, line }, { filedOn }): OwnershipLine | LeftOut {
    const code = transactionCodes.find((listed) => listed === line.transactionCoding.transactionCode);
    if (code === undefined) return new LeftOut("other kind of transaction");
    const tradedOn = dayOf(line.transactionDate.value);
    if (tradedOn > filedOn) throw new BadRow(`trade date ${tradedOn} is after filing date ${filedOn}`);
    const { transactionShares, transactionPricePerShare: price } = line.transactionAmounts;
    const priceText = typeof price === "object" ? price.value : price;
    return {
      ownerCik: reportingOwnerId.rptOwnerCik.padStart(10, "0"),
      ownerName: reportingOwnerId.rptOwnerName,
      tradedOn,
      code,
      shareCount: numberOf(transactionShares.value),
      ...(priceText !== undefined && priceText !== "" && { priceUsd: numberOf(priceText) }),
      ...(originalOn !== undefined && originalOn !== "" && { originalOn: dayOf(originalOn) }),
    };
  },
  // A report that is only about derivatives has no rows.
  rowsMin: 0,
  // A missing or malformed report counts as unread; it does not fail the read. If no report can be read, `keep` in
  // get-insider-transactions.ts throws, so an empty result is not cached.
  instead: ({ status, kind }) => (status === 404 || kind === "changed" ? [] : undefined),
});

/** Insiders' reports (form 4) about one company. The company's list of filings is read first, then each report. */
export const secOwnershipReports = source({
  id: "sec-ownership-reports",
  title: "SEC EDGAR, ownership reports (form 4)",
  home: "https://www.sec.gov/search-filings/edgar-application-programming-interfaces",
  seen: "recorded",
  licence: edgarLicence,
  steps: {
    list: step({
      request: ({ cik }: OwnershipPlan) => submissionsRequest(cik),
      format: { kind: "json" },
      row: Type.Object({
        accessionNumber: Type.String({ pattern: "^\\d{10}-\\d{2}-\\d{6}$" }),
        filingDate: Type.String({ pattern: "^\\d{4}-\\d{2}-\\d{2}$" }),
        form: Type.String(),
        primaryDocument: Type.String({ pattern: "^[\\w./-]{1,200}\\.xml$" }),
      }),
      rows: (submissions, { from }) => listedFrom(submissions, from),
      record: ({ accessionNumber, filingDate, form, primaryDocument }, { cik }): ListedReport => ({
        cik,
        accessionNumber,
        filedOn: filingDate,
        isAmendment: form === "4/A",
        // The list names the HTML rendering, `xslF345X05/form4.xml`. The XML document is one folder up.
        file: primaryDocument.slice(primaryDocument.lastIndexOf("/") + 1),
      }),
      next: (reports) => reports.slice(0, REPORTS_MAX).map(document.about),
      rowsMin: 0,
    }),
    document,
  },
  combine: ({ list, document: { answers } }): readonly OwnershipReports[] => [
    {
      reports: answers.map(({ context: { accessionNumber, filedOn, isAmendment }, records }) => ({
        accessionNumber,
        filedOn,
        isAmendment,
        lines: records,
      })),
      // Reports with an invalid list row are never requested, so they count as unread.
      unreadCount: list.records.length + list.answers.reduce((sum, { rowsBad }) => sum + rowsBad, 0) - answers.length,
    },
  ],
  observedAt: () => undefined,
  ranges: { shareCount: [0, 1e12], priceUsd: [0, 1e8], unreadCount: [0, 1_000] },
});

/** Yields the ownership reports that were filed on or after a date, newest first. */
function* listedFrom(submissions: unknown, from: string): Iterable<unknown> {
  if (!Value.Check(Submissions, submissions)) {
    throw new SourceFailure(
      "changed",
      "expected accessionNumber, filingDate, form and primaryDocument as lists in filings.recent",
    );
  }
  const { accessionNumber, filingDate, form, primaryDocument } = submissions.filings.recent;
  for (const [index, type] of form.entries()) {
    const filedOn = filingDate[index];
    if ((type !== "4" && type !== "4/A") || (typeof filedOn === "string" && filedOn < from)) continue;
    yield {
      accessionNumber: accessionNumber[index],
      filingDate: filedOn,
      form: type,
      primaryDocument: primaryDocument[index],
    };
  }
}

type XmlDocument = DocumentOf<{ kind: "xml"; root: string; lists: readonly string[] }>;

/** Yields the lines about shares of the company, each with the report's first owner. */
function* linesOf(report: XmlDocument, { cik }: ListedReport): Iterable<unknown> {
  const { documentType, issuer, reportingOwner, nonDerivativeTable, dateOfOriginalSubmission } = report;
  const [owner] = Array.isArray(reportingOwner) ? reportingOwner : [];
  if (!isNode(issuer) || typeof issuer["issuerCik"] !== "string" || owner === undefined) {
    throw new SourceFailure("changed", "expected an ownershipDocument with issuer and reportingOwner");
  }
  // A company's list also includes reports about other issuers, which the company filed as an owner. These reports are
  // skipped. So is a form 5, the annual report of trades that were exempt from form 4 or not reported in time.
  const isAbout = Number(issuer["issuerCik"]) === Number(cik) && (documentType === "4" || documentType === "4/A");
  const lines = isNode(nonDerivativeTable) ? nonDerivativeTable["nonDerivativeTransaction"] : undefined;
  if (!isAbout || !Array.isArray(lines)) return;
  for (const line of lines) {
    yield { owner, line, ...(dateOfOriginalSubmission !== undefined && { originalOn: dateOfOriginalSubmission }) };
  }
}

function isNode(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** Extracts the day from a date with or without a time zone, such as `2026-05-12-05:00`. */
function dayOf(text: string): string {
  const day = text.slice(0, 10);
  if (!isCalendarDate(day)) throw new BadRow(`"${text.slice(0, 40)}" is not a day`);
  return day;
}

function numberOf(text: string): number {
  const value = text.trim() === "" ? Number.NaN : Number(text);
  if (!Number.isFinite(value)) throw new BadRow(`"${text.slice(0, 40)}" is not a number`);
  return value;
}

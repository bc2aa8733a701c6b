import { CsvError, parse } from "csv-parse/sync";
import { OperatorError } from "../../../kit/operator-error.js";
import type { MonitoredCompany, MonitoredCompanyInput } from "../records.js";
import { domicileName } from "../rules/domicile-country.js";

/** A company of a CSV file. */
export interface CsvCompany {
  /** Number of the row's last line in the file; the header is line 1. */
  readonly line: number;
  readonly company: MonitoredCompanyInput;
}

/**
 * The columns that contain lists. The items of a list are separated by `;`; within an item, `\;` stands for `;` and
 * `\\` for `\`. Each item is sent in the list `member` of the company, and the service returns it as a claim of the
 * type `type`.
 */
const lists = {
  aliases: { member: "aliases", type: "COMPANY_CLAIM_TYPE_ALIAS" },
  domains: { member: "domains", type: "COMPANY_CLAIM_TYPE_DOMAIN" },
  identifiers: { member: "identifiers", type: "COMPANY_CLAIM_TYPE_LEGAL_IDENTIFIER" },
  social_handles: { member: "socialHandles", type: "COMPANY_CLAIM_TYPE_SOCIAL_HANDLE" },
  locations: { member: "locations", type: "COMPANY_CLAIM_TYPE_LOCATION" },
} as const;
const columns = ["name", "domicile_country", "customer_reference", ...Object.keys(lists)];
const required = ["name", "domicile_country"];

/** Parses the companies in CSV text with a header. Throws `OperatorError` with the line of the first mistake. */
export function companiesIn(text: string): readonly CsvCompany[] {
  const [header, ...rows] = linesOf(text);
  const names = (header?.cells ?? []).map((name) => name.trim());
  const missing = required.filter((name) => !names.includes(name));
  const unknown = names.filter((name) => !columns.includes(name));
  if (missing.length > 0) throw new OperatorError(`the first line must name the columns ${missing.join(", ")}`);
  if (unknown.length > 0) {
    throw new OperatorError(`the column ${unknown[0]} is unknown; the columns are ${columns.join(", ")}`);
  }
  // Only the last of several cells with the same name would be used, and the data of the others would be lost.
  const repeated = names.find((name, at) => names.indexOf(name) < at);
  if (repeated !== undefined) throw new OperatorError(`the first line repeats the column ${repeated}`);
  return rows.map(({ cells, line }) => {
    if (cells.length !== names.length) {
      throw new OperatorError(`line ${line} must have ${names.length} cells, got ${cells.length}`);
    }
    const byName = new Map(names.map((name, at) => [name, cells[at] ?? ""]));
    return { line, company: companyOf(byName) };
  });
}

const options = {
  bom: true,
  info: true,
  // `companiesIn` checks the number of cells. A quote inside a cell is an ordinary character.
  relax_column_count: true,
  relax_quotes: true,
  record_delimiter: ["\r\n", "\n", "\r"],
};

interface Line {
  /** Number of the row's last line. A row has several lines if a quoted cell contains line breaks. */
  readonly line: number;
  readonly cells: readonly string[];
}

/**
 * Parses the rows of CSV text, including the header and without blank rows. Throws `OperatorError` for a quoted cell
 * without an end.
 */
function linesOf(text: string): readonly Line[] {
  try {
    // With the option `info`, the library returns each row with the line at which it ends. The library's types omit
    // this, so the rows are cast.
    const rows = parse(text, options) as unknown as readonly { info: { lines: number }; record: string[] }[];
    return rows
      .map(({ info, record }) => ({ line: info.lines, cells: record }))
      .filter(({ cells: [first = "", ...others] }) => others.length > 0 || first.trim() !== "");
  } catch (error) {
    if (!(error instanceof CsvError) || error.code !== "CSV_QUOTE_NOT_CLOSED") throw error;
    throw new OperatorError(`line ${error["lines"]} has a quoted cell without an end`);
  }
}

function companyOf(cells: ReadonlyMap<string, string>): MonitoredCompanyInput {
  const texts = Object.entries(lists).map(([column, { member }]) => [
    member,
    itemsIn(cells.get(column) ?? "").filter((text) => text.trim() !== ""),
  ]);
  return {
    name: cells.get("name") ?? "",
    domicileCountry: domicileName((cells.get("domicile_country") ?? "").trim().toUpperCase()),
    customerReference: cells.get("customer_reference") ?? "",
    ...Object.fromEntries(texts),
  };
}

/** Splits a cell at each `;`. In an item, `\;` stands for `;` and `\\` for `\`. */
function itemsIn(cell: string): readonly string[] {
  const items: string[] = [];
  let pieces: string[] = [];
  for (const piece of cell.split(";")) {
    pieces.push(piece);
    if (backslashesAtEnd(piece) % 2 === 1) continue;
    items.push(pieces.join(";"));
    pieces = [];
  }
  return [...items, pieces.join(";")].map((item) => item.replace(/\\([;\\])/g, "$1"));
}

function backslashesAtEnd(text: string): number {
  let count = 0;
  while (text.at(-1 - count) === "\\") count += 1;
  return count;
}

const itemText = (item: string): string => item.replace(/[;\\]/g, "\\$&");

/** Writes companies as CSV that `companiesIn` can read back. */
export function csvOf(companies: readonly MonitoredCompany[]): string {
  return [columns.join(","), ...companies.map(lineOf)].map((line) => `${line}\n`).join("");
}

function lineOf({ name, domicileCountry, claims }: MonitoredCompany): string {
  const valuesOf = (type: string): readonly string[] =>
    claims.filter((claim) => claim.type === type).map(({ value }) => value);
  const cells = [
    name,
    domicileCountry.slice(domicileName("").length),
    ...valuesOf("COMPANY_CLAIM_TYPE_CUSTOMER_REFERENCE").slice(0, 1),
  ];
  const reference = cells.length === 3 ? cells : [...cells, ""];
  const listed = Object.values(lists).map(({ type }) =>
    valuesOf(type)
      // The service adds the name as an alias, so the name is not listed again.
      .filter((value) => !(type === "COMPANY_CLAIM_TYPE_ALIAS" && value === name))
      .map(itemText)
      .join(";"),
  );
  return [...reference, ...listed].map(cellText).join(",");
}

function cellText(value: string): string {
  return /[",]/.test(value) ? `"${value.replaceAll('"', '""')}"` : value;
}

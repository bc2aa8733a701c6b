import { OperatorError } from "../../../kit/operator-error.js";
import type { MonitoredCompany, MonitoredCompanyInput } from "../records.js";
import { domicileName } from "../rules/domicile-country.js";

/** A company of a CSV file. */
export interface CsvCompany {
  /** From 1, the header included. */
  readonly line: number;
  readonly company: MonitoredCompanyInput;
}

/** The columns that hold lists, with the type of their claims. The texts of a list are separated by `;`. */
const lists = {
  aliases: { member: "aliases", type: "COMPANY_CLAIM_TYPE_ALIAS" },
  domains: { member: "domains", type: "COMPANY_CLAIM_TYPE_DOMAIN" },
  identifiers: { member: "identifiers", type: "COMPANY_CLAIM_TYPE_LEGAL_IDENTIFIER" },
  social_handles: { member: "socialHandles", type: "COMPANY_CLAIM_TYPE_SOCIAL_HANDLE" },
  locations: { member: "locations", type: "COMPANY_CLAIM_TYPE_LOCATION" },
} as const;
const columns = ["name", "domicile_country", "customer_reference", ...Object.keys(lists)];
const required = ["name", "domicile_country"];

/** Reads the companies of a CSV text with a header. Throws `OperatorError` with the line of the first mistake. */
export function companiesIn(text: string): readonly CsvCompany[] {
  const lines = text
    .replace(/^\ufeff/, "")
    .split(/\r?\n/)
    .map((line, index) => ({ line, number: index + 1 }))
    .filter(({ line }) => line.trim() !== "");
  const [header, ...rows] = lines;
  const names = header ? cellsOf(header.line, header.number).map((name) => name.trim()) : [];
  const missing = required.filter((name) => !names.includes(name));
  const unknown = names.filter((name) => !columns.includes(name));
  if (missing.length > 0) throw new OperatorError(`the first line must name the columns ${missing.join(", ")}`);
  if (unknown.length > 0) {
    throw new OperatorError(`the column ${unknown[0]} is unknown; the columns are ${columns.join(", ")}`);
  }
  return rows.map(({ line, number }) => {
    const cells = cellsOf(line, number);
    if (cells.length !== names.length) {
      throw new OperatorError(`line ${number} must have ${names.length} cells, got ${cells.length}`);
    }
    const byName = new Map(names.map((name, at) => [name, cells[at] ?? ""]));
    return { line: number, company: companyOf(byName) };
  });
}

function companyOf(cells: ReadonlyMap<string, string>): MonitoredCompanyInput {
  const texts = Object.entries(lists).map(([column, { member }]) => [
    member,
    (cells.get(column) ?? "").split(";").filter((text) => text.trim() !== ""),
  ]);
  return {
    name: cells.get("name") ?? "",
    domicileCountry: domicileName((cells.get("domicile_country") ?? "").trim().toUpperCase()),
    customerReference: cells.get("customer_reference") ?? "",
    ...Object.fromEntries(texts),
  };
}

/** The CSV text of companies, which `companiesIn` reads back. */
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
      // The name is an alias by itself.
      .filter((value) => !(type === "COMPANY_CLAIM_TYPE_ALIAS" && value === name))
      .join(";"),
  );
  return [...reference, ...listed].map(cellText).join(",");
}

function cellText(value: string): string {
  return /[",]/.test(value) ? `"${value.replaceAll('"', '""')}"` : value;
}

/** Splits a line into cells. A quoted cell may contain commas, and a double quote as two. */
function cellsOf(line: string, number: number): readonly string[] {
  const cells: string[] = [];
  for (let rest = line; ; ) {
    const quoted = /^"((?:[^"]|"")*)"(?:,|$)/.exec(rest);
    if (!quoted && rest.startsWith('"')) throw new OperatorError(`line ${number} has a quoted cell without an end`);
    const end = rest.indexOf(",");
    const cell = quoted ? (quoted[1] ?? "").replaceAll('""', '"') : end < 0 ? rest : rest.slice(0, end);
    cells.push(cell);
    const taken = quoted ? quoted[0].length : cell.length + 1;
    if (taken > rest.length || (quoted && !quoted[0].endsWith(","))) return cells;
    rest = rest.slice(taken);
  }
}

import type { CompanyImportRowResult, MonitoredCompany, MonitoredCompanyInput } from "../../../src/sdk/index.js";
import { enumText } from "../../format.js";
import { domicileCode } from "./company-texts.js";

/** A record of a CSV file. */
export interface FileLine {
  /** The line in which the record ends, counted from 1, including the header. */
  readonly line: number;
  readonly cells: readonly string[];
}

/** The state of a row of the file. */
export type RowStage =
  | { readonly kind: "ready" }
  /** The company is already in the portfolio, or on an earlier line of the file. */
  | { readonly kind: "there"; readonly reason: string }
  | { readonly kind: "refused"; readonly reason: string }
  | { readonly kind: "created" };

/** A row of the file, as shown in the preview. */
export interface FileRow {
  readonly line: number;
  readonly company: MonitoredCompanyInput;
  readonly stage: RowStage;
}

/** The columns that hold lists; their entries are separated by `;`. */
const lists = {
  aliases: "aliases",
  domains: "domains",
  identifiers: "identifiers",
  social_handles: "socialHandles",
  locations: "locations",
} as const;
const required = ["name", "domicile_country"] as const;
export const COLUMNS: readonly string[] = [...required, "customer_reference", ...Object.keys(lists)];

/** The rows of a file. Throws an error with a user-readable message if the header line is invalid. */
export function fileRows([header, ...lines]: readonly FileLine[]): readonly FileRow[] {
  const names = (header?.cells ?? []).map((name) => name.trim());
  const missing = required.filter((name) => !names.includes(name));
  const unknown = names.filter((name) => !COLUMNS.includes(name));
  if (missing.length > 0) {
    const columns = missing.length === 1 ? "column" : "columns";
    throw new Error(`The first line must name the ${columns} ${missing.join(" and ")}.`);
  }
  if (unknown.length > 0) {
    throw new Error(`The column ${unknown[0]} is unknown. The columns are ${COLUMNS.join(", ")}.`);
  }
  return lines.map(({ line, cells }) => {
    const byName = new Map(names.map((name, at) => [name, cells[at] ?? ""]));
    const reason = troubleOf(byName, cells.length, names.length);
    return { line, company: companyOf(byName), stage: reason ? { kind: "refused", reason } : { kind: "ready" } };
  });
}

function troubleOf(cells: ReadonlyMap<string, string>, count: number, expected: number): string | undefined {
  if (count !== expected) return `The row has ${count} cells instead of ${expected}.`;
  if ((cells.get("name") ?? "").trim() === "") return "The name is missing.";
  const country = countryIn(cells);
  if (!/^[A-Z]{2}$/.test(country)) {
    return `domicile_country must be an ISO 3166-1 code such as US, got “${country}”.`;
  }
  return undefined;
}

const countryIn = (cells: ReadonlyMap<string, string>): string =>
  (cells.get("domicile_country") ?? "").trim().toUpperCase();

function companyOf(cells: ReadonlyMap<string, string>): MonitoredCompanyInput {
  const texts = Object.entries(lists).map(([column, member]) => [member, listed(cells.get(column) ?? "", ";")]);
  return {
    name: (cells.get("name") ?? "").trim(),
    domicileCountry: `DOMICILE_COUNTRY_${countryIn(cells)}`,
    customerReference: (cells.get("customer_reference") ?? "").trim(),
    ...Object.fromEntries(texts),
  };
}

/** The entries of a list, without empty ones. */
export function listed(text: string, separator: string | RegExp): readonly string[] {
  return text
    .split(separator)
    .map((entry) => entry.trim())
    .filter((entry) => entry !== "");
}

/** Marks rows whose company is already in the portfolio or on an earlier line, so that they are not sent. */
export function withoutDuplicates(
  rows: readonly FileRow[],
  portfolio: readonly MonitoredCompany[],
): readonly FileRow[] {
  const reasonByKey = new Map<string, string>();
  for (const { name, domicileCountry, claims } of portfolio) {
    reasonByKey.set(nameKey(name, domicileCountry), "The portfolio has a company with this name and country.");
    for (const { type, value } of claims) {
      if (type === "COMPANY_CLAIM_TYPE_CUSTOMER_REFERENCE") {
        reasonByKey.set(referenceKey(value), "The portfolio has a company with this customer reference.");
      }
    }
  }
  return rows.map((row) => {
    if (row.stage.kind !== "ready") return row;
    const { name, domicileCountry, customerReference = "" } = row.company;
    const keys = [
      nameKey(name, domicileCountry),
      ...(customerReference === "" ? [] : [referenceKey(customerReference)]),
    ];
    const reason = keys.map((key) => reasonByKey.get(key)).find((text) => text !== undefined);
    for (const key of keys) reasonByKey.set(key, `Same company as line ${row.line}.`);
    return reason === undefined ? row : { ...row, stage: { kind: "there", reason } };
  });
}

const nameKey = (name: string, domicile: string): string => `name ${domicileCode(domicile)} ${name.toLowerCase()}`;
const referenceKey = (reference: string): string => `reference ${reference}`;

/** Maximum number of rows per import. */
export const BATCH_ROWS_MAX = 100;

/** The rows of the next import: the first ones that are ready. */
export function nextBatch(rows: readonly FileRow[]): readonly FileRow[] {
  return rows.filter(({ stage }) => stage.kind === "ready").slice(0, BATCH_ROWS_MAX);
}

/** Sets the states of the rows in `batch` from the results of their import. */
export function withResults(
  rows: readonly FileRow[],
  batch: readonly FileRow[],
  results: readonly CompanyImportRowResult[],
): readonly FileRow[] {
  const stages = new Map(results.map((result) => [batch[result.ordinal]?.line, stageOf(result)]));
  return rows.map((row) => ({ ...row, stage: stages.get(row.line) ?? row.stage }));
}

function stageOf({ outcome, reasonCode }: CompanyImportRowResult): RowStage {
  switch (outcome) {
    case "COMPANY_IMPORT_ROW_OUTCOME_CREATED":
      return { kind: "created" };
    case "COMPANY_IMPORT_ROW_OUTCOME_REPLAYED":
      return { kind: "created" };
    case "COMPANY_IMPORT_ROW_OUTCOME_NO_OP":
      return { kind: "there", reason: reasonOf(reasonCode) };
    default:
      return { kind: "refused", reason: reasonOf(reasonCode) };
  }
}

const reasonsByCode: Readonly<Record<string, string>> = {
  COMPANY_LIMIT_REACHED: "The account has reached its company limit.",
  CUSTOMER_REFERENCE_EXISTS: "The portfolio has a company with this customer reference.",
  REPLAY_CONFLICT: "An earlier attempt at this import created a different company for this row.",
};

const reasonOf = (code: string): string => reasonsByCode[code] ?? `The service said: ${enumText(code, "")}.`;

/**
 * Marks the rows named in the violations of a rejected import as refused. Returns undefined if the violations name no
 * row: then no row can be left out, and a second import would fail too.
 */
export function withRefusals(
  rows: readonly FileRow[],
  batch: readonly FileRow[],
  failures: ReadonlyMap<string, string>,
): readonly FileRow[] | undefined {
  const reasons = new Map<number, string>();
  for (const [field, text] of failures) {
    const [, at = "", member = ""] = /^rows\[(\d+)\](?:\.company)?\.?(.*)$/.exec(field) ?? [];
    const line = at === "" ? undefined : batch[Number(at)]?.line;
    if (line === undefined) continue;
    const reason = `${member}: ${text}`.replace(/^: /, "");
    reasons.set(line, [reasons.get(line), reason].filter(Boolean).join(" "));
  }
  if (reasons.size === 0) return undefined;
  return rows.map((row) => {
    const reason = reasons.get(row.line);
    return reason === undefined ? row : { ...row, stage: { kind: "refused", reason } };
  });
}

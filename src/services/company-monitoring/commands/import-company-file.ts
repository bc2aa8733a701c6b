import { basename } from "node:path";
import { Failure, type Violation } from "../../../contract/failures.js";
import type { CommandCall, ServiceCommand } from "../../../contract/service-command.js";
import { OperatorError } from "../../../kit/operator-error.js";
import { table } from "../../../kit/text-table.js";
import type { ImportReport, RowResult } from "../portfolio/import-companies.js";
import { IMPORT_ROWS_MAX } from "../rules/limits.js";
import { normalImport } from "../rules/normal/normal-import.js";
import { type CsvCompany, companiesIn } from "./company-csv.js";

const PATH = "/api/company-monitoring/v1/import-monitored-company-batch";
const ID_CHARACTERS_MAX = 48;

export const importCompanyFile: ServiceCommand = {
  name: "import",
  description:
    "imports the companies of a CSV file with the columns name, domicile_country (such as US), customer_reference, aliases, domains, identifiers, social_handles and locations. In the last five columns, a cell is a list with ; between its items, and \\; stands for ; within an item. Importing a file again under the same id creates only the companies of rows added at its end, and rejects changed rows",
  argument: { name: "file", description: "the CSV file" },
  options: [
    { flags: "--id <id>", description: "id of the import; default: the name of the file" },
    { flags: "--json", description: "prints the outcome of every row as JSON" },
  ],
  examples: ["vigil companies import companies.csv", "vigil companies import new.csv --id 2026-11 --json"],
  exitCodes:
    "0 every row was imported or is already present; 1 the file or an import was refused, rows were rejected, or the service did not answer",
  async run(call) {
    const companies = companiesIn(await call.readText(call.argument));
    if (companies.length === 0) throw new OperatorError(`${call.argument} has no companies`);
    const importId = (call.options["id"] ?? basename(call.argument)).slice(0, ID_CHARACTERS_MAX);
    const batches = batchesOf(companies, importId);
    refuseWrongRows(batches);
    const isJson = call.options["json"] !== undefined;
    let done = 0;
    const totals = { created: 0, replayed: 0, rejected: 0 };
    const outcomes: object[] = [];
    for (const batch of batches) {
      const { rows } = batch;
      const report = await sent(call, requestOf(batch));
      done += rows.length;
      totals.created += report.createdCount;
      totals.replayed += report.replayedCount;
      totals.rejected += report.rejectedCount;
      outcomes.push(...report.results.map((result) => outcomeOf(result, rows)));
      if (!isJson) call.say(reportTable(report.results, rows));
      call.note(`${done} of ${companies.length} rows`);
    }
    if (isJson) call.say(JSON.stringify({ ...totals, rows: outcomes }, null, 2));
    else call.say(`${totals.created} created, ${totals.replayed} already present, ${totals.rejected} rejected`);
    if (totals.rejected > 0)
      throw new OperatorError(`${totals.rejected} of ${done} rows were rejected, for the reasons above`);
  },
};

interface Batch {
  readonly contractVersion: "cm-import-v1";
  readonly clientImportId: string;
  readonly rows: readonly (CsvCompany & { readonly ordinal: number })[];
}

/**
 * Splits the file into imports of at most 100 rows. A row keeps its import and ordinal as long as no rows are added or
 * removed before it.
 */
function batchesOf(companies: readonly CsvCompany[], importId: string): readonly Batch[] {
  return Array.from({ length: Math.ceil(companies.length / IMPORT_ROWS_MAX) }, (_, number) => ({
    contractVersion: "cm-import-v1",
    clientImportId: `${importId} ${number + 1}`,
    rows: companies
      .slice(number * IMPORT_ROWS_MAX, (number + 1) * IMPORT_ROWS_MAX)
      .map((row, ordinal) => ({ ...row, ordinal })),
  }));
}

/** The import as it is sent, without the lines of the rows. */
function requestOf({ rows, ...batch }: Batch) {
  return { ...batch, rows: rows.map(({ ordinal, company }) => ({ ordinal, company })) };
}

/**
 * Throws `OperatorError` with the lines of invalid rows, for at most ten violations per import. Called before the first
 * row is sent.
 */
function refuseWrongRows(batches: readonly Batch[]): void {
  const sentences = batches.flatMap((batch) => {
    try {
      normalImport(requestOf(batch));
      return [];
    } catch (error) {
      if (!(error instanceof Failure)) throw error;
      const violations = error.body["violations"] as readonly Violation[];
      return violations.map(({ field, description }) => {
        const [, at = "", member = "the row"] = /^rows\[(\d+)\](?:\.company\.(.+))?$/.exec(field) ?? [];
        const line = batch.rows[Number(at)]?.line;
        return at === "" || line === undefined ? `${field} ${description}` : `line ${line}: ${member} ${description}`;
      });
    }
  });
  if (sentences.length > 0) throw new OperatorError(sentences.join("\n"));
}

async function sent(call: CommandCall, batch: object): Promise<ImportReport> {
  const { status, body } = await call.send(PATH, batch);
  // The cast is safe, because the body is the service's own answer to this request.
  if (status === 200) return body as ImportReport;
  throw new OperatorError(`${PATH} answered ${status}: ${JSON.stringify(body)}; import the file again to continue`);
}

/** Returns the outcome of a row, with the row's line in the file and its company's name. */
function outcomeOf({ ordinal, ...result }: RowResult, rows: Batch["rows"]): object {
  return { line: rows[ordinal]?.line, name: rows[ordinal]?.company.name, ...result };
}

function reportTable(results: readonly RowResult[], rows: Batch["rows"]): string {
  const cells = results.map(({ ordinal, outcome, companyId, reasonCode }) => [
    String(rows[ordinal]?.line ?? ""),
    rows[ordinal]?.company.name ?? "",
    outcome.slice("COMPANY_IMPORT_ROW_OUTCOME_".length),
    companyId ?? "",
    reasonCode,
  ]);
  return table(["line", "name", "outcome", "company", "reason"], cells);
}

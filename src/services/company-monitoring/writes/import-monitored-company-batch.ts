import { Type } from "typebox";
import { write } from "../../../contract/write.js";
import { importCompanies } from "../portfolio/import-companies.js";
import { portfolio } from "../ports.js";
import { BoundedText, CompanyId, importOutcomes, MonitoredCompanyInput } from "../records.js";
import { IMPORT_ROWS_MAX, REQUEST_ID_BYTES_MAX } from "../rules/limits.js";
import { normalImport } from "../rules/normal/normal-import.js";

const Count = (description: string) => Type.Integer({ minimum: 0, description });

export const importMonitoredCompanyBatch = write({
  rpc: "import-monitored-company-batch",
  summary: "Import up to 100 companies",
  description:
    "Creates the companies of all rows in one transaction, in the order of their ordinals. The outcome of a row is CREATED for a new company; REPLAYED if an earlier import with this clientImportId created the same company for this ordinal; CONFLICT (REPLAY_CONFLICT) if it created a different company for this ordinal; NO_OP (CUSTOMER_REFERENCE_EXISTS) if the account has a company with this customerReference; REJECTED (COMPANY_LIMIT_REACHED) if the account has 500 companies. If a row is malformed, the whole import is refused. Idempotency-Key is ignored.",
  access: { scope: "company_monitoring:write" },
  limit: { name: "company-import", callsMax: 10 },
  repeats: "ignored",
  isTransaction: true,
  uses: { portfolio },
  request: Type.Object(
    {
      contractVersion: Type.Enum(["cm-import-v1"], { description: "Version of this request" }),
      clientImportId: BoundedText(REQUEST_ID_BYTES_MAX, "The client's own id of the import"),
      rows: Type.Array(
        Type.Object(
          {
            ordinal: Type.Optional(
              Type.Integer({
                minimum: 0,
                maximum: IMPORT_ROWS_MAX - 1,
                default: 0,
                description: "Number of the row, from 0",
              }),
            ),
            company: MonitoredCompanyInput,
          },
          { title: "MonitoredCompanyImportRow" },
        ),
        {
          minItems: 1,
          maxItems: IMPORT_ROWS_MAX,
          description: "Rows with the ordinals 0, 1, 2, …, in any order; at most 8,192 bytes of JSON each",
        },
      ),
    },
    { title: "ImportMonitoredCompanyBatchRequest" },
  ),
  example: {
    contractVersion: "cm-import-v1",
    clientImportId: "example",
    rows: [{ ordinal: 0, company: { name: "Specimen", domicileCountry: "DOMICILE_COUNTRY_GB" } }],
  },
  response: Type.Object(
    {
      createdCount: Count("Number of rows with the outcome CREATED"),
      replayedCount: Count("Number of rows with the outcome REPLAYED or NO_OP"),
      rejectedCount: Count("Number of rows with the outcome REJECTED or CONFLICT"),
      results: Type.Array(
        Type.Object(
          {
            ordinal: Type.Integer({ description: "Number of the row, from 0" }),
            companyId: Type.Optional(CompanyId),
            outcome: Type.Enum([...importOutcomes], { description: "Outcome of the row" }),
            reasonCode: Type.String({ description: "Stable reason; empty for CREATED and REPLAYED" }),
          },
          { title: "CompanyImportRowResult" },
        ),
        { maxItems: IMPORT_ROWS_MAX, description: "One entry for each row, by ordinal" },
      ),
    },
    { title: "ImportMonitoredCompanyBatchResponse" },
  ),
  async run(input, { ports }) {
    const batch = normalImport(input);
    return { body: await importCompanies(await ports.portfolio.turn(), batch) };
  },
});

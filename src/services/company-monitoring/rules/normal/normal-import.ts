import type { MonitoredCompanyInput } from "../../records.js";
import { IMPORT_ROW_BYTES_MAX, REQUEST_ID_BYTES_MAX } from "../limits.js";
import { type NormalCompany, normalCompany } from "./normal-company.js";
import { normalText } from "./normal-text.js";
import { refusals } from "./refusals.js";

/** An import in normal form: rows in the order of their ordinals, which are 0, 1, 2, … */
export interface NormalImport {
  readonly importId: string;
  readonly companies: readonly NormalCompany[];
}

interface ImportInput {
  readonly clientImportId: string;
  readonly rows: readonly { readonly ordinal?: number; readonly company: MonitoredCompanyInput }[];
}

/**
 * Returns the normal form of an import. Throws the 400 that names the rejected members, at most ten, by the positions
 * of their rows in the body.
 */
export function normalImport({ clientImportId, rows }: ImportInput): NormalImport {
  const refused = refusals();
  const importId = refused.take("clientImportId", normalText(clientImportId, REQUEST_ID_BYTES_MAX), "");
  const read = rows.map((row, at) => {
    const bytes = Buffer.byteLength(JSON.stringify(row));
    if (bytes > IMPORT_ROW_BYTES_MAX) {
      refused.refuse(`rows[${at}]`, `must have at most ${IMPORT_ROW_BYTES_MAX} bytes of JSON, got ${bytes}`);
    }
    return { ordinal: row.ordinal ?? 0, company: normalCompany(row.company, `rows[${at}].company`, refused) };
  });
  const ordered = read.sort((a, b) => a.ordinal - b.ordinal);
  if (ordered.some(({ ordinal }, at) => ordinal !== at)) {
    refused.refuse("rows", `must have the ordinals 0 to ${rows.length - 1}, each once`);
  }
  refused.check();
  return { importId, companies: ordered.map(({ company }) => company) };
}

import { useState } from "preact/hooks";
import type { MonitoredCompany } from "../../../src/sdk/index.js";
import { vigil } from "../../client.js";
import { Field } from "../../parts/field.js";
import { failureText } from "../../reads/failure-text.js";
import { fieldFailures } from "../../writes/field-failures.js";
import { useWrite } from "../../writes/write.js";
import {
  COLUMNS,
  type FileRow,
  fileRows,
  nextBatch,
  withoutDuplicates,
  withRefusals,
  withResults,
} from "./company-file.js";
import { ImportPreview } from "./import-preview.js";

/** Far more than an account's companies need. */
const FILE_BYTES_MAX = 2_000_000;

interface ImportFormProps {
  readonly portfolio: readonly MonitoredCompany[];
  readonly onChange: () => void;
}

/** Imports companies from a CSV file after a preview of what happens to each row. */
export function ImportForm({ portfolio, onChange }: ImportFormProps) {
  const [rows, setRows] = useState<readonly FileRow[]>();
  const [importId, setImportId] = useState("");
  const [trouble, setTrouble] = useState<string>();
  const choose = async (file: File | undefined): Promise<void> => {
    setRows(undefined);
    setTrouble(undefined);
    if (!file) return;
    try {
      if (file.size > FILE_BYTES_MAX) throw new Error("The file is larger than 2 MB.");
      const [{ csvLines }, text] = await Promise.all([import("./csv.js"), file.text()]);
      const read = fileRows(csvLines(text));
      if (read.length === 0) throw new Error("The file has no companies.");
      setRows(withoutDuplicates(read, portfolio));
      setImportId(`console ${Date.now().toString(36)}`);
    } catch (error) {
      setTrouble(failureText(error));
    }
  };
  const { isSent, failure, send } = useWrite(async () => {
    let left = rows ?? [];
    try {
      for (let batch = nextBatch(left); batch.length > 0; batch = nextBatch(left)) {
        left = await imported(left, batch, importId);
        setRows(left);
      }
    } finally {
      onChange();
    }
  });
  return (
    <section class="card import-form" aria-label="Import a CSV file">
      <Field
        label="CSV file"
        failure={trouble}
        hint={
          <>
            The first line names the columns: <code>{COLUMNS.join(",")}</code>. Only the first two are required; a
            country is a code such as US; semicolons separate the entries of a list.
          </>
        }
      >
        {(input) => (
          <input
            {...input}
            type="file"
            accept=".csv,text/csv"
            disabled={isSent}
            onChange={({ currentTarget }) => choose(currentTarget.files?.[0])}
          />
        )}
      </Field>
      {rows && <ImportPreview rows={rows} isSent={isSent} onImport={send} />}
      {failure !== undefined && (
        <p class="notice failed" role="alert">
          {failureText(failure)} Companies imported so far are kept; import again to continue.
        </p>
      )}
    </section>
  );
}

/**
 * Sends one import and returns the rows with their outcomes. If the service rejects some of the rows, it stores none:
 * the rejected rows are marked, and the others wait for the next import.
 */
async function imported(
  rows: readonly FileRow[],
  batch: readonly FileRow[],
  importId: string,
): Promise<readonly FileRow[]> {
  try {
    const { data } = await vigil.companyMonitoring.importMonitoredCompanyBatch({
      contractVersion: "cm-import-v1",
      // A batch that is sent again keeps its id, so no company is created twice.
      clientImportId: `${importId} ${batch[0]?.line}`,
      rows: batch.map(({ company }, ordinal) => ({ ordinal, company })),
    });
    return withResults(rows, batch, data.results);
  } catch (error) {
    const marked = withRefusals(rows, batch, fieldFailures(error));
    if (marked === undefined) throw error;
    return marked;
  }
}

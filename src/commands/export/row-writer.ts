import type { AnyDataset } from "../../contract/product.js";
import { OperatorError } from "../../kit/operator-error.js";
import { DEFAULT_IDENTITY, identitiesOf, rowKey } from "../../snapshots/changes/row-changes.js";
import type { ExportOptions } from "./export-options.js";
import type { ExportedRow, ExportedRows } from "./exported-rows.js";
import type { Output } from "./output-file.js";
import { writeParquet } from "./parquet.js";
import type { ExportProvenance } from "./provenance.js";
import type { SurveyedRows } from "./row-survey.js";
import { csvTexts, geojsonTexts, ndjsonTexts, type RowTexts } from "./row-texts.js";

/** The contents of an export. */
interface Contents {
  readonly dataset: AnyDataset;
  readonly format: ExportOptions["format"];
  readonly rows: ExportedRows;
  readonly surveyed: SurveyedRows;
  readonly provenance: ExportProvenance;
}

export type WriteRows = (output: Output) => Promise<void>;

/**
 * Returns the function that writes the rows in the chosen format. Throws an `OperatorError` if the format cannot hold
 * the rows.
 */
export function rowWriter({ dataset, format, rows, surveyed, provenance }: Contents): WriteRows {
  const { columns, location } = surveyed;
  if (format === "parquet") {
    if (columns.length === 0) throw new OperatorError(`${dataset.name} has no rows, and so no columns; choose ndjson`);
    const metadata = { vigil: JSON.stringify(provenance) };
    const createdBy = String(provenance["exporter"]);
    return (output) => writeParquet(rows.batches(), { columns, metadata, createdBy }, output);
  }
  if (format === "csv") return textWriter(rows, csvTexts(columns));
  if (format === "ndjson") return textWriter(rows, ndjsonTexts);
  if (location === undefined) {
    throw new OperatorError(`the rows of ${dataset.name} have no coordinates; choose csv, ndjson or parquet`);
  }
  return textWriter(rows, geojsonTexts(location, identifier(dataset, rows.parts.length > 1), {}));
}

/**
 * Returns the function that identifies a row, in the same way as the dataset's change log. If there are several parts,
 * the identity includes the name of the part.
 */
function identifier(dataset: AnyDataset, isLabelled: boolean): (row: ExportedRow) => string {
  const identities = identitiesOf(dataset);
  return ({ part, row }) => {
    const key = rowKey(row, identities[part] ?? DEFAULT_IDENTITY);
    return isLabelled ? `${part} ${key}` : key;
  };
}

function textWriter(rows: ExportedRows, { head, row: textOf, tail }: RowTexts): WriteRows {
  return async (output) => {
    await output.write(head);
    let index = 0;
    for await (const batch of rows.batches()) {
      await output.write(batch.map((row, at) => textOf(row, index + at)).join(""));
      index += batch.length;
    }
    await output.write(tail);
  };
}

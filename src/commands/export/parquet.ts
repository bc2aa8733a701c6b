import type { ColumnSource, ParquetWriter } from "hyparquet-writer";
import { valueIn } from "../../http/rows/csv-columns.js";
import type { ExportedRow } from "./exported-rows.js";
import type { Output } from "./output-file.js";
import type { ColumnKind, KindedColumn } from "./row-survey.js";

type SchemaElement = ConstructorParameters<typeof ParquetWriter>[0]["schema"][number];

/** Number of rows that are held in memory and written together. */
const GROUP_ROWS = 20_000;

/** The contents of a Parquet file apart from its rows. */
export interface ParquetFile {
  readonly columns: readonly KindedColumn[];
  /** Key-value metadata. */
  readonly metadata: Readonly<Record<string, string>>;
  readonly createdBy: string;
}

/** Writes rows as a Parquet file, one row group at a time. */
export async function writeParquet(
  rows: AsyncIterable<readonly ExportedRow[]>,
  { columns, metadata, createdBy }: ParquetFile,
  output: Output,
): Promise<void> {
  // Loaded only here, so that other commands start faster.
  const { ByteWriter, ParquetWriter } = await import("hyparquet-writer");
  const bytes = new ByteWriter();
  async function flush(): Promise<void> {
    await output.write(bytes.getBytes().slice());
    bytes.index = 0;
  }
  const file = new ParquetWriter({
    writer: Object.assign(bytes, { flush, finish: flush }),
    schema: [{ name: "root", num_children: columns.length }, ...columns.map(schemaElement)],
    kvMetadata: Object.entries(metadata).map(([key, value]) => ({ key, value })),
    createdBy,
  });
  let group: unknown[] = [];
  async function writeGroup(): Promise<void> {
    const columnData = columns.map((column) => columnSource(column, group));
    group = [];
    await file.write({ columnData, rowGroupSize: GROUP_ROWS });
  }
  for await (const batch of rows) {
    for (const { row } of batch) {
      group.push(row);
      if (group.length === GROUP_ROWS) await writeGroup();
    }
  }
  if (group.length > 0) await writeGroup();
  await file.finish();
}

const ELEMENTS: Readonly<Record<ColumnKind, Omit<SchemaElement, "name">>> = {
  boolean: { type: "BOOLEAN" },
  integer: { type: "INT64" },
  number: { type: "DOUBLE" },
  text: { type: "BYTE_ARRAY", converted_type: "UTF8", logical_type: { type: "STRING" } },
  instant: {
    type: "INT64",
    converted_type: "TIMESTAMP_MILLIS",
    logical_type: { type: "TIMESTAMP", isAdjustedToUTC: true, unit: "MILLIS" },
  },
  json: { type: "BYTE_ARRAY", converted_type: "JSON", logical_type: { type: "JSON" } },
};

function schemaElement({ name, kind }: KindedColumn): SchemaElement {
  return { name, ...ELEMENTS[kind], repetition_type: "OPTIONAL" };
}

function columnSource(column: KindedColumn, rows: readonly unknown[]): ColumnSource {
  const isInteger = column.kind === "integer" || column.kind === "instant";
  const data = rows.map((row) => {
    const value = valueIn(row, column) ?? null;
    return isInteger && typeof value === "number" ? BigInt(value) : value;
  });
  return { name: column.name, data };
}

import type { Readable } from "node:stream";
import { createGunzip } from "node:zlib";

type Row = Readonly<Record<string, unknown>>;

/** A stored value: a string, a number, null, or bytes in base64. */
type StoredValue = string | number | null | { readonly base64: string };

/** Yields the rows of a table as text. Each line is the JSON array of one row's values. */
export async function* tableText(
  rows: AsyncIterable<readonly Row[]>,
  columns: readonly string[],
  onRows: (count: number) => void,
): AsyncGenerator<Buffer, void> {
  for await (const some of rows) {
    const lines = some.map((row) => `${JSON.stringify(columns.map((column) => storedValue(row[column])))}\n`);
    onRows(some.length);
    yield Buffer.from(lines.join(""));
  }
}

/** Converts a column value to the form that backups use. */
export function storedValue(value: unknown): StoredValue {
  if (typeof value === "string" || typeof value === "number" || value === null) return value;
  if (Buffer.isBuffer(value)) return { base64: value.toString("base64") };
  throw new TypeError(`a column has a value that backups do not support: ${typeof value}`);
}

/** Yields the rows of a compressed table file, in batches. */
export async function* rowsInFile(file: Readable): AsyncGenerator<readonly (readonly unknown[])[], void> {
  const text = createGunzip().setEncoding("utf8");
  file.on("error", (error) => text.destroy(error)).pipe(text);
  let begun = "";
  for await (const piece of text) {
    // `node:readline` is not used, because it also breaks lines at U+2028 inside strings.
    const lines = `${begun}${piece}`.split("\n");
    begun = lines.pop() ?? "";
    if (lines.length > 0) yield lines.map((line) => (JSON.parse(line) as StoredValue[]).map(plainValue));
  }
}

function plainValue(value: StoredValue): unknown {
  return typeof value === "object" && value !== null ? Buffer.from(value.base64, "base64") : value;
}

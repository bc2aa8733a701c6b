type Row = Readonly<Record<string, unknown>>;

/** A list of rows in an answer, with the path of the member that holds the list. */
export interface ListedRows {
  readonly name: string;
  readonly rows: readonly Row[];
}

const DEPTH_MAX = 3;

/** The longest list of objects in an answer, at most `DEPTH_MAX` members deep; undefined if there is none. */
export function rowsIn(value: unknown, name = "", depth = 0): ListedRows | undefined {
  if (Array.isArray(value)) {
    const rows = value.filter((row): row is Row => typeof row === "object" && row !== null && !Array.isArray(row));
    return rows.length > 0 && rows.length === value.length ? { name, rows } : undefined;
  }
  if (typeof value !== "object" || value === null || depth >= DEPTH_MAX) return undefined;
  return Object.entries(value)
    .map(([member, inner]) => rowsIn(inner, name === "" ? member : `${name}.${member}`, depth + 1))
    .filter((list) => list !== undefined)
    .sort((a, b) => b.rows.length - a.rows.length)[0];
}

import { rowChanges } from "../../reads/row-changes.js";
import type { Layer } from "./layers/layer.js";
import type { Change, Thing } from "./thing.js";

/**
 * Returns the things in `data`, the answer at the instant shown. If the current answer `dataNow` is known, things that
 * have changed since that instant are marked, and newer things are added.
 */
export function thingsOf(layer: Layer, data: unknown, dataNow: unknown): readonly Thing[] {
  if (data === undefined) return [];
  const thing = (row: object, change?: Change): Thing => {
    const form = layer.thing(row);
    return { ...form, key: `${layer.id}:${form.id}`, layer: layer.id, row, change };
  };
  const rows = layer.rows(data);
  if (dataNow === undefined) return rows.map((row) => thing(row));
  const idOf = (row: object): string => layer.thing(row).id;
  const { marks, added } = rowChanges(rows, layer.rows(dataNow), idOf);
  return [...rows.map((row) => thing(row, marks.get(idOf(row)))), ...added.map((row) => thing(row, "new since"))];
}

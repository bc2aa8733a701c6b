// Datasets of generated rows, each with an operation that lists its rows. They are for measurements that need longer
// lists, or more lists, than the service has.
import { Type } from "typebox";
import { dataset, part } from "../dist/contract/dataset.js";
import { operation } from "../dist/contract/operation.js";
import { flag } from "../dist/contract/query-field.js";
import { source } from "../dist/contract/source.js";
import { decimal } from "../dist/contract/value-fields.js";
import { HOUR_MS } from "../dist/kit/clock.js";

const Row = Type.Object({
  id: Type.String(),
  at: Type.Integer(),
  value: Type.Number(),
  lat: Type.Number(),
  lng: Type.Number(),
  name: Type.String(),
});

/**
 * Declares the operation `list-<name>` over the dataset `bench-<name>`. Callers publish rows from `rowsOf` as its part
 * `rows`. With `sharesRows`, generations share equal rows in memory, as they do for the service's long lists.
 */
export function rowList(name, { sharesRows }) {
  const rows = source({
    id: `bench-${name}`,
    title: "rows of the bench",
    home: "https://bench.example",
    licence: { name: "none", open: true },
    credentials: [],
    requests: () => [{ key: "rows", url: "https://bench.example/rows", format: { kind: "json" } }],
    row: Row,
    rows: (document) => document,
    record: (row) => row,
    observedAt: ({ at }) => at,
  });
  const benchRows = dataset({
    name: `bench-${name}`,
    title: "rows of the bench",
    description: "generated rows",
    cadenceMs: HOUR_MS,
    staleAfterMs: 24 * HOUR_MS,
    gaps: [],
    parts: { rows: part({ sources: [rows], plan: () => ({}) }) },
    gateRule: "none",
    gate: () => undefined,
    view: ({ rows }) => ({ rows, first: rows.slice(0, 20) }),
    viewHoldsRecords: sharesRows,
    newestAt: ({ rows }) => rows.at(-1)?.at ?? null,
  });
  return operation({
    rpc: `list-${name}`,
    summary: "rows",
    description: "rows",
    cache: "fast",
    reads: { rows: benchRows },
    query: {
      all: flag("All instead of the first 20"),
      minLat: decimal("Only rows at or above this latitude; 0 selects all rows", { min: -90, max: 90 }),
    },
    response: Type.Object({ rows: Type.Array(Row) }),
    list: { rows: "rows", identity: ({ id }) => id, location: ["lat", "lng"] },
    examples: [],
    run({ all, minLat }, { rows }) {
      if (!rows.available) return { rows: [] };
      if (!all) return { rows: rows.view.first };
      return { rows: minLat === 0 ? rows.view.rows : rows.view.rows.filter(({ lat }) => lat >= minLat) };
    },
  });
}

/** Returns generated rows. The `value` of every row differs between consecutive rounds; the other members do not. */
export function rowsOf(count, round) {
  return Array.from({ length: count }, (_, index) => ({
    id: `row-${index}`,
    at: 1_700_000_000_000 + index * 60_000,
    value: ((index * 7_919 + round * 31) % 10_000) / 100,
    lat: ((index * 13) % 1_800) / 10 - 90,
    lng: ((index * 17) % 3_600) / 10 - 180,
    name: `a place with the number ${index}`,
  }));
}

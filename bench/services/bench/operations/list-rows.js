// An operation over a dataset larger than any real one, for the measurement of a swap under load.
import { Type } from "typebox";
import { dataset, part } from "../../../../dist/contract/dataset.js";
import { operation } from "../../../../dist/contract/operation.js";
import { flag } from "../../../../dist/contract/query-field.js";
import { source } from "../../../../dist/contract/source.js";
import { HOUR_MS } from "../../../../dist/kit/clock.js";

const Row = Type.Object({
  id: Type.String(),
  at: Type.Integer(),
  value: Type.Number(),
  lat: Type.Number(),
  lng: Type.Number(),
  name: Type.String(),
});

const rows = source({
  id: "bench-rows",
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

export const benchRows = dataset({
  name: "bench-rows",
  title: "rows of the bench",
  description: "50,000 rows",
  cadenceMs: HOUR_MS,
  staleAfterMs: 24 * HOUR_MS,
  gaps: [],
  parts: { rows: part({ sources: [rows], plan: () => ({}) }) },
  gateRule: "none",
  gate: () => undefined,
  view: ({ rows }) => ({ rows, first: rows.slice(0, 20) }),
  newestAt: ({ rows }) => rows.at(-1)?.at ?? null,
});

export const listRows = operation({
  rpc: "list-rows",
  summary: "rows",
  description: "rows",
  cache: "fast",
  reads: { rows: benchRows },
  query: { all: flag("All instead of the first 20") },
  response: Type.Object({ rows: Type.Array(Row) }),
  examples: [],
  run: ({ all }, { rows }) => ({ rows: rows.available ? (all ? rows.view.rows : rows.view.first) : [] }),
});

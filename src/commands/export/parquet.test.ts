import { parquetMetadata, parquetReadObjects } from "hyparquet";
import { expect, test } from "vitest";
import type { ExportedRow } from "./exported-rows.js";
import { writeParquet } from "./parquet.js";
import { RowSurvey } from "./row-survey.js";

async function written(rows: readonly unknown[], metadata: Readonly<Record<string, string>> = {}) {
  const survey = new RowSurvey();
  for (const row of rows) survey.add(row);
  const chunks: Uint8Array[] = [];
  async function* batches(): AsyncGenerator<readonly ExportedRow[]> {
    yield rows.map((row) => ({ part: "rows", row }));
  }
  const { columns } = survey.surveyed();
  await writeParquet(
    batches(),
    { columns, metadata, createdBy: "vigil test" },
    { write: async (bytes) => void chunks.push(bytes as Uint8Array) },
  );
  const { buffer, byteOffset, byteLength } = Uint8Array.from(Buffer.concat(chunks));
  return { file: buffer.slice(byteOffset, byteOffset + byteLength), chunks };
}

test("values of every kind are read back with their types", async () => {
  const rows = [
    { text: "=1+1", count: 1, share: 1, isOpen: true, at: 1_795_477_486_737, tags: ["a", "b"], place: { lat: 1.5 } },
    { text: "", count: -9_007_199_254_740_991, share: 0.1, isOpen: false, at: -725_846_400_000, tags: [] },
    { text: "näme 🌍", mixed: "a" },
    { mixed: 1, nothing: {} },
  ];
  const { file } = await written(rows, { vigil: '{"dataset":"a"}' });
  const { schema, key_value_metadata, created_by, num_rows } = parquetMetadata(file);
  expect(schema.slice(1).map(({ name, type, converted_type }) => [name, converted_type ?? type])).toEqual([
    ["text", "UTF8"],
    ["count", "INT64"],
    ["share", "DOUBLE"],
    ["isOpen", "BOOLEAN"],
    ["at", "TIMESTAMP_MILLIS"],
    ["tags", "JSON"],
    ["place.lat", "DOUBLE"],
    ["mixed", "JSON"],
    ["nothing", "JSON"],
  ]);
  expect([key_value_metadata, created_by, num_rows]).toEqual([
    [{ key: "vigil", value: '{"dataset":"a"}' }],
    "vigil test",
    4n,
  ]);
  const absent = { text: null, count: null, share: null, isOpen: null, at: null, tags: null, "place.lat": null };
  const others = { mixed: null, nothing: null };
  expect(await parquetReadObjects({ file })).toEqual([
    {
      text: "=1+1",
      count: 1n,
      share: 1,
      isOpen: true,
      at: new Date(1_795_477_486_737),
      tags: ["a", "b"],
      "place.lat": 1.5,
      ...others,
    },
    {
      ...absent,
      text: "",
      count: -9_007_199_254_740_991n,
      share: 0.1,
      isOpen: false,
      at: new Date(-725_846_400_000),
      tags: [],
      ...others,
    },
    { ...absent, ...others, text: "näme 🌍", mixed: "a" },
    { ...absent, mixed: 1, nothing: {} },
  ]);
});

test("45,000 rows are written as row groups of at most 20,000", async () => {
  const rows = Array.from({ length: 45_000 }, (_, id) => ({ id: `row ${id}`, value: id / 8 }));
  const { file, chunks } = await written(rows);
  expect(chunks.length).toBeGreaterThanOrEqual(3);
  expect(parquetMetadata(file).row_groups.map(({ num_rows }) => Number(num_rows))).toEqual([20_000, 20_000, 5_000]);
  expect((await parquetReadObjects({ file }))[44_999]).toEqual({ id: "row 44999", value: 44_999 / 8 });
});

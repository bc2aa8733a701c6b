import { createHash } from "node:crypto";
import { readdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { parquetMetadata, parquetReadObjects } from "hyparquet";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { exportedRows } from "../src/commands/export/exported-rows.js";
import { surveyOf } from "../src/commands/export/row-survey.js";
import { rowWriter } from "../src/commands/export/row-writer.js";
import { loadServices } from "../src/services/registry.js";
import { commandHostForAll, processRoomForEach } from "./support/process.js";
import { newestRecords } from "./support/published.js";
import { expectRows, expectSame, linesIn, tableIn } from "./support/row-formats.js";
import { NOON, type Stack, startStack } from "./support/stack.js";

const { datasets } = await loadServices();
const room = processRoomForEach("export");
const command = commandHostForAll();

let stack: Stack;
beforeAll(async () => {
  stack = await startStack({ filled: "all" });
}, 180_000);
afterAll(() => stack.close());

/** The rows of all parts. If there are several parts, each row contains the name of its part. */
async function storedRows(name: string): Promise<readonly object[]> {
  const records = await newestRecords<object>(stack, name);
  const parts = Object.keys(records);
  const all = parts.flatMap((part) => (records[part] ?? []).map((row) => ({ part, row })));
  expect(all.filter(({ row }) => "part" in row)).toEqual([]);
  return all.map(({ part, row }) => (parts.length > 1 ? { part, ...row } : row));
}

const leavesOf = (value: object, path = ""): readonly (readonly [string, unknown])[] =>
  Object.entries(value).flatMap(([name, member]) =>
    typeof member === "object" && member !== null && !Array.isArray(member) && Object.keys(member).length > 0
      ? leavesOf(member, `${path}${name}.`)
      : [[`${path}${name}`, member] as const],
  );

/** Converts a value to the form that it has in JSON. */
function plainValue(value: unknown): unknown {
  if (value instanceof Date) return value.getTime();
  return typeof value === "bigint" ? Number(value) : value;
}

describe.each(datasets.map((dataset) => ({ name: dataset.name, dataset })))(
  "an export of $name",
  { timeout: 60_000 },
  ({ name, dataset }) => {
    async function exported(format: "csv" | "ndjson" | "geojson" | "parquet"): Promise<{ readonly body: Buffer }> {
      const generation = await stack.service.store.newest(name);
      if (generation === undefined) throw new Error(`${name} has no generation`);
      const rows = exportedRows(stack.service.store, generation, undefined);
      const chunks: Buffer[] = [];
      const surveyed = await surveyOf(rows);
      await rowWriter({ dataset, format, rows, surveyed, provenance: {} })({
        write: async (bytes) => void chunks.push(Buffer.from(bytes)),
      });
      return { body: Buffer.concat(chunks) };
    }

    test("has the stored rows as NDJSON and as CSV", async () => {
      const rows = await storedRows(name);
      expect(rows.length).toBeGreaterThan(0);
      expectSame(linesIn(await exported("ndjson")), rows);
      expectRows(tableIn(await exported("csv")), rows);
    });

    test("has the stored rows as Parquet", async () => {
      const { body } = await exported("parquet");
      const table = await parquetReadObjects({ file: Uint8Array.from(body).buffer });
      const present = table.map((row) =>
        Object.entries(row).flatMap(([column, value]) => (value === null ? [] : [[column, plainValue(value)]])),
      );
      const expected = (await storedRows(name)).map((row) => leavesOf(row).filter(([, value]) => value !== null));
      const asMaps = (all: readonly unknown[]) => all.map((cells) => new Map(cells as [string, unknown][]));
      expectSame(asMaps(present), asMaps(expected));
    });

    test("has the stored rows as GeoJSON points, or is refused if the rows have no coordinates", async () => {
      const rows = await storedRows(name);
      const hasPlace = rows.some((row) =>
        leavesOf(row).some(([path]) => /^(?:location\.latitude|latitude|lat)$/.test(path)),
      );
      if (!hasPlace) return expect(exported("geojson")).rejects.toThrow(`the rows of ${name} have no coordinates`);
      const { features } = JSON.parse(String((await exported("geojson")).body)) as {
        features: { geometry: unknown; properties: unknown }[];
      };
      expectSame(
        features.map(({ properties }) => properties),
        rows,
      );
      expect(features.some(({ geometry }) => geometry !== null)).toBe(true);
    });
  },
);

describe("vigil export", () => {
  const env = () => ({ VIGIL_DATA_DIR: stack.dataDir });
  const run = (...args: readonly string[]) => command(["export", "earthquakes", "--demo", ...args], env());

  test("writes a file, and its provenance with the licences, while a service is running", async () => {
    const output = join(room.folder, "rows.parquet");
    const { code, printed } = await run("--format", "parquet", "--part", "usgs", "--output", output);
    const { usgs } = await newestRecords(stack, "earthquakes");
    const generation = await stack.service.store.newest("earthquakes");
    expect([code, printed]).toEqual([
      0,
      `earthquakes, generation 1: ${usgs?.length} rows in ${output}, their provenance in ${output}.json\n`,
    ]);
    const body = await readFile(output);
    const { file, ...provenance } = JSON.parse(await readFile(`${output}.json`, "utf8"));
    expect(file).toEqual({ bytes: body.length, sha256: createHash("sha256").update(body).digest("hex") });
    expect(provenance).toMatchObject({
      dataset: "earthquakes",
      simulated: true,
      generation: 1,
      contentHash: generation?.contentHash,
      rows: usgs?.length,
      parts: [{ name: "usgs", rows: usgs?.length }],
      sources: [{ id: "usgs-earthquakes", licence: { name: expect.any(String), open: true } }],
      requests: [{ part: "usgs", source: "usgs-earthquakes", status: 200, sha256: expect.any(String) }],
    });
    const { key_value_metadata } = parquetMetadata(Uint8Array.from(body).buffer);
    expect(JSON.parse(key_value_metadata?.[0]?.value ?? "")).toEqual(provenance);
    expect((await readdir(room.folder)).sort()).toEqual(["rows.parquet", "rows.parquet.json"]);
  });

  test.each([
    {
      args: ["--format", "csv", "--generation", "7"],
      sentence: "generation 7 of earthquakes is not kept (the newest is 1)",
    },
    { args: ["--format", "csv", "--part", "usg"], sentence: "earthquakes has no part usg; did you mean usgs?" },
    {
      args: ["--format", "csv", "--as-of", "0"],
      sentence: "has no kept generation from before 1970-01-01T00:00:00.000Z",
    },
    {
      args: ["--format", "csv", "--output", "/no/such/folder/a"],
      sentence: "/no/such/folder/a cannot be written (ENOENT)",
    },
  ])("$args is refused", async ({ args, sentence }) => {
    const { code, output } = await run(...args);
    expect([code, output]).toEqual([1, expect.stringContaining(sentence)]);
  });

  test("writes the generation that was current at an instant to standard output", async () => {
    const at = String(NOON + 60_000);
    const args = ["export", "earthquakes", "--demo", "--format", "ndjson", "--as-of", at, "--output", "-"];
    const exporting = room.start(args, env());
    expect(await exporting.ended).toBe(0);
    expect(linesIn({ body: exporting.printed() })).toEqual(await storedRows("earthquakes"));
  });

  test("keeps an earlier output file and writes no new one if the stored body is damaged", async () => {
    const output = join(room.folder, "rows.csv");
    await writeFile(output, "earlier");
    const newest = await stack.service.store.newest("co2-monitoring");
    const body = join(stack.dataDir, "bodies", newest?.contentHash ?? "");
    const bytes = await readFile(body);
    await writeFile(body, bytes.subarray(0, -20));
    const damaged = ["export", "co2-monitoring", "--demo", "--format", "csv", "--output", output];
    const { code, output: text } = await command(damaged, env());
    await writeFile(body, bytes);
    expect([code, text]).toEqual([
      1,
      expect.stringContaining("cannot be unpacked; vigil verify checks the whole store"),
    ]);
    expect([await readFile(output, "utf8"), await readdir(room.folder)]).toEqual(["earlier", ["rows.csv"]]);
  });
});

import { Type } from "typebox";
import { expect, test } from "vitest";
import { ClockPace, LoopTurns, type Steps } from "../../kit/loop-turns.js";
import { columnsOf } from "./csv-columns.js";
import { csvSteps, geojsonSteps, ndjsonSteps } from "./row-bodies.js";

const Row = Type.Object({
  id: Type.String(),
  place: Type.Optional(Type.Object({ lat: Type.Number(), lon: Type.Number() })),
  text: Type.String(),
});
const columns = columnsOf(Row);
const unlimited = (): void => {};

type Writer = (rows: readonly unknown[], pace: ClockPace, onBytes: (bytes: number) => void) => Steps<Buffer>;

const writers: Readonly<Record<string, Writer>> = {
  csv: (rows, pace, onBytes) => csvSteps(rows, columns, pace, onBytes),
  ndjson: ndjsonSteps,
  geojson: (rows, pace, onBytes) =>
    geojsonSteps(rows, { idAt: (index) => String(index), location: ["lat", "lon"], members: {} }, pace, onBytes),
};

async function written(write: Writer, rows: readonly unknown[], turns = new LoopTurns()): Promise<string> {
  const pace = new ClockPace();
  return (await turns.run(write(rows, pace, unlimited), pace)).toString();
}

test.each(Object.entries(writers))("writing many rows as %s yields to the event loop repeatedly", async (_, write) => {
  let turns = 0;
  const defer = (callback: () => void): void => {
    turns += 1;
    setImmediate(callback);
  };
  const rows = Array.from({ length: 20_000 }, (_, id) => ({
    id: `row ${id}`,
    place: { lat: 1, lon: 2 },
    text: "ü".repeat(9),
  }));
  const sliced = await written(write, rows, new LoopTurns({ sliceMs: 0.1, defer }));
  expect(turns).toBeGreaterThan(5);
  expect(sliced === (await written(write, rows))).toBe(true);
});

test.each(Object.entries(writers))("writing rows as %s stops at the size limit", (_, write) => {
  const rows = Array.from({ length: 1_000 }, (_, id) => ({ id: `row ${id}`, text: "x".repeat(100) }));
  let last = 0;
  const limited = (bytes: number): void => {
    last = bytes;
    if (bytes > 10_000) throw new Error("too large");
  };
  const steps = write(rows, new ClockPace(), limited);
  expect(() => {
    for (;;) if (steps.next().done) return;
  }).toThrow("too large");
  expect(last).toBeLessThan(10_300);
});

test("a table without rows is only a header line, in which column names are guarded against formulas", async () => {
  expect(await written(writers["csv"] as Writer, [])).toBe("id,place.lat,place.lon,text\r\n");
  const guarded = columnsOf(Type.Object({ "=a": Type.String(), 'b"c': Type.String() }));
  expect(await written((rows, pace) => csvSteps(rows, guarded, pace, unlimited), [])).toBe(`'=a,"b""c"\r\n`);
});

test("a table of one column has a line for every row, even for an absent value", async () => {
  const oneColumn = columnsOf(Type.Object({ a: Type.String() }));
  const rows = [{ a: "x" }, {}, { a: "" }];
  expect(await written((all, pace) => csvSteps(all, oneColumn, pace, unlimited), rows)).toBe('a\r\nx\r\n""\r\n""\r\n');
});

test("a feature has the coordinates of its row, or no geometry if either coordinate is not a number", async () => {
  const rows = [{ lat: 1, lon: -2 }, { lat: 1 }, { lat: "1", lon: "2" }, null, [1, 2], { lat: 0, lon: 0 }];
  const { features } = JSON.parse(await written(writers["geojson"] as Writer, rows)) as {
    features: { geometry: unknown }[];
  };
  const point = (east: number, north: number) => ({ type: "Point", coordinates: [east, north] });
  expect(features.map(({ geometry }) => geometry)).toEqual([point(-2, 1), null, null, null, null, point(0, 0)]);
});

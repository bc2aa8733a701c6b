import fc from "fast-check";
import { expect, test } from "vitest";
import { ClockPace, LoopTurns } from "../kit/loop-turns.js";
import { jsonBodySteps } from "./json-body.js";

function bodyOf(value: unknown, turns = new LoopTurns()): Buffer | Promise<Buffer> {
  const pace = new ClockPace();
  return turns.run(jsonBodySteps(value, pace), pace);
}

const longList = (element: fc.Arbitrary<unknown>) => fc.array(element, { minLength: 60, maxLength: 70 });
const { tree: answers } = fc.letrec<{ tree: unknown; leaf: unknown }>((tie) => ({
  tree: fc.oneof({ depthSize: "small" }, tie("leaf"), longList(tie("leaf")), fc.dictionary(fc.string(), tie("tree"))),
  leaf: fc.oneof(fc.jsonValue(), fc.constant(undefined), fc.record({ a: fc.double(), b: fc.option(fc.string()) })),
}));

test("the text of every answer equals the output of JSON.stringify", async () => {
  await fc.assert(
    fc.asyncProperty(answers, async (answer) => {
      expect((await bodyOf(answer)).toString()).toBe(JSON.stringify(answer) ?? "null");
    }),
    { numRuns: 500 },
  );
});

test.each([
  { what: "a list just too short to be written row by row", value: Array.from({ length: 63 }, (_, id) => ({ id })) },
  { what: "a list just long enough to be written row by row", value: Array.from({ length: 64 }, (_, id) => ({ id })) },
  { what: "numbers, nulls and gaps", value: [...Array.from({ length: 64 }, (_, id) => id), null, undefined] },
  { what: "no members", value: {} },
  { what: "only undefined members", value: { a: undefined } },
  { what: "a date", value: { at: new Date(0) } },
  {
    what: "strings with more bytes than characters",
    value: { rows: Array.from({ length: 5_000 }, () => ({ t: "ünïcödé 🌍" })) },
  },
])("the text of $what equals the output of JSON.stringify", async ({ value }) => {
  expect((await bodyOf(value)).toString()).toBe(JSON.stringify(value));
});

test("the text of a row is cached and reused in later answers", async () => {
  const rows = Array.from({ length: 100 }, (_, id) => ({ id, reads: 0 }));
  for (const row of rows) {
    Object.defineProperty(row, "toJSON", {
      value: () => {
        row.reads += 1;
        return { id: row.id };
      },
    });
  }
  const whole = (await bodyOf({ rows })).toString();
  const half = (await bodyOf({ page: 1, rows: rows.slice(0, 64) })).toString();
  expect(whole).toContain('{"id":99}]}');
  expect(half).toBe(`{"page":1,"rows":[${rows.slice(0, 64).map(({ id }) => `{"id":${id}}`)}]}`);
  expect(rows.map(({ reads }) => reads)).toEqual(rows.map(() => 1));
});

test("writing a long list yields to the event loop repeatedly", async () => {
  let turns = 0;
  const defer = (callback: () => void): void => {
    turns += 1;
    setImmediate(callback);
  };
  const rows = Array.from({ length: 20_000 }, (_, id) => ({ id, name: `row ${id}` }));
  const body = await bodyOf({ rows }, new LoopTurns({ sliceMs: 0.1, defer }));
  expect(body.toString()).toBe(JSON.stringify({ rows }));
  expect(turns).toBeGreaterThan(5);
});

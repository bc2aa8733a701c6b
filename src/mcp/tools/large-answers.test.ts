import { Type } from "typebox";
import { describe, expect, test } from "vitest";
import { operation } from "../../contract/operation.js";
import { LoopTurns } from "../../kit/loop-turns.js";
import type { CallAnswer } from "../caller.js";
import { catalogueOf } from "../catalogue.js";
import type { ToolContext } from "../tool.js";
import { batch } from "./batch.js";
import { compare } from "./compare.js";

const list = operation({
  rpc: "list",
  summary: "a list",
  description: "a list for this test",
  cache: "fast",
  reads: {},
  query: {},
  response: Type.Object({ rows: Type.Array(Type.Unknown()) }),
  examples: [],
  run: () => ({ rows: [] }),
});
const catalogue = catalogueOf({
  operations: [{ service: "probe", path: "/api/probe/v1/list", operation: list }],
  accountReads: [],
  writes: [],
  datasets: [],
  wireName: (field) => field,
  bytesOf: () => undefined,
});

/**
 * A context whose calls get these answers, and whose time slices are over at every look at the clock. Counts the turns
 * of the event loop, and the answers that are read in the busiest turn.
 */
function context(answers: readonly Omit<CallAnswer, "status">[]) {
  const counts = { turns: 0, readsInTurn: 0, readsInTurnMax: 0 };
  let called = 0;
  const defer = (callback: () => void): void => {
    setImmediate(() => {
      counts.turns += 1;
      counts.readsInTurn = 0;
      callback();
    });
  };
  const own: ToolContext = {
    catalogue,
    turns: new LoopTurns({ now: () => 0, defer }),
    async call() {
      const { headers = {}, text = "" } = answers[called] ?? {};
      called += 1;
      return {
        status: 200,
        headers,
        get text() {
          counts.readsInTurn += 1;
          counts.readsInTurnMax = Math.max(counts.readsInTurnMax, counts.readsInTurn);
          return text;
        },
      };
    },
  };
  return { own, counts };
}

const JSON_TYPE = { "Content-Type": "application/json; charset=utf-8" };
const large = JSON.stringify({ rows: Array.from({ length: 50_000 }, (_, at) => ({ id: `row ${at}` })) });
const calls = Array.from({ length: 20 }, () => ({ operation: "list" }));
const from = "2026-11-18T12:00:00Z";

describe("the tool `batch`", () => {
  test("writes the results of 20 large answers in 20 turns of the event loop", async () => {
    const { own, counts } = context(calls.map(() => ({ headers: JSON_TYPE, text: large })));
    const { text } = await batch.run({ calls }, own);
    const { results } = JSON.parse(text) as { readonly results: readonly object[] };
    expect(results).toHaveLength(20);
    for (const result of results) expect(result).toMatchObject({ cut: { list: "rows", of: 50_000 } });
    expect(counts).toMatchObject({ turns: 20, readsInTurnMax: 1 });
  });

  test("puts the reason in the place of a result whose head leaves no room for any part of the answer", async () => {
    const answers = [{}, { "X-Vigil-Notice": "n".repeat(4_000) }, {}].map((headers) => ({
      headers: { ...JSON_TYPE, ...headers },
      text: large,
    }));
    const { own } = context(answers);
    const { text, isError } = await batch.run({ calls: calls.slice(0, 3), max_bytes: 6_000 }, own);
    expect(isError).toBeUndefined();
    expect(Buffer.byteLength(text)).toBeLessThanOrEqual(6_000);
    const source = { request: "/api/probe/v1/list" };
    const error = expect.stringContaining("max_bytes is too small for any part of the answer");
    expect(JSON.parse(text)).toMatchObject({ results: [{ cut: {} }, { error, source }, { cut: {} }] });
  });
});

describe("the tool `compare`", () => {
  test("compares large answers in many turns of the event loop", async () => {
    const rows = (value: number) => Array.from({ length: 5_000 }, (_, at) => ({ id: `row ${at}`, value }));
    const answers = [rows(1), rows(2)].map((own) => ({ headers: JSON_TYPE, text: JSON.stringify({ rows: own }) }));
    const { own, counts } = context(answers);
    const { text } = await compare.run({ operation: "list", from }, own);
    expect(JSON.parse(text)).toMatchObject({ cut: { list: "differences", of: 5_000 } });
    expect(counts.turns).toBeGreaterThan(5_000);
  });

  test("refuses differences that are many times as long as the answers", async () => {
    const name = "n".repeat(900);
    const answers = [0, 5_000].map((first) => ({
      headers: JSON_TYPE,
      text: JSON.stringify({ [name]: Array.from({ length: 5_000 }, (_, at) => first + at) }),
    }));
    const { own } = context(answers);
    await expect(compare.run({ operation: "list", from }, own)).rejects.toThrow(
      "the differences have more than 4000000 characters in total; select members with jmespath",
    );
  });

  test.each(["text/csv; charset=utf-8", "application/x-ndjson", "application/atom+xml"])(
    "refuses answers of the type %s",
    async (type) => {
      const { own } = context([0, 1].map(() => ({ headers: { "Content-Type": type }, text: "id\n1\n" })));
      await expect(compare.run({ operation: "list", from }, own)).rejects.toThrow("params.format must be json");
    },
  );
});

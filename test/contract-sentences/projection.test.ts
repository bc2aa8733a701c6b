import { Type } from "typebox";
import { afterAll, beforeAll, expect } from "vitest";
import { operation, type RegisteredOperation } from "../../src/contract/operation.js";
import type { IdentifiedAnswer } from "../../src/http/exchange.js";
import { type Sentence, testSentences } from "../support/sentences.js";
import { call, json, type Stack, startStack } from "../support/stack.js";

/* Section 9 of NOTES.md: jmespath. Rules for every operation are in every-operation.test.ts. */

const CPI = "/api/economic/v1/get-us-cpi-monthly";
const BATCH = "/api/batch/v1/execute";
const OUTPUT_BYTES_MAX = 262_144;

function answering(rpc: string, body: unknown): RegisteredOperation {
  const probe = operation({
    rpc,
    summary: "A probe",
    description: "Answers with the body that the test set.",
    cache: "fast",
    reads: {},
    query: {},
    response: Type.Unknown(),
    examples: [{}],
    run: () => body,
  });
  return { service: "probe", path: `/api/probe/v1/${rpc}`, operation: probe };
}

/** An object with this many members, named k0, k1 and so on. */
const members = (count: number) => Object.fromEntries(Array.from({ length: count }, (_, at) => [`k${at}`, at]));
const bodies = {
  record: { name: "Ö", count: 3, rows: [{ n: 2 }, { n: 1 }], nothing: null, isOpen: false, empty: {}, ratio: 0.5 },
  "fifty-keys": members(50),
  "fifty-one-keys": members(51),
  "many-keys": members(173),
  list: [1, 2, 3],
  text: "a text",
  number: 7,
  boolean: true,
  null: null,
  filler: { text: "x".repeat(OUTPUT_BYTES_MAX - 2), more: "xx", wide: "é".repeat(OUTPUT_BYTES_MAX / 2) },
} as const;
const PROBE = "/api/probe/v1";

let stack: Stack;
beforeAll(async () => {
  stack = await startStack({ operations: Object.entries(bodies).map(([rpc, body]) => answering(rpc, body)) });
  await stack.run("us-cpi");
}, 60_000);
afterAll(() => stack.close());

const project = (rpc: keyof typeof bodies, expression: string): Promise<IdentifiedAnswer> =>
  stack.get(`${PROBE}/${rpc}?jmespath=${encodeURIComponent(expression)}`);

/** Requests a projection that must be refused. Returns the reason and the listed keys. */
async function refusalOf(rpc: keyof typeof bodies, expression: string): Promise<readonly [string, unknown]> {
  const answer = await project(rpc, expression);
  const { _jmespath_error: reason, original_keys: keys, ...rest } = json(answer) as Record<string, unknown>;
  expect([answer.status, rest]).toEqual([400, {}]);
  return [String(reason), keys];
}

function post(operations: readonly object[], query = "") {
  const headers = {
    "x-service-key": stack.service.access.ownerKey.key ?? "",
    "content-type": "application/json",
  };
  return call(stack.answer, "POST", `${BATCH}${query}`, headers, { body: JSON.stringify({ operations }) });
}

const results: readonly Sentence[] = [
  ...(
    [
      ["a string", "name", '"Ö"'],
      ["a number", "count", "3"],
      ["a fraction", "ratio", "0.5"],
      ["a boolean", "isOpen", "false"],
      ["an array", "rows[].n", "[2,1]"],
      ["an empty object", "empty", "{}"],
      ["an object", "{a: count}", '{"a":3}'],
      ["the result of a function", "length(rows)", "2"],
    ] as const
  ).map(
    ([what, expression, body]): Sentence => ({
      place: "NOTES §9",
      sentence: `${what} is returned as bare JSON`,
      async check() {
        const answer = await project("record", expression);
        expect([answer.status, String(answer.body)]).toEqual([200, body]);
        expect(answer.headers["Content-Type"]).toBe("application/json; charset=utf-8");
      },
    }),
  ),
  {
    place: "NOTES §9, §16.6",
    sentence: "a missing path, a null value and a match without a result give null with 200",
    async check() {
      for (const expression of ["absent", "rows[9]", "absent.deeper", "nothing", "name.letters"]) {
        const answer = await project("record", expression);
        expect([answer.status, String(answer.body)]).toEqual([200, "null"]);
      }
    },
  },
  {
    place: "NOTES §9",
    sentence: "the root is the raw response, with no envelope",
    async check() {
      expect(json(await project("record", "keys(@)"))).toEqual(Object.keys(bodies.record));
      expect(json(await project("list", "@[1]"))).toBe(2);
      expect(json(await project("text", "@"))).toBe("a text");
    },
  },
  {
    place: "NOTES §9",
    sentence: "the ETag identifies the result of the projection",
    async check() {
      const [whole, part] = [await stack.get(CPI), await stack.get(`${CPI}?jmespath=unavailable`)];
      expect(part.headers["ETag"]).toMatch(/^"/);
      expect(part.headers["ETag"]).not.toBe(whole.headers["ETag"]);
    },
  },
  {
    place: "NOTES §9",
    sentence: "an empty jmespath parameter is ignored if the query has another jmespath with a value",
    async check() {
      const answer = await stack.get(`${CPI}?jmespath=&jmespath=unavailable`);
      expect([answer.status, String(answer.body)]).toEqual([200, "false"]);
    },
  },
];

const scope: readonly Sentence[] = [
  {
    place: "NOTES §9",
    sentence: "errors are never projected",
    async check() {
      const refused = await stack.get(`${CPI}?history=perhaps&jmespath=violations%5B0%5D.field`);
      expect([refused.status, json(refused)]).toEqual([
        400,
        { violations: [expect.objectContaining({ field: "history" })] },
      ]);
      expect(json(await stack.get(`${CPI}?jmespath=error`, {}))).toEqual({ error: "API key required" });
      expect(json(await stack.get("/api/economic/v1/no-such?jmespath=error"))).toEqual({ error: "Not found" });
    },
  },
  {
    place: "NOTES §9",
    sentence: "the answer to a POST is never projected",
    async check() {
      const answer = await post([{ id: "a", path: CPI }], "?jmespath=results");
      expect(Object.keys(json(answer) as object)).toEqual(["results", "succeeded", "failed"]);
    },
  },
  {
    place: "NOTES §9",
    sentence: "in a batch, each operation has its own jmespath in its path",
    async check() {
      const answer = await post([
        { id: "a", path: `${PROBE}/record?jmespath=count` },
        { id: "b", path: `${PROBE}/record?jmespath=rows%5B%5D.n` },
        { id: "c", path: `${PROBE}/record?jmespath=absent` },
        { id: "d", path: `${PROBE}/record?jmespath=a%5B` },
      ]);
      expect(json(answer)).toMatchObject({
        results: [
          { status: 200, body: 3 },
          { status: 200, body: [2, 1] },
          { status: 200, body: null },
          { status: 400, body: { _jmespath_error: expect.stringMatching(/^invalid_expression: /) }, error: "" },
        ],
        succeeded: 3,
        failed: 1,
      });
    },
  },
];

const refusals: readonly Sentence[] = [
  {
    place: "NOTES §9",
    sentence: "expression_too_long counts UTF-8 bytes",
    async check() {
      const expression = `'${"€".repeat(340)}${"x".repeat(2)}'`;
      expect((await project("record", expression)).status).toBe(200);
      expect((await refusalOf("record", `${expression} `))[0]).toBe("expression_too_long: 1025 > 1024");
      expect((await refusalOf("record", `'${"€".repeat(400)}'`))[0]).toBe("expression_too_long: 1202 > 1024");
    },
  },
  {
    place: "NOTES §9",
    sentence: "the size of the expression is checked before its syntax",
    async check() {
      expect((await refusalOf("record", "[".repeat(2_000)))[0]).toBe("expression_too_long: 2000 > 1024");
    },
  },
  ...["a[", "a.", "[*", "foo(@)", "a b", "'open", "`{`", "@ |", "abs(name)", "sort_by(rows, &@)", "length(count)"].map(
    (expression): Sentence => ({
      place: "NOTES §9",
      sentence: `invalid_expression has a detail: ${expression}`,
      async check() {
        expect(await refusalOf("record", expression)).toEqual([
          expect.stringMatching(/^invalid_expression: .{3,}/),
          Object.keys(bodies.record),
        ]);
      },
    }),
  ),
  {
    place: "NOTES §9",
    sentence: "projection_too_large counts the bytes of the result: 262,144 are returned, one more is refused",
    async check() {
      const whole = await project("filler", "text");
      expect([whole.status, Buffer.byteLength(String(whole.body))]).toEqual([200, OUTPUT_BYTES_MAX]);
      expect(await refusalOf("filler", "join('', [text, 'x'])")).toEqual([
        `projection_too_large: ${OUTPUT_BYTES_MAX + 1} > ${OUTPUT_BYTES_MAX}`,
        Object.keys(bodies.filler),
      ]);
    },
  },
  {
    place: "NOTES §9",
    sentence: "projection_too_large counts bytes, not characters",
    async check() {
      expect((await refusalOf("filler", "wide"))[0]).toBe(
        `projection_too_large: ${OUTPUT_BYTES_MAX + 2} > ${OUTPUT_BYTES_MAX}`,
      );
    },
  },
  {
    place: "NOTES §9",
    sentence: "refused projections are no-store and nosniff",
    async check() {
      for (const expression of ["a[", "[".repeat(2_000), "@"]) {
        const answer = await project("filler", expression);
        expect(answer.status).toBe(400);
        expect(answer.headers).toMatchObject({ "Cache-Control": "no-store", "X-Content-Type-Options": "nosniff" });
      }
    },
  },
  {
    place: "NOTES §9",
    sentence: "for an object with 50 keys, original_keys has all keys",
    check: async () => expect((await refusalOf("fifty-keys", "a["))[1]).toEqual(Object.keys(bodies["fifty-keys"])),
  },
  {
    place: "NOTES §9",
    sentence: "original_keys has the first 50 of 51 keys, and then one entry for the rest",
    check: async () =>
      expect((await refusalOf("fifty-one-keys", "a["))[1]).toEqual([
        ...Object.keys(bodies["fifty-one-keys"]).slice(0, 50),
        "...<1 more>",
      ]),
  },
  {
    place: "NOTES §9",
    sentence: "for an object with 173 keys, original_keys ends with the number of the remaining 123",
    check: async () =>
      expect((await refusalOf("many-keys", "a["))[1]).toEqual([
        ...Object.keys(bodies["many-keys"]).slice(0, 50),
        "...<123 more>",
      ]),
  },
  ...(
    [
      ["list", "<array length=3>"],
      ["text", "<string>"],
      ["number", "<number>"],
      ["boolean", "<boolean>"],
      ["null", "<object>"],
    ] as const
  ).map(
    ([rpc, entry]): Sentence => ({
      place: "NOTES §9",
      sentence: `original_keys for a body of the kind ${rpc} is ${entry}`,
      check: async () => expect((await refusalOf(rpc, "a["))[1]).toEqual([entry]),
    }),
  ),
  {
    place: "NOTES §9",
    sentence: "original_keys lists the keys of the unprojected body",
    check: async () => expect((await refusalOf("record", "rows[0] | abs(@)"))[1]).toEqual(Object.keys(bodies.record)),
  },
];

testSentences([...results, ...scope, ...refusals]);

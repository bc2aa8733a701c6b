import { Type } from "typebox";
import { afterAll, afterEach, beforeAll, expect } from "vitest";
import { operation, type RegisteredOperation } from "../../src/contract/operation.js";
import { int32 } from "../../src/contract/query-field.js";
import type { IdentifiedAnswer } from "../../src/http/exchange.js";
import { MINUTE_MS } from "../../src/kit/clock.js";
import { type Headers, issueToken, keyOn, makeAccount, makeKey, openSession, proProbe } from "../support/callers.js";
import { refusedFields, type Sentence, sentHeaders, testSentences } from "../support/sentences.js";
import { call, json, type Stack, startStack } from "../support/stack.js";

/* Sentences of section 11 of the contract's NOTES.md. */

const CPI = "/api/economic/v1/get-us-cpi-monthly";
const YIELDS = "/api/economic/v1/get-us-treasury-par-yield-curve";
const FLIGHTS = "/api/aviation/v1/list-airport-flights";
const BATCH = "/api/batch/v1/execute";
const SIZED = "/api/probe/v1/sized";
const ITEM_BYTES_MAX = 1_048_576;

const sized = operation({
  rpc: "sized",
  summary: "A probe",
  description: "Answers with a body of the requested size.",
  cache: "fast",
  reads: {},
  query: { bytes: int32("Size of the answer in bytes") },
  response: Type.Object({ filler: Type.String() }),
  examples: [{}],
  run: ({ bytes }) => ({ filler: "x".repeat(bytes - '{"filler":""}'.length) }),
});
const sizedProbe: RegisteredOperation = { service: "probe", path: SIZED, operation: sized };

let stack: Stack;
let owner: Headers;
beforeAll(async () => {
  stack = await startStack({ operations: [sizedProbe, proProbe], env: { VIGIL_LIMITS: "starter-minute=5" } });
  owner = { "x-service-key": stack.service.access.ownerKey.key ?? "" };
  await Promise.all(["us-cpi", "us-treasury-yields"].map((name) => stack.run(name)));
}, 60_000);
afterAll(() => stack.close());
// Only 30 batches are allowed per minute, so every check starts in a new minute.
afterEach(() => {
  stack.simulator.faults.clear();
  stack.clock.advance(MINUTE_MS);
});

interface Result {
  readonly id: string;
  readonly status: number;
  readonly body?: unknown;
  readonly error: string;
}
interface BatchAnswer {
  readonly results: readonly Result[];
  readonly succeeded: number;
  readonly failed: number;
}

function execute(operations: unknown, headers: Headers = owner): Promise<IdentifiedAnswer> {
  const body = JSON.stringify({ operations });
  return call(stack.answer, "POST", BATCH, { ...headers, "content-type": "application/json" }, { body });
}

/** Sends a batch that must get a 200, and returns its answer. */
async function batchOf(operations: readonly object[], headers: Headers = owner): Promise<BatchAnswer> {
  const answer = await execute(operations, headers);
  expect(answer.status, String(answer.body).slice(0, 200)).toBe(200);
  // The cast is safe, because the operation declares this shape.
  return json(answer) as BatchAnswer;
}

async function resultOf(path: string, headers: Headers = owner): Promise<Result> {
  const { results } = await batchOf([{ path }], headers);
  expect(results).toHaveLength(1);
  return results[0] ?? { id: "", status: -1, error: "no result" };
}

const paths = (...list: readonly string[]) => list.map((path) => ({ path }));

const requests: readonly Sentence[] = [
  {
    place: "NOTES §11",
    sentence: "20 operations are accepted; 0 or 21 are refused with a violation on operations",
    async check() {
      expect((await batchOf(paths(...Array(20).fill(CPI)))).succeeded).toBe(20);
      expect(refusedFields(await execute([]))).toEqual(["operations"]);
      expect(refusedFields(await execute(paths(...Array(21).fill(CPI))))).toEqual(["operations"]);
      expect(refusedFields(await execute(undefined))).toEqual(["operations"]);
    },
  },
  {
    place: "NOTES §11",
    sentence: "ids are trimmed",
    async check() {
      const { results } = await batchOf([{ id: "  one  ", path: CPI }]);
      expect(results[0]?.id).toBe("one");
    },
  },
  {
    place: "NOTES §11",
    sentence: "a blank id is replaced by the index as a string",
    async check() {
      const { results } = await batchOf([
        { id: "first", path: CPI },
        { id: "  ", path: CPI },
        { path: CPI },
        { id: "", path: CPI },
      ]);
      expect(results.map(({ id }) => id)).toEqual(["first", "1", "2", "3"]);
    },
  },
  {
    place: "NOTES §11, §16.1",
    sentence: "an id of 64 characters is accepted, and an id of 65 is a 400 for the whole batch",
    async check() {
      expect((await batchOf([{ id: "i".repeat(64), path: CPI }])).succeeded).toBe(1);
      const answer = await execute([{ path: CPI }, { id: "i".repeat(65), path: CPI }]);
      expect(refusedFields(answer)).toEqual(["operations[1].id"]);
    },
  },
  {
    place: "NOTES §11, §16.1",
    sentence:
      "two equal ids are a 400 for the whole batch; ids are compared after trimming and after blank ids are replaced",
    async check() {
      for (const [first, second] of [
        ["a", "a"],
        ["a", " a "],
        ["1", ""],
      ]) {
        const answer = await execute([
          { id: first, path: CPI },
          { id: second, path: CPI },
        ]);
        expect(refusedFields(answer)).toEqual(["operations[1].id"]);
      }
    },
  },
  {
    place: "NOTES §11",
    sentence: "a path of 2,048 characters is accepted, and one of 2,049 is refused with a violation",
    async check() {
      const long = (length: number) => `${CPI}?x=`.padEnd(length, "x");
      expect((await resultOf(long(2_048))).status).toBe(200);
      expect(refusedFields(await execute(paths(long(2_049))))).toEqual(["operations[0].path"]);
    },
  },
];

const invalid: readonly (readonly [why: string, path: string])[] = [
  ["does not begin with /", "api/economic/v1/get-us-cpi-monthly"],
  ["is empty", ""],
  ["is an absolute URL", `https://127.0.0.1${CPI}`],
  ["leads to another host", `//example.org${CPI}`],
  ["uses a backslash to lead to another host", `/\\example.org${CPI}`],
  ["has a user name before the name of a host", `//user@example.org${CPI}`],
  ["names a host and has the API path in the fragment", "//example.org#/api/economic/v1/get-us-cpi-monthly"],
  ["has a fragment instead of an operation name", "/api/economic/v1#/get-us-cpi-monthly"],
  ["has an upper-case letter in its service name", "/api/Economic/v1/get-us-cpi-monthly"],
  ["has upper-case letters in its operation name", "/api/economic/v1/Get-Us-Cpi-Monthly"],
  ["has its operation name in snake case", "/api/economic/v1/get_us_cpi_monthly"],
  ["has no version", "/api/economic/get-us-cpi-monthly"],
  ["has a version that is not a number", "/api/economic/vNext/get-us-cpi-monthly"],
  ["has one segment too many", `${CPI}/more`],
  ["is a platform path", "/api/health"],
  ["uses .. to reach another operation", "/api/climate/../economic/v1/get-us-cpi-monthly"],
];

const items: readonly Sentence[] = [
  ...invalid.map(
    ([why, path]): Sentence => ({
      place: "NOTES §11, §16.1",
      sentence: `a path that ${why} gets the error invalid_path and status 0, and the batch continues`,
      async check() {
        const { results, succeeded, failed } = await batchOf(paths(path, CPI));
        expect(results[0]).toEqual({ id: "0", status: 0, error: "invalid_path" });
        expect([results[1]?.status, succeeded, failed]).toEqual([200, 1, 1]);
      },
    }),
  ),
  ...[BATCH, "/api/batch/v2/anything", `${BATCH}?jmespath=results`].map(
    (path): Sentence => ({
      place: "NOTES §11, §16.1",
      sentence: `a path under /api/batch/ gets the error nested_batch and status 0: ${path}`,
      check: async () => expect(await resultOf(path)).toEqual({ id: "0", status: 0, error: "nested_batch" }),
    }),
  ),
  ...["/api/economic/v1/no-such-operation", "/api/no-such/v1/anything", "/api/economic/v7/get-us-cpi-monthly"].map(
    (path): Sentence => ({
      place: "NOTES §11",
      sentence: `an unknown but well-formed path yields 404 with a body: ${path}`,
      check: async () =>
        expect(await resultOf(path)).toEqual({ id: "0", status: 404, body: { error: "Not found" }, error: "" }),
    }),
  ),
  {
    place: "NOTES §11",
    sentence: "if a call gets an error answer, its result has the status and body of the answer, and an empty error",
    async check() {
      const { results, succeeded, failed } = await batchOf(paths(`${CPI}?history=x`, `${CPI}?jmespath=a%5B`, FLIGHTS));
      expect(results).toEqual([
        { id: "0", status: 400, body: { violations: [expect.objectContaining({ field: "history" })] }, error: "" },
        {
          id: "1",
          status: 400,
          body: expect.objectContaining({ original_keys: ["months", "unavailable"] }),
          error: "",
        },
        { id: "2", status: 400, body: { violations: [expect.objectContaining({ field: "airport" })] }, error: "" },
      ]);
      expect([succeeded, failed]).toEqual([0, 3]);
    },
  },
  {
    place: "NOTES §11",
    sentence: "results are in request order, regardless of which is ready first",
    async check() {
      const { results } = await batchOf([
        { id: "c", path: `${FLIGHTS}?airport=MAD` },
        { id: "a", path: CPI },
        { id: "b", path: "nowhere" },
        { id: "d", path: YIELDS },
      ]);
      expect(results.map(({ id }) => id)).toEqual(["c", "a", "b", "d"]);
    },
  },
  {
    place: "NOTES §11",
    sentence: "a batch whose operations all failed is a 200",
    async check() {
      expect(await batchOf(paths("nowhere", BATCH, "/api/no/v1/such"))).toMatchObject({ succeeded: 0, failed: 3 });
    },
  },
  {
    place: "NOTES §11",
    sentence: "`succeeded` counts the results with a status of 200 to 299 and no error, and `failed` counts all others",
    async check() {
      const { succeeded, failed } = await batchOf(
        paths(CPI, YIELDS, `${CPI}?history=x`, "nowhere", `${SIZED}?bytes=${ITEM_BYTES_MAX + 1}`),
      );
      expect([succeeded, failed]).toEqual([2, 3]);
    },
  },
  {
    place: "NOTES §11",
    sentence: "an operation without data succeeds, and its body has the outage marker",
    async check() {
      const { status, body, error } = await resultOf("/api/climate/v1/list-climate-news");
      expect([status, body, error]).toEqual([200, expect.objectContaining({ dataAvailable: false }), ""]);
    },
  },
  {
    place: "NOTES §11",
    sentence:
      "a body of 1,048,576 bytes is returned, and a longer one is replaced by response_too_large with the real status",
    async check() {
      const whole = await resultOf(`${SIZED}?bytes=${ITEM_BYTES_MAX}`);
      expect([whole.status, whole.error, JSON.stringify(whole.body).length]).toEqual([200, "", ITEM_BYTES_MAX]);
      const { body, ...rest } = await resultOf(`${SIZED}?bytes=${ITEM_BYTES_MAX + 1}`);
      expect([body, rest]).toEqual([undefined, expect.objectContaining({ status: 200, error: "response_too_large" })]);
    },
  },
  {
    place: "NOTES §11",
    sentence: "every operation runs as a GET, so the path of a POST operation gets a 405",
    async check() {
      expect(await resultOf("/api/account/v1/create-key")).toMatchObject({ status: 405 });
    },
  },
  {
    place: "NOTES §11",
    sentence: "all operations run at the same time: none waits for another",
    async check() {
      stack.simulator.requests.clear();
      stack.simulator.faults.set({ upstream: "*" }, { kind: "hang" });
      const running = batchOf(
        paths(
          `${FLIGHTS}?airport=AMS&direction=FLIGHT_DIRECTION_ARRIVAL`,
          "/api/aviation/v1/get-video-live-stream-info?video_id=VigilDemo-1",
          "/api/aviation/v1/search-flight-prices?origin=IST&destination=LHR&departure_date=2026-12-10",
        ),
      );
      const hosts = () => new Set(stack.simulator.requests.list().map(({ url }) => new URL(url).host));
      await expect.poll(() => hosts().size).toBe(3);
      stack.simulator.faults.clear();
      stack.clock.advance(MINUTE_MS);
      expect((await running).results).toHaveLength(3);
    },
  },
];

const callers: readonly Sentence[] = [
  {
    place: "NOTES §11",
    sentence: "items run with the key of the batch, whichever of the two key headers has it",
    async check() {
      const key = await keyOn(stack, "business");
      for (const headers of [{ "x-service-key": key }, { "x-api-key": key }]) {
        expect(await resultOf(proProbe.path, headers)).toMatchObject({ status: 200 });
      }
    },
  },
  {
    place: "NOTES §11",
    sentence:
      "Authorization is forwarded: a session of a free account can call a Pro item with the token of a Pro account",
    async check() {
      const session = await openSession(stack, await makeKey(stack, await makeAccount(stack, "free")));
      const token = await issueToken(stack, await makeKey(stack, await makeAccount(stack, "pro")));
      const plain = await resultOf(proProbe.path, { "x-service-key": session });
      expect([plain.status, plain.body]).toEqual([401, { error: "Pro authentication required" }]);
      const headers = { cookie: `vigil_session=${session}`, "sec-fetch-site": "same-origin" };
      const result = await resultOf(proProbe.path, { ...headers, authorization: `Bearer ${token}` });
      expect(result.status).toBe(200);
    },
  },
  {
    place: "NOTES §11",
    sentence: "each sub-call counts fully against the account's limit, and the batch itself once against its own limit",
    async check() {
      const headers = { "x-service-key": await keyOn(stack, "starter") };
      const answer = await execute(paths(CPI, CPI, CPI), headers);
      expect(sentHeaders(answer)["RateLimit"]).toMatch(/^"batch-execute";r=29;/);
      expect(sentHeaders(await stack.get(CPI, headers))["RateLimit"]).toMatch(/"account";r=1;/);
    },
  },
  {
    place: "NOTES §11",
    sentence: "only the sub-calls beyond the account's limit are refused",
    async check() {
      const headers = { "x-service-key": await keyOn(stack, "starter") };
      const { results, succeeded, failed } = await batchOf(paths(...Array(7).fill(CPI)), headers);
      expect([succeeded, failed]).toEqual([5, 2]);
      expect(results.filter(({ status }) => status === 429)).toHaveLength(2);
    },
  },
  {
    place: "NOTES §11",
    sentence: "every entitlement rule applies to a sub-call",
    async check() {
      const session = await openSession(stack, await makeKey(stack, await makeAccount(stack, "free")));
      const { results } = await batchOf(paths(CPI, proProbe.path), { "x-service-key": session });
      expect(results.map(({ status }) => status)).toEqual([200, 401]);
    },
  },
  {
    place: "NOTES §11",
    sentence: "a sub-call gets the same body as a direct GET",
    async check() {
      for (const path of [CPI, `${YIELDS}?jmespath=curves%5B0%5D`, `${CPI}/?history=false`]) {
        const plain = await stack.get(path);
        expect((await resultOf(path)).body).toEqual(json(plain));
      }
    },
  },
];

testSentences([...requests, ...items, ...callers]);

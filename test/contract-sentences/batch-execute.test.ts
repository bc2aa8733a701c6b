import { expect } from "vitest";
import type { IdentifiedAnswer } from "../../src/http/exchange.js";
import { MINUTE_MS } from "../../src/kit/clock.js";
import { type Headers, keyOn } from "../support/callers.js";
import { type Sentence, sharedStack, testSentences } from "../support/sentences.js";
import { call, json } from "../support/stack.js";

/* Sentences of SPEC and RULINGS about batch execute. */

const EXECUTE = "/api/batch/v1/execute";
const CPI = "/api/economic/v1/get-us-cpi-monthly";
const YIELDS = "/api/economic/v1/get-us-treasury-par-yield-curve";
const CO2 = "/api/climate/v1/get-co2-monitoring";
const BRIEF = "/api/intelligence/v1/get-country-intel-brief?country_code=UA";
const ENDPOINT = "SPEC endpoints, batch";
const RECORDS = "SPEC resources, batch";

const stackOf = sharedStack(["us-cpi", "us-treasury-yields"]);

interface Result {
  readonly id: string;
  readonly status: number;
  readonly state?: string;
  readonly generation?: string;
  readonly body?: unknown;
  readonly error: string;
}
interface Batch {
  readonly results: readonly Result[];
  readonly succeeded: number;
  readonly failed: number;
}

const owner = (): Headers => ({ "x-service-key": stackOf().service.access.ownerKey.key ?? "" });

/**
 * Sends a batch, by default as the owner. Each check starts in a new minute, so the batches of earlier checks do not
 * count against its limits.
 */
function post(body: unknown, headers: Headers = owner()): Promise<IdentifiedAnswer> {
  const sent = { "content-type": "application/json", ...headers };
  return call(stackOf().answer, "POST", EXECUTE, sent, { body: JSON.stringify(body) });
}

const execute = (paths: readonly string[], headers?: Headers): Promise<IdentifiedAnswer> =>
  post({ operations: paths.map((path, index) => ({ id: `r${index}`, path })) }, headers);

async function batchOf(paths: readonly string[], headers?: Headers): Promise<Batch> {
  const answer = await execute(paths, headers);
  expect(answer.status).toBe(200);
  return json(answer) as Batch;
}

async function resultOf(path: string, headers?: Headers): Promise<Result> {
  const [result] = (await batchOf([path], headers)).results;
  if (!result) throw new Error("the batch has no result");
  return result;
}

async function fieldsRefused(body: unknown): Promise<readonly string[]> {
  const answer = await post(body);
  expect(answer.status).toBe(400);
  return (json(answer) as { violations: readonly { field: string }[] }).violations.map(({ field }) => field);
}

const request: readonly Sentence[] = [
  {
    place: ENDPOINT,
    sentence: "a body is required",
    check: async () => {
      const answer = await call(stackOf().answer, "POST", EXECUTE, { ...owner(), "content-type": "application/json" });
      expect([answer.status, json(answer)]).toEqual([400, { message: "Invalid request body" }]);
    },
  },
  {
    place: ENDPOINT,
    sentence: "operations are required",
    check: async () => expect(await fieldsRefused({})).toEqual(["operations"]),
  },
  {
    place: "SPEC limits: operations per batch",
    sentence: "20 operations are run",
    check: async () => {
      const { results, succeeded } = await batchOf(Array.from({ length: 20 }, () => CPI));
      expect([results.length, succeeded]).toEqual([20, 20]);
    },
  },
  {
    place: "SPEC limits: operations per batch",
    sentence: "21 operations are refused",
    check: async () =>
      expect(await fieldsRefused({ operations: Array.from({ length: 21 }, () => ({ path: CPI })) })).toEqual([
        "operations",
      ]),
  },
  {
    place: RECORDS,
    sentence: "the id of an operation is a string",
    check: async () =>
      expect(await fieldsRefused({ operations: [{ id: 7, path: CPI }] })).toEqual(["operations[0].id"]),
  },
  {
    place: RECORDS,
    sentence: "the path of an operation is a string",
    check: async () =>
      expect(await fieldsRefused({ operations: [{ id: "a", path: {} }] })).toEqual(["operations[0].path"]),
  },
  {
    place: ENDPOINT,
    sentence: "the method is POST",
    check: async () => {
      const answer = await call(stackOf().answer, "GET", EXECUTE, owner());
      expect([answer.status, answer.headers["Allow"]]).toEqual([405, "POST, OPTIONS"]);
    },
  },
];

const results: readonly Sentence[] = [
  {
    place: RECORDS,
    sentence: "a result has `id`, `status`, `body` and `error`, and the answer has `results`, `succeeded` and `failed`",
    check: async () =>
      expect(await batchOf([CPI])).toEqual({
        results: [{ id: "r0", status: 200, state: "ok", generation: "us-cpi=1", body: expect.any(Object), error: "" }],
        succeeded: 1,
        failed: 0,
      }),
  },
  {
    place: RECORDS,
    sentence: "`status` is the operation's HTTP status, and `body` of a refused operation is its error body",
    check: async () =>
      expect(await resultOf(`${CPI}?history=maybe`)).toMatchObject({
        status: 400,
        body: { violations: [{ field: "history" }] },
        error: "",
      }),
  },
  {
    place: RECORDS,
    sentence: "`succeeded` and `failed` count the results",
    check: async () => {
      const { succeeded, failed } = await batchOf([CPI, `${CPI}?history=x`, YIELDS, "nowhere"]);
      expect([succeeded, failed]).toEqual([2, 2]);
    },
  },
  {
    place: RECORDS,
    sentence: "results are in the order of the operations",
    check: async () => {
      const { results: items } = await batchOf([YIELDS, CPI, CO2]);
      expect(items.map(({ id, generation }) => [id, generation])).toEqual([
        ["r0", "us-treasury-yields=1"],
        ["r1", "us-cpi=1"],
        ["r2", "co2-monitoring=0"],
      ]);
    },
  },
  {
    place: ENDPOINT,
    sentence: "a path may have a query string",
    check: async () => {
      const { body } = await resultOf(`${CPI}?history=false`);
      expect(body).toMatchObject({ unavailable: false });
    },
  },
  {
    place: ENDPOINT,
    sentence: "a path may have its own jmespath",
    check: async () =>
      expect(await resultOf(`${CPI}?history=true&jmespath=${encodeURIComponent("months[0].month")}`)).toMatchObject({
        status: 200,
        body: Date.UTC(1947, 0),
      }),
  },
  {
    place: "SPEC errors rule 1, in a batch",
    sentence: "an invalid jmespath gives a 400 in the operation's result, and the batch is answered with 200",
    check: async () =>
      expect(await resultOf(`${CPI}?jmespath=a[`)).toMatchObject({
        status: 400,
        body: { original_keys: ["months", "unavailable"] },
        error: "",
      }),
  },
  {
    place: "SPEC errors rule 4",
    sentence: "a result of more than 1 MB is replaced by the error response_too_large",
    check: async () => {
      const result = await resultOf(`${YIELDS}?history=true`);
      expect(result).toMatchObject({ status: 200, error: "response_too_large" });
      expect(result).not.toHaveProperty("body");
    },
  },
  {
    place: "SPEC errors rule 4",
    sentence: "a result that is too large does not affect the others",
    check: async () => {
      const { results: items, succeeded, failed } = await batchOf([`${YIELDS}?history=true`, CPI]);
      expect([items[1]?.error, succeeded, failed]).toEqual(["", 1, 1]);
    },
  },
  {
    place: "SPEC errors rule 4",
    sentence: "a nested batch is refused",
    check: async () => expect(await resultOf(EXECUTE)).toEqual({ id: "r0", status: 0, error: "nested_batch" }),
  },
  {
    place: ENDPOINT,
    sentence: "a path is refused if it is not a GET operation of a documented endpoint",
    check: async () => {
      expect(await resultOf("/api/account/v1/sign-out")).toMatchObject({ status: 405, error: "" });
      expect(await resultOf("/api/health")).toMatchObject({ status: 0, error: "invalid_path" });
      expect(await resultOf("/api/economic/v1/no-such")).toMatchObject({ status: 404, error: "" });
    },
  },
  {
    place: "RULINGS 22",
    sentence: "an item's state and generation are those of a direct call to its path",
    check: async () => {
      const { headers } = await stackOf().get(CO2);
      expect(await resultOf(CO2)).toMatchObject({
        state: headers["X-Vigil-State"],
        generation: headers["X-Vigil-Generation"],
      });
      expect(headers["X-Vigil-State"]).toBe("absent");
    },
  },
  {
    place: "RULINGS 22",
    sentence: "a demo's batch answer is labelled as simulated",
    check: async () => {
      expect((await execute([CPI])).headers["X-Vigil-Data"]).toBe("simulated");
      expect((await post({})).headers["X-Vigil-Data"]).toBe("simulated");
    },
  },
];

const credentials: readonly Sentence[] = [
  {
    place: "SPEC authentication 6",
    sentence: "operations run with the credentials of the batch: a key on a paid plan can call Pro operations",
    check: async () => {
      const key = await keyOn(stackOf(), "starter");
      expect(await resultOf(BRIEF, { "x-service-key": key })).toMatchObject({ status: 200, error: "" });
    },
  },
  {
    place: "SPEC authentication 6",
    sentence: "a batch without a credential is refused as a whole",
    check: async () => {
      const answer = await execute([CPI], {});
      expect([answer.status, json(answer)]).toEqual([401, { error: "API key required" }]);
    },
  },
  {
    place: "RULINGS 9",
    sentence: "a key with only company scopes cannot call the batch",
    check: async () => {
      const key = await keyOn(stackOf(), "starter", ["company_monitoring:read"]);
      expect((await execute([CPI], { "x-service-key": key })).status).toBe(403);
    },
  },
  {
    place: "SPEC limits, each operation counts individually",
    sentence: "three batches of 20 use up the 60 calls a minute of the Starter plan",
    check: async () => {
      const headers = { "x-service-key": await keyOn(stackOf(), "starter") };
      for (let count = 0; count < 3; count += 1)
        await batchOf(
          Array.from({ length: 20 }, () => CPI),
          headers,
        );
      expect((await resultOf(CPI, headers)).status).toBe(429);
      expect((await stackOf().get(CPI, headers)).status).toBe(429);
    },
  },
];

const keyed = (key: string): Headers => ({ ...owner(), "idempotency-key": key });

const idempotency: readonly Sentence[] = [
  {
    place: ENDPOINT,
    sentence: "the answer to a call with an Idempotency-Key has the headers Idempotency-Key and Idempotent-Replayed",
    check: async () =>
      expect((await execute([CPI], keyed("first"))).headers).toMatchObject({
        "Idempotency-Key": "first",
        "Idempotent-Replayed": "false",
      }),
  },
  {
    place: ENDPOINT,
    sentence: "a repeated call is answered with a replay that has the same body",
    check: async () => {
      const first = await execute([CPI, YIELDS], keyed("repeated"));
      const second = await execute([CPI, YIELDS], keyed("repeated"));
      expect([second.status, second.headers["Idempotent-Replayed"]]).toEqual([200, "true"]);
      expect(String(second.body)).toBe(String(first.body));
    },
  },
  {
    place: "SPEC errors rule 3",
    sentence: "an Idempotency-Key that was already used with another body is refused with a 422",
    check: async () => {
      await execute([CPI], keyed("reused"));
      const answer = await execute([YIELDS], keyed("reused"));
      expect([answer.status, json(answer)]).toEqual([
        422,
        { error: "idempotency_key_reused", message: expect.any(String) },
      ]);
    },
  },
  {
    place: "SPEC errors rule 3",
    sentence: "409 and 422 are documented responses of the batch",
    check: async () => {
      const { paths } = json(await stackOf().get("/openapi.json", {})) as {
        readonly paths: Readonly<Record<string, { readonly post: { readonly responses: object } }>>;
      };
      expect(Object.keys(paths[EXECUTE]?.post.responses ?? {})).toEqual(expect.arrayContaining(["409", "422"]));
    },
  },
];

testSentences(
  [...request, ...results, ...credentials, ...idempotency].map((row) => ({
    ...row,
    async check() {
      stackOf().clock.advance(MINUTE_MS);
      await row.check();
    },
  })),
);

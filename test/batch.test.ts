import { pino } from "pino";
import { Type } from "typebox";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test, vi } from "vitest";
import { loadConfig } from "../src/app/config.js";
import { servicePipeline } from "../src/app/service-pipeline.js";
import type { PlanKey } from "../src/contract/access/plans.js";
import type { Principal } from "../src/contract/access/principal.js";
import type { Scope } from "../src/contract/access/scopes.js";
import { Failure } from "../src/contract/failures.js";
import { operation, type RegisteredOperation } from "../src/contract/operation.js";
import { int32, text } from "../src/contract/query-field.js";
import { SourceFailure, source, step } from "../src/contract/source.js";
import { batchRunnerOf } from "../src/http/batch.js";
import { type Answer, type Call, exchangeOf, IdentifiedAnswer, jsonAnswer, targetOf } from "../src/http/exchange.js";
import type { Pipeline } from "../src/http/pipeline.js";
import { readingOnDemand } from "../src/ingest/read-on-demand.js";
import { MINUTE_MS, SECOND_MS } from "../src/kit/clock.js";
import { execute as executeWrite } from "../src/services/batch/writes/execute.js";
import { call, json, type Stack, startStack } from "./support/stack.js";

const EXECUTE = "/api/batch/v1/execute";
const CPI = "/api/economic/v1/get-us-cpi-monthly";
const YIELDS = "/api/economic/v1/get-us-treasury-par-yield-curve";
const SIZED = "/api/probe/v1/sized";
const LOOKUP = "/api/probe/v1/lookup";
const ROWS = "/api/probe/v1/rows";
const PRO = "/api/probe/v1/pro";
const ITEM_BYTES_MAX = 1_048_576;
const ITEM_MS_MAX = 10 * SECOND_MS;
const LOOKUP_MS_MAX = MINUTE_MS;
const ROW_COUNT = 20_000;
/** An expression whose evaluation takes many turns of the event loop. */
const LONG_PROJECTION = "length(sort_by(rows, &n)[?n > `5`])";

type Headers = Readonly<Record<string, string>>;
type Operations = readonly { readonly id?: unknown; readonly path?: unknown }[];

interface Result {
  readonly id: string;
  readonly status: number;
  readonly state?: string;
  readonly generation?: string;
  readonly body?: unknown;
  readonly error: string;
}

interface BatchAnswer {
  readonly results: readonly Result[];
  readonly succeeded: number;
  readonly failed: number;
}

interface UpstreamProbe {
  /** Number of received requests. No request is answered before the gate opens. */
  requestCount: number;
  onRequest: () => void;
  gate: Promise<void>;
  release: () => void;
}

const nothing = (): void => undefined;
const upstream: UpstreamProbe = { requestCount: 0, onRequest: nothing, gate: Promise.resolve(), release: nothing };
/** Called whenever the rows operation runs. */
const rowsProbe: { onRun: () => void } = { onRun: nothing };

function holdUpstream(): void {
  upstream.gate = new Promise((resolve) => {
    upstream.release = resolve;
  });
}

const silentSource = source({
  id: "probe",
  title: "A probe",
  home: "https://example.org",
  licence: { name: "none", open: true },
  seen: "described",
  steps: {
    name: step({
      request: (name: string) => ({ key: name, url: `https://example.org/${name}` }),
      format: { kind: "json" },
      row: Type.Object({}),
      *rows() {},
      record: () => ({}),
    }),
  },
  observedAt: () => undefined,
});

const about = { summary: "A probe", description: "A probe.", cache: "fast", reads: {}, examples: [{}] } as const;

const sized = operation({
  ...about,
  rpc: "sized",
  query: { bytes: int32("Bytes of the answer") },
  response: Type.Object({ filler: Type.String() }),
  run: ({ bytes }) => ({ filler: "x".repeat(bytes - '{"filler":""}'.length) }),
});

const lookup = operation({
  ...about,
  rpc: "lookup",
  query: { name: text("What to look up") },
  response: Type.Object({ state: Type.String() }),
  fetches: {
    rows: {
      name: "rows",
      source: silentSource,
      ttlMs: 0,
      missTtlMs: 0,
      timeLimitMs: MINUTE_MS,
      plan: ({ name }: { name: string }) => name,
    },
  },
  run: (_query, _snapshots, { observations }) => ({ state: observations.rows.state }),
});

const rows = operation({
  ...about,
  rpc: "rows",
  query: { name: text("Makes one request differ from another") },
  response: Type.Object({ rows: Type.Array(Type.Object({ n: Type.Integer() })) }),
  run() {
    rowsProbe.onRun();
    return { rows: Array.from({ length: ROW_COUNT }, (_, index) => ({ n: (index * 7_919) % ROW_COUNT })) };
  },
});

const pro = operation({
  ...about,
  rpc: "pro",
  tier: 1,
  query: {},
  response: Type.Object({ isOpen: Type.Boolean() }),
  run: () => ({ isOpen: true }),
});

const probes = [sized, lookup, rows, pro].map(
  (probe): RegisteredOperation => ({ service: "probe", path: `/api/probe/v1/${probe.rpc}`, operation: probe }),
);

let stack: Stack;
let answer: Pipeline;
let owner: Headers;

beforeAll(async () => {
  stack = await startStack();
  await Promise.all([stack.run("us-cpi"), stack.run("us-treasury-yields")]);
  owner = { "x-service-key": stack.service.access.ownerKey.key ?? "" };
  answer = probedPipeline();
}, 60_000);
afterAll(() => stack.close());
beforeEach(() => {
  Object.assign(upstream, { requestCount: 0, onRequest: nothing });
  holdUpstream();
  rowsProbe.onRun = nothing;
  // Advances the clock, so that the limits that the previous test used up are reset.
  stack.clock.advance(MINUTE_MS);
});
afterEach(() => upstream.release());

/**
 * Returns the service's pipeline with the operations in `probes` added. Their upstream does not answer until
 * `upstream.release` is called, and then fails.
 */
function probedPipeline(): Pipeline {
  const { clock } = stack;
  const services = { ...stack.services, operations: [...stack.services.operations, ...probes] };
  const client = {
    ...stack.service.reading.client,
    async fetch() {
      upstream.requestCount += 1;
      upstream.onRequest();
      await upstream.gate;
      throw new SourceFailure("unavailable", "the probe's upstream has nothing to say");
    },
  };
  const reading = { ...stack.service.reading, client };
  const service = { ...stack.service, onDemand: readingOnDemand({ reading, clock, onFailure: nothing }) };
  const log = pino({ level: "silent" });
  return servicePipeline({ config: loadConfig({}, []), service, services, clock, log, simulated: true }, () => true);
}

function post(body: string, headers: Headers = owner): Promise<IdentifiedAnswer> {
  return call(answer, "POST", EXECUTE, { "content-type": "application/json", ...headers }, { body });
}

function execute(operations: Operations, headers: Headers = owner): Promise<IdentifiedAnswer> {
  return post(JSON.stringify({ operations }), headers);
}

/** Sends a batch of these paths, and returns the answer, which must be a 200 with results. */
async function batchOf(paths: readonly string[], headers: Headers = owner): Promise<BatchAnswer> {
  const batchAnswer = await execute(
    paths.map((path) => ({ path })),
    headers,
  );
  expect([batchAnswer.status, String(batchAnswer.body).slice(0, 200)]).toEqual([
    200,
    expect.stringContaining("results"),
  ]);
  return json(batchAnswer) as BatchAnswer;
}

/** Sends a batch with only this path, and returns its result. */
async function resultOf(path: string, headers: Headers = owner): Promise<Result> {
  const { results } = await batchOf([path], headers);
  const [result] = results;
  if (!result || results.length !== 1) throw new Error(`${results.length} results`);
  return result;
}

async function until(isTrue: () => boolean): Promise<void> {
  while (!isTrue()) await new Promise((resolve) => setImmediate(resolve));
}

/** Creates an account on this plan with one key. Returns the headers with the key, and the id of the key. */
async function keyOn(plan: PlanKey, scopes: readonly Scope[] = ["read"]) {
  const { accounts } = stack.service.access;
  const by = { actor: "test" };
  const account = await accounts.create({ name: plan, plan }, by);
  const keyOptions = { name: "key", scopes: new Set(scopes), expiresAt: null };
  const createdKey = account && (await accounts.createKey({ ...keyOptions, accountId: account.id }, by));
  if (typeof createdKey !== "object") throw new Error(`no key: ${createdKey}`);
  return { headers: { "x-service-key": createdKey.key }, id: createdKey.card.id };
}

/** Opens a session of a new account on this plan. Returns the headers that the service's own pages send with it. */
async function sessionOn(plan: PlanKey): Promise<Headers> {
  const { id } = await keyOn(plan);
  const newSession = await stack.service.access.credentials.signIn(id, "127.0.0.1");
  if (!newSession) throw new Error("the key opens no session");
  return { cookie: `vigil_session=${newSession.token}`, "sec-fetch-site": "same-origin" };
}

describe("a batch request", () => {
  const refusals: readonly (readonly [string, string, readonly string[]])[] = [
    ["no operations", '{"operations":[]}', ["operations"]],
    ["21 operations", JSON.stringify({ operations: Array(21).fill({ path: CPI }) }), ["operations"]],
    ["operations missing", "{}", ["operations"]],
    ["operations that are not a list", '{"operations":{"path":"/"}}', ["operations"]],
    ["an operation without a path", '{"operations":[{"id":"a"}]}', ["operations[0].path"]],
    ["an operation that is not an object", `{"operations":["${CPI}"]}`, ["operations[0]"]],
    ["an id that is not a string", `{"operations":[{"id":1,"path":"${CPI}"}]}`, ["operations[0].id"]],
    ["a path that is not a string", '{"operations":[{"path":null}]}', ["operations[0].path"]],
    [
      "a path of 2,049 characters",
      JSON.stringify({ operations: [{ path: CPI }, { path: `${CPI}?x=`.padEnd(2_049, "x") }] }),
      ["operations[1].path"],
    ],
    ["an id of 65 characters", `{"operations":[{"id":"${"i".repeat(65)}","path":"${CPI}"}]}`, ["operations[0].id"]],
    ["an id given twice", `{"operations":[{"id":"a","path":"${CPI}"},{"id":" a ","path":"/"}]}`, ["operations[1].id"]],
    [
      "an id equal to the position of an operation without an id",
      `{"operations":[{"id":"1","path":"${CPI}"},{"path":"${CPI}"}]}`,
      ["operations[1].id"],
    ],
    [
      "several repeated ids",
      `{"operations":[{"id":"a","path":"/"},{"id":"a","path":"/"},{"id":"a","path":"/"}]}`,
      ["operations[1].id", "operations[2].id"],
    ],
  ];

  test.each(refusals)("a batch with %s is refused as a whole", async (_name, body, fields) => {
    const refused = await post(body);
    expect([refused.status, json(refused)]).toEqual([
      400,
      { violations: fields.map((field) => ({ field, description: expect.stringMatching(/./) })) },
    ]);
  });

  test.each(["", "{", "[]", "null", '"text"'])("a batch whose body is %j is refused as invalid", async (body) => {
    const refused = await post(body);
    expect([refused.status, json(refused)]).toEqual([400, { message: "Invalid request body" }]);
  });

  test("may have 20 operations, ids of 64 characters and paths of 2,048 characters", async () => {
    const long = `${CPI}?history=false&jmespath=${"a".repeat(10)}&x=`.padEnd(2_048, "x");
    const operations = Array.from({ length: 20 }, (_, index) => ({ id: `${index}`.padEnd(64, "i"), path: long }));
    const { results, succeeded } = json(await execute(operations)) as BatchAnswer;
    expect(results.map(({ id, body }) => [id, body])).toEqual(operations.map(({ id }) => [id, null]));
    expect(succeeded).toBe(20);
  });

  test("gets results with the trimmed ids of its operations, or with the position of an operation that has no id", async () => {
    const faces = "\u{1f600}".repeat(64);
    const ids = [" a b ", "", "   ", undefined, "é\u{1f600}", `  ${"i".repeat(64)}  `, "A B", faces];
    const operations = ids.map((id) => ({ ...(id !== undefined && { id }), path: CPI }));
    const { results } = json(await execute(operations)) as BatchAnswer;
    expect(results.map(({ id }) => id)).toEqual(["a b", "1", "2", "3", "é\u{1f600}", "i".repeat(64), "A B", faces]);
  });

  test("gets a 405 unless it is a POST", async () => {
    const refused = await call(answer, "GET", EXECUTE, owner);
    expect([refused.status, refused.headers["Allow"]]).toEqual([405, "POST, OPTIONS"]);
  });
});

describe("a batch path", () => {
  const rest = "economic/v1/get-us-cpi-monthly";
  test.each([
    "",
    `api/${rest}`,
    ` /api/${rest}`,
    `http://127.0.0.1/api/${rest}`,
    `http://vigil.invalid/api/${rest}`,
    `//example.org/api/${rest}`,
    `//127.0.0.1:8787/api/${rest}`,
    `//user@example.org/api/${rest}`,
    `///example.org/api/${rest}`,
    `/\\example.org/api/${rest}`,
    `\\\\example.org/api/${rest}`,
    `/\t/example.org/api/${rest}`,
    `//vigil.invalid:81/api/${rest}`,
    `//vigil.invalid@example.org/api/${rest}`,
    `//example.org#vigil.invalid/api/${rest}`,
    "//[",
    `/#/api/${rest}`,
    `/?/api/${rest}`,
    `/api/economic/v1#/get-us-cpi-monthly`,
    `/api%2Feconomic/v1/get-us-cpi-monthly`,
    `/api/economic%2Fv1%2Fget-us-cpi-monthly`,
    `/api/economic/v1/get-us-cpi-monthly%2F..%2F..%2F..%2Fbatch`,
    `/api/economic/v1/../../../${rest}`,
    `/API/${rest}`,
    `/api/Economic/v1/get-us-cpi-monthly`,
    `/api/economic/V1/get-us-cpi-monthly`,
    `/api/economic/v1/Get-Us-Cpi-Monthly`,
    `/api/economic/v1/get_us_cpi_monthly`,
    `/api/economic/v1/get-us-cpi-monthly/more`,
    `/api/economic/v1/get-us-cpi-monthly//`,
    `/api//economic/v1/get-us-cpi-monthly`,
    "/api/economic/v1",
    "/api/economic/v1/",
    "/api/economic/v/get-us-cpi-monthly",
    "/api/economic/latest/get-us-cpi-monthly",
    "/apis/economic/v1/get-us-cpi-monthly",
    "/api/health",
    "/livez",
    "/",
    "?",
    "#",
    `${EXECUTE}#${CPI}`,
    "/api/economic/../batch/v1/execute",
    "/api/economic/%2e%2e/batch/v1/execute",
    "/api/economic/.%2E/batch/v1/execute",
    "/api/economic/v1/../../batch/v1/execute",
    "/./api/batch/./v1/execute",
    "/api\\batch\\v1\\execute",
    "/api/ba\ntch/v1/execute",
    "/api/climate/../economic/v1/get-us-cpi-monthly",
    "/../../api/economic/v1/get-us-cpi-monthly",
    `/.${CPI}`,
    `${CPI}#//example.org`,
    "/api/econ\tomic/v1/get-us-cpi-monthly",
    `${CPI}?history=tr\tue`,
    `${CPI}?history=true\n`,
    `${CPI}?history=\u0000true`,
    `${CPI}?history=\u0085true`,
  ])("the path %j is rejected as invalid_path", async (path) => {
    expect(await resultOf(path)).toEqual({ id: "0", status: 0, error: "invalid_path" });
  });

  test.each([EXECUTE, `${EXECUTE}/`, `${EXECUTE}?x=1`, "/api/batch/v2/anything"])(
    "the path %j is rejected as nested_batch",
    async (path) => {
      expect(await resultOf(path)).toEqual({ id: "0", status: 0, error: "nested_batch" });
    },
  );

  test.each([
    CPI,
    `${CPI}/`,
    `${CPI}?history=%74rue`,
    `${CPI}?history=true%09`,
    `${CPI}?history=true#x`,
    `${CPI}?jmespath=months[0] | keys(@)`,
    `${CPI}?jmespath='é ü'`,
    `${CPI}?a/../b&history=false`,
  ])("the path %j gets the same answer as a separate GET", async (path) => {
    const [plain, result] = [await call(answer, "GET", path, owner), await resultOf(path)];
    expect(result).toMatchObject({ id: "0", status: plain.status, body: json(plain), error: "" });
  });

  test.each(["/api/economic/v1/no-such", "/api/no-such/v1/get-us-cpi-monthly", "/api/economic/v2/get-us-cpi-monthly"])(
    "the well-formed but unknown path %j gets 404",
    async (path) => {
      expect(await resultOf(path)).toEqual({ id: "0", status: 404, body: { error: "Not found" }, error: "" });
    },
  );

  test("has a result with the state and generation of a separate call, or with neither if it is refused", async () => {
    upstream.release();
    const plain = await call(answer, "GET", CPI, owner);
    const { results } = await batchOf([CPI, "/api/climate/v1/get-co2-monitoring", `${CPI}?history=x`, LOOKUP]);
    expect(results.map(({ state, generation }) => [state, generation])).toEqual([
      [plain.headers["X-Vigil-State"], plain.headers["X-Vigil-Generation"]],
      ["absent", "co2-monitoring=0"],
      [undefined, undefined],
      ["absent", undefined],
    ]);
  });

  test("fails alone when it is invalid", async () => {
    const { results, succeeded, failed } = await batchOf(["nowhere", CPI, EXECUTE, CPI]);
    expect(results.map(({ status, error }) => [status, error])).toEqual([
      [0, "invalid_path"],
      [200, ""],
      [0, "nested_batch"],
      [200, ""],
    ]);
    expect({ succeeded, failed }).toEqual({ succeeded: 2, failed: 2 });
  });
});

describe("a batch result", () => {
  test("a batch result has the body of the GET answer, byte for byte", async () => {
    const paths = [CPI, `${CPI}?history=true`, `${YIELDS}?jmespath=@`];
    const bodies = await Promise.all(paths.map(async (path) => String((await call(answer, "GET", path, owner)).body)));
    const batch = String((await execute(paths.map((path) => ({ path })))).body);
    const results = bodies.map((body, index) => {
      const generation = index < 2 ? "us-cpi=1" : "us-treasury-yields=1";
      return `{"id":"${index}","status":200,"state":"ok","generation":"${generation}","body":${body},"error":""}`;
    });
    expect(batch).toBe(`{"results":[${results.join(",")}],"succeeded":3,"failed":0}`);
  });

  test("keeps the position of its operation, regardless of which answer is ready first", async () => {
    const pendingBatch = batchOf([`${LOOKUP}?name=a`, CPI, `${LOOKUP}?name=b`, YIELDS]);
    await until(() => upstream.requestCount === 2);
    upstream.release();
    const { results } = await pendingBatch;
    expect(results.map(({ id, body }) => [id, Object.keys(body as object)[0]])).toEqual([
      ["0", "state"],
      ["1", "months"],
      ["2", "state"],
      ["3", expect.not.stringMatching("state|months")],
    ]);
  });

  test.each([
    ["nothing.here", null],
    ["length(months)", 1],
    ["'text'", "text"],
    ["unavailable", false],
    ["months[].nothing", []],
    ["{u: unavailable}", { u: false }],
  ])("is projected by its own expression %s", async (expression, body) => {
    const paths = [`${CPI}?jmespath=${encodeURIComponent(expression)}`, CPI];
    const { results, succeeded } = await batchOf(paths);
    expect(results[0]).toEqual({ id: "0", status: 200, state: "ok", generation: "us-cpi=1", body, error: "" });
    expect(results[1]?.body).toMatchObject({ unavailable: false });
    expect(succeeded).toBe(2);
  });

  test.each([
    [`${CPI}?history=banana`, 400, { violations: [{ field: "history", description: expect.any(String) }] }],
    [`${CPI}?jmespath=a[`, 400, { _jmespath_error: expect.any(String), original_keys: ["months", "unavailable"] }],
    ["/api/account/v1/create-key", 405, { error: "Method not allowed" }],
  ])("keeps the status and body of the refusal of %s", async (path, status, body) => {
    expect(await batchOf([path])).toEqual({ results: [{ id: "0", status, body, error: "" }], succeeded: 0, failed: 1 });
  });

  test("can have 1,048,576 bytes", async () => {
    const { status, body, error } = await resultOf(`${SIZED}?bytes=${ITEM_BYTES_MAX}`);
    expect([status, error, JSON.stringify(body).length]).toEqual([200, "", ITEM_BYTES_MAX]);
  });

  test("is response_too_large beyond 1,048,576 bytes, with its real status and no body", async () => {
    const paths = [`${SIZED}?bytes=${ITEM_BYTES_MAX + 1}`, CPI];
    const { results, succeeded, failed } = await batchOf(paths);
    expect(results[0]).toEqual({ id: "0", status: 200, state: "ok", error: "response_too_large" });
    expect({ succeeded, failed }).toEqual({ succeeded: 1, failed: 1 });
  });

  test("can be requested in part with a projection when it is too large", async () => {
    const path = `${YIELDS}?history=true`;
    expect(Buffer.byteLength(String((await call(answer, "GET", path, owner)).body))).toBeGreaterThan(ITEM_BYTES_MAX);
    expect(await resultOf(path)).toEqual({
      id: "0",
      status: 200,
      state: "ok",
      generation: "us-treasury-yields=1",
      error: "response_too_large",
    });
    expect(await resultOf(`${path}&jmespath=${encodeURIComponent("'part'")}`)).toMatchObject({ body: "part" });
  });

  test("is never a 304, and the batch itself has no ETag", async () => {
    const { headers } = await call(answer, "GET", CPI, owner);
    const conditional = { ...owner, "if-none-match": headers["ETag"] ?? "" };
    expect((await call(answer, "GET", CPI, conditional)).status).toBe(304);
    const batch = await execute([{ path: CPI }], conditional);
    expect((json(batch) as BatchAnswer).results[0]).toMatchObject({ status: 200, body: { unavailable: false } });
    expect(batch.headers).not.toHaveProperty("ETag");
    expect(batch.headers["Cache-Control"]).toBe("no-store");
  });
});

describe("a batch", () => {
  test("answers 200 even when every operation failed", async () => {
    expect(await batchOf(["x", EXECUTE, "/api/a/v1/b"])).toMatchObject({ succeeded: 0, failed: 3 });
  });

  test("runs all its operations at the same time", async () => {
    upstream.onRequest = () => {
      if (upstream.requestCount === 20) upstream.release();
    };
    const { succeeded } = await batchOf(Array.from({ length: 20 }, (_, index) => `${LOOKUP}?name=${index}`));
    expect(succeeded).toBe(20);
  });

  test("waits for each operation for as long as the operation waits for its upstream", async () => {
    let isDone = false;
    const pendingBatch = batchOf([`${LOOKUP}?name=slow`, CPI, "nowhere"]).finally(() => {
      isDone = true;
    });
    // Two timers are running: the time limit of the upstream read and the time limit of the batch item.
    await until(() => upstream.requestCount === 1 && stack.clock.sleeping === 2);
    stack.clock.advance(LOOKUP_MS_MAX - 1);
    await new Promise((resolve) => setImmediate(resolve));
    expect(isDone).toBe(false);
    stack.clock.advance(1);
    const { results, succeeded, failed } = await pendingBatch;
    expect(results.map(({ status, state, error }) => [status, state, error])).toEqual([
      [200, "absent", ""],
      [200, "ok", ""],
      [0, undefined, "invalid_path"],
    ]);
    expect({ succeeded, failed }).toEqual({ succeeded: 2, failed: 1 });
  });

  test("leaves no timer behind", async () => {
    const before = stack.clock.sleeping;
    upstream.release();
    await batchOf([`${LOOKUP}?name=x`, CPI]);
    expect(stack.clock.sleeping).toBe(before);
  });

  test("is answered from the stored answer when the call is repeated with the same Idempotency-Key", async () => {
    const headers = { ...owner, "idempotency-key": "batch-key" };
    const [first, second] = [await execute([{ path: CPI }], headers), await execute([{ path: CPI }], headers)];
    expect([first, second].map((batchAnswer) => batchAnswer.headers["Idempotent-Replayed"])).toEqual(["false", "true"]);
    expect(String(second.body)).toBe(String(first.body));
    expect((await execute([{ path: YIELDS }], headers)).status).toBe(422);
  });
});

describe("the caller of a batch", () => {
  const ACCOUNT = "/api/account/v1/get-account";

  test("the caller of a batch is also the caller of its items", async () => {
    const { headers } = await keyOn("starter");
    expect(await resultOf(ACCOUNT, headers)).toMatchObject({ body: { credential: "key", plan: "starter" } });
    expect(await resultOf(ACCOUNT)).toMatchObject({ body: { account: { id: "operator" } } });
  });

  test("a key on a paid plan can call Pro operations", async () => {
    expect(await resultOf(PRO, (await keyOn("starter")).headers)).toMatchObject({
      status: 200,
      body: { isOpen: true },
    });
  });

  test("a session's plan also applies to the items of its batch", async () => {
    const headers = await sessionOn("free");
    expect(await resultOf(ACCOUNT, headers)).toMatchObject({ body: { credential: "session", plan: "free" } });
    expect(await resultOf(PRO, headers)).toEqual({
      id: "0",
      status: 401,
      error: "",
      body: { error: "Pro authentication required" },
    });
    expect(await resultOf(PRO, await sessionOn("pro"))).toMatchObject({ status: 200 });
  });

  test("if a batch is sent with both a session and a token, the token is used only for Pro items", async () => {
    const session = await sessionOn("free");
    const form = { "content-type": "application/x-www-form-urlencoded", ...(await keyOn("starter")).headers };
    const issued = await call(answer, "POST", "/oauth/token", form, { body: "grant_type=client_credentials" });
    const { access_token: token } = json(issued) as { readonly access_token: string };
    const { results } = await batchOf([PRO, ACCOUNT], { ...session, authorization: `Bearer ${token}` });
    expect(results).toMatchObject([{ body: { isOpen: true } }, { body: { credential: "session", plan: "free" } }]);
    expect(await resultOf(PRO, { ...session, authorization: "Bearer nonsense" })).toEqual({
      id: "0",
      status: 401,
      error: "",
      body: { error: "Invalid or expired session" },
    });
  });

  test("a caller has no more rights in a batch than in separate calls", async () => {
    const { headers } = await keyOn("starter");
    expect(await resultOf("/api/account/v1/list-accounts", headers)).toMatchObject({
      status: 403,
      error: "",
      body: { error: "Only the operator may do this" },
    });
  });

  test("a batch needs the scope `read`", async () => {
    const { headers } = await keyOn("starter", ["company_monitoring:read"]);
    const refused = await execute([{ path: CPI }], headers);
    expect([refused.status, json(refused)]).toEqual([403, { error: "This key lacks the scope read" }]);
  });

  test("a batch needs a credential", async () => {
    const refused = await execute([{ path: CPI }], {});
    expect([refused.status, json(refused)]).toEqual([401, { error: "API key required" }]);
  });
});

describe("the limits of batches", () => {
  test("count the operations of a batch, but not the batch itself, against the account's limit", async () => {
    const { headers } = await keyOn("starter");
    const paths = Array(20).fill(CPI);
    for (let batch = 0; batch < 3; batch += 1) expect((await batchOf(paths, headers)).succeeded).toBe(20);
    const { results, failed } = await batchOf([CPI, "nowhere"], headers);
    expect(results[0]).toEqual({
      id: "0",
      status: 429,
      error: "",
      body: expect.objectContaining({ plan: "starter", limit: 60, limit_type: "per_minute" }),
    });
    expect(failed).toBe(2);
    expect((await call(answer, "GET", CPI, headers)).status).toBe(429);
  });

  test("allow 30 batches a minute per account, regardless of their content", async () => {
    const { headers } = await keyOn("business");
    for (let batch = 0; batch < 30; batch += 1) await batchOf(["nowhere"], headers);
    const refused = await execute([{ path: CPI }], headers);
    expect(refused.status).toBe(429);
    expect(refused.headers["Retry-After"]).toMatch(/^\d+$/);
    expect((await call(answer, "GET", CPI, headers)).status).toBe(200);
    stack.clock.advance(MINUTE_MS);
    expect((await batchOf([CPI], headers)).succeeded).toBe(1);
  });
});

/** Runs the write operation `execute` outside the service's pipeline. `pipeline` answers the items of the batch. */
async function runAlone(paths: readonly string[], pipeline: Pipeline, batch: Partial<Call> = {}) {
  const faults: unknown[] = [];
  const onFault = (error: unknown): void => void faults.push(error);
  const parts = { pipeline: () => pipeline, clock: stack.clock, waitMsMax: () => 0, onFault };
  const none = { header: () => undefined, hasHeader: () => false, body: async () => Buffer.alloc(0) };
  const from: Call = { method: "POST", target: EXECUTE, remoteAddress: "192.0.2.1", ...none, ...batch };
  const exchange = {
    ...exchangeOf(
      from,
      "r1",
      targetOf(from.target, () => undefined),
    ),
    principal: await ownerPrincipal(),
  };
  const { db } = stack.service.database;
  const portCall = { exchange, actor: "test", address: from.remoteAddress, bytes: Buffer.alloc(0), db };
  const { principal } = exchange;
  const context = { principal, ports: { runner: batchRunnerOf(parts, portCall) }, now: stack.clock.now };
  const batchOutcome = await executeWrite.run({ operations: paths.map((path) => ({ path })) }, context);
  if (!("text" in batchOutcome)) throw new Error("a batch writes its own JSON");
  return { ...(JSON.parse(batchOutcome.text) as BatchAnswer), faults };
}

async function ownerPrincipal(): Promise<Principal> {
  const principal = await stack.service.access.authenticator.authenticate((name) => owner[name], false);
  if (principal instanceof Failure) throw principal;
  return principal;
}

function identified(answered: Pick<Answer, "status" | "headers" | "body">): IdentifiedAnswer {
  return new IdentifiedAnswer(answered, "r2", "");
}

describe("a batch item", () => {
  test("is a GET by the same caller with the batch's language, token, agent, address and minimum generation, and nothing else", async () => {
    const sent: Record<string, string> = {
      "accept-language": "de",
      "user-agent": "test/1",
      "x-forwarded-for": "198.51.100.1",
      cookie: "vigil_session=vgs_x",
      authorization: "Bearer x",
      "x-service-key": "x",
      "x-api-key": "x",
      accept: "application/problem+json",
      "accept-encoding": "br",
      "if-none-match": '"x"',
      origin: "https://x",
      "idempotency-key": "x",
      "content-type": "application/json",
      "x-request-id": "x",
      "content-length": "9",
      "x-vigil-min-generation": "us-cpi=1",
    };
    const calls: Call[] = [];
    const pipeline: Pipeline = (item) => {
      calls.push(item);
      return identified(jsonAnswer(200, {}));
    };
    const headers = { header: (name: string) => sent[name], hasHeader: (name: string) => name in sent };
    await runAlone([`${CPI}?a=b%20c`], pipeline, headers);
    const [item] = calls;
    if (!item) throw new Error("the batch called no item");
    const { method, target, remoteAddress, batchedFor } = item;
    expect({ method, target, remoteAddress, batchedFor }).toEqual({
      method: "GET",
      target: `${CPI}?a=b%20c`,
      remoteAddress: "192.0.2.1",
      batchedFor: await ownerPrincipal(),
    });
    const forwarded = ["accept-language", "user-agent", "x-forwarded-for", "authorization", "x-vigil-min-generation"];
    expect(Object.keys(sent).filter((name) => item.header(name) !== undefined)).toEqual(forwarded);
    expect(Object.keys(sent).filter((name) => item.hasHeader(name))).toEqual(forwarded);
    expect((await item.body(9)).byteLength).toBe(0);
  });

  test("fails alone when it throws, and is reported as a fault", async () => {
    const fault = new Error("an internal fault");
    const pipeline: Pipeline = ({ target }) =>
      target === CPI ? Promise.reject(fault) : identified(jsonAnswer(200, { ok: 1 }));
    const { results, succeeded, failed, faults } = await runAlone([CPI, YIELDS], pipeline);
    expect(results).toEqual([
      { id: "0", status: 0, error: "fetch_failed" },
      { id: "1", status: 200, body: { ok: 1 }, error: "" },
    ]);
    expect({ succeeded, failed, faults }).toEqual({ succeeded: 1, failed: 1, faults: [fault] });
  });

  test.each([
    ["a page", { status: 203, headers: { "Content-Type": "text/html" }, body: "<html>" }],
    ["nothing", { status: 204, headers: { "Content-Type": "application/json" }, body: undefined }],
    ["a body without a type", { status: 200, headers: {}, body: "{}" }],
  ])("is invalid_json with its own status when its answer is %s", async (_name, answered) => {
    const { results, failed } = await runAlone([CPI], () => identified(answered));
    expect(results).toEqual([{ id: "0", status: answered.status, error: "invalid_json" }]);
    expect(failed).toBe(1);
  });

  test.each([
    [199, 0],
    [200, 1],
    [299, 1],
    [300, 0],
    [500, 0],
  ])("with status %i adds %i to the number of successes", async (status, count) => {
    const { succeeded, failed } = await runAlone([CPI], () => identified(jsonAnswer(status, {})));
    expect([succeeded, failed]).toEqual([count, 1 - count]);
  });

  test("joins its own timeout signal with the abort signal of the batch only when its `signal` is read", async () => {
    const { signal } = new AbortController();
    expect((await runAlone([CPI], answer, { signal })).succeeded).toBe(1);
    const joins = vi.spyOn(AbortSignal, "any");
    expect((await runAlone([CPI, CPI], answer, { signal })).succeeded).toBe(2);
    expect(joins).not.toHaveBeenCalled();
    const asking: Pipeline = (item) =>
      identified(jsonAnswer(item.signal?.aborted === false && item.signal ? 200 : 500, {}));
    expect((await runAlone([CPI], asking, { signal })).succeeded).toBe(1);
    expect(joins).toHaveBeenCalledOnce();
    joins.mockRestore();
  });

  test("is cancelled when its time is up", async () => {
    const calls: Call[] = [];
    const pipeline: Pipeline = (item) => {
      calls.push(item);
      return new Promise(() => undefined);
    };
    const pendingBatch = runAlone([CPI], pipeline);
    await until(() => calls.length === 1);
    expect(calls[0]?.signal?.aborted).toBe(false);
    stack.clock.advance(ITEM_MS_MAX);
    expect((await pendingBatch).results).toEqual([{ id: "0", status: 0, error: "timeout" }]);
    expect(calls[0]?.signal?.aborted).toBe(true);
  });
});

describe("a batch whose caller disconnects", () => {
  /** Wraps the service's pipeline so that the status of its answer to each item is recorded. */
  function recording() {
    const answers: (IdentifiedAnswer | Promise<IdentifiedAnswer>)[] = [];
    const pipeline: Pipeline = (item) => {
      const itemAnswer = answer(item);
      answers.push(itemAnswer);
      return itemAnswer;
    };
    return { pipeline, statuses: async () => (await Promise.all(answers)).map(({ status }) => status) };
  }

  const pathOf = (name: string): string => `${ROWS}?name=${name}&jmespath=${encodeURIComponent(LONG_PROJECTION)}`;

  /**
   * Returns the signal of a caller that disconnects in the middle of the projection, one turn of the event loop after
   * the rows were built.
   */
  function leaving(): AbortSignal {
    const controller = new AbortController();
    rowsProbe.onRun = () => void setImmediate(() => controller.abort(new Error("the caller went away")));
    return controller.signal;
  }

  test("cancels an item that no other caller waits for", async () => {
    const stayed = recording();
    expect((await runAlone([pathOf("stayed")], stayed.pipeline)).results[0]).toMatchObject({ body: ROW_COUNT - 6 });
    const left = recording();
    const signal = leaving();
    await Promise.allSettled([runAlone([pathOf("left")], left.pipeline, { signal })]);
    expect([await stayed.statuses(), await left.statuses()]).toEqual([[200], [500]]);
  });

  test("continues an item that another caller waits for", async () => {
    const left = recording();
    const signal = leaving();
    const gone = runAlone([pathOf("shared")], left.pipeline, { signal });
    const other = call(answer, "GET", pathOf("shared"), owner);
    await Promise.allSettled([gone]);
    expect(signal.aborted).toBe(true);
    const { status, body } = await other;
    expect([status, String(body)]).toEqual([200, String(ROW_COUNT - 6)]);
  });

  test("has its cancelled items computed again for the next caller", async () => {
    const signal = leaving();
    await Promise.allSettled([runAlone([pathOf("again")], answer, { signal })]);
    rowsProbe.onRun = nothing;
    expect(await resultOf(pathOf("again"))).toMatchObject({ status: 200, body: ROW_COUNT - 6 });
  });

  test("is run again when the call is repeated with the same Idempotency-Key", async () => {
    const controller = new AbortController();
    const { signal } = controller;
    rowsProbe.onRun = () => controller.abort(new Error("the caller went away"));
    const keyed = { ...owner, "content-type": "application/json", "idempotency-key": "left" };
    const body = JSON.stringify({ operations: [{ path: pathOf("kept") }] });
    const path = "/api/batch/v1/execute";
    const gone = await call(answer, "POST", path, keyed, { body, signal });
    expect(gone.status).toBe(500);
    rowsProbe.onRun = nothing;
    const repeat = await call(answer, "POST", path, keyed, { body });
    expect([repeat.status, repeat.headers["Idempotent-Replayed"]]).toEqual([200, "false"]);
    expect(json(repeat)).toMatchObject({ succeeded: 1 });
  });

  test("runs nothing if the caller left before the batch began", async () => {
    const recorded = recording();
    const signal = AbortSignal.abort(new Error("the caller went away"));
    await expect(runAlone([CPI], recorded.pipeline, { signal })).rejects.toThrow("the caller went away");
    expect(await recorded.statuses()).toEqual([]);
  });
});

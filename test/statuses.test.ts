import { createHmac } from "node:crypto";
import { request } from "node:http";
import { text } from "node:stream/consumers";
import { Type } from "typebox";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { PlanKey } from "../src/contract/access/plans.js";
import { type FailureName, failureTable } from "../src/contract/failures.js";
import { type RegisteredWrite, type Write, write } from "../src/contract/write.js";
import type { IdentifiedAnswer } from "../src/http/exchange.js";
import { type HttpServer, httpServer } from "../src/http/server.js";
import { DAY_MS, MINUTE_MS, SECOND_MS } from "../src/kit/clock.js";
import type { Limiter } from "../src/limits/limiter.js";
import {
  type Headers,
  issueToken,
  keyOn,
  makeAccount,
  makeKey,
  openSession,
  probe,
  proProbe,
  setPlan,
} from "./support/callers.js";
import { probeWrite } from "./support/probe-writes.js";
import { newestRecords, publishChanged, publishElsewhere, withoutFirstRows } from "./support/published.js";
import { call, json, NOON, type Stack, type StackOptions, startStack } from "./support/stack.js";

/*
 * Every row of the contract's table of statuses (NOTES §6 with RULINGS 5 and 6): status, complete body, and each header
 * that the contract fixes, present or absent. Rows that cannot occur here are left out: the 400 of a batch within a
 * batch (items cannot reach a POST), the row of an unknown user on an operation that requires a tier (this service
 * answers 401), and 502 (data outages are answered with 200).
 */

const CPI = "/api/economic/v1/get-us-cpi-monthly";
const DISASTERS = "/api/climate/v1/list-climate-disasters";
const BRIEF = "/api/intelligence/v1/get-country-intel-brief?country_code=UA";
const BATCH = "/api/batch/v1/execute";
const STREAM = "/api/datasets/v1/stream-dataset-changes";
const ACCOUNT = "/api/account/v1";
const OPERATOR = { "x-service-key": "operator-key-0123456789abcdef" };
const COMPANY = { "x-service-key": "company-key-0123456789abcdef" };
const SECRET = "what-the-billing-system-knows";
const OWN_ORIGIN = "http://127.0.0.1:8787";
const JSON_BODY = { "content-type": "application/json" };
const noForm = {
  error: "invalid_request",
  message: "The body must be a form in UTF-8 with Content-Type: application/x-www-form-urlencoded",
};
const FORM = { "content-type": "application/x-www-form-urlencoded" };

/** The message of an internal error. No caller may see it. */
const INTERNAL = "password of the upstream is hunter2";
const fails = (): never => {
  throw new Error(INTERNAL);
};
const failingProbe = probe("get-fault", {}, fails);

const ProbeValue = Type.Object({ value: Type.Integer() });
type ProbeRun = Write<typeof ProbeValue, typeof ProbeValue, Record<never, never>, { readonly scope: "read" }>["run"];
const probeOf = (rpc: string, run: ProbeRun): RegisteredWrite =>
  probeWrite(
    write({
      rpc,
      summary: "A probe",
      description: "A write of a test.",
      access: { scope: "read" },
      repeats: "replayed",
      isTransaction: false,
      uses: {},
      request: ProbeValue,
      example: { value: 1 },
      response: ProbeValue,
      run,
    }),
  );
const failingWrite = probeOf("fault", async () => fails());
const echoWrite = probeOf("echo", async (body) => ({ body }));

/** A promise that resolves when `open` is called. */
function gate() {
  let open = (): void => {};
  const opened = new Promise<void>((resolve) => {
    open = resolve;
  });
  return { opened, open: () => open() };
}

/** A write that signals when it has begun, and runs until the test lets it end. */
function heldWrite() {
  const begun = gate();
  const ended = gate();
  const held = probeOf("held", async (body) => {
    begun.open();
    await ended.opened;
    return { body };
  });
  return { registered: held, hasBegun: begun.opened, end: ended.open };
}

const settings = {
  VIGIL_ENTERPRISE_KEYS: `${OPERATOR["x-service-key"]},${COMPANY["x-service-key"]}=company_monitoring:read`,
  VIGIL_PLAN_EVENTS_SECRET: SECRET,
};
const probes = { operations: [proProbe, failingProbe], writes: [failingWrite, echoWrite] };

/** Sends a POST. A body that is neither a string nor bytes is sent as JSON. */
function post(stack: Stack, path: string, headers: Headers, body: unknown): Promise<IdentifiedAnswer> {
  const sent = typeof body === "string" || body instanceof Buffer ? body : JSON.stringify(body);
  return call(stack.answer, "POST", path, { ...JSON_BODY, ...headers }, { body: sent });
}

/** Runs work on a separate service. */
async function withStack<T>(options: StackOptions, work: (stack: Stack) => Promise<T>): Promise<T> {
  const stack = await startStack({ ...probes, ...options, env: { ...settings, ...options.env } });
  try {
    return await work(stack);
  } finally {
    await stack.close();
  }
}

const failingLimiter = (own: Limiter): Limiter => ({
  take: () => Promise.reject(new Error(INTERNAL)),
  look: () => Promise.reject(new Error(INTERNAL)),
  close: () => own.close(),
});

interface Row {
  readonly name: string;
  /** The failure in the service's own table; undefined for an answer that is not a failure. */
  readonly failure?: FailureName;
  readonly ask: () => Promise<IdentifiedAnswer>;
  readonly status: number;
  /** The complete body as JSON; undefined for no body. */
  readonly body: unknown;
  /** The `fixedHeaders` sent besides `refusalHeaders` and the challenge of a 401; all others must be absent. */
  readonly headers?: Headers;
  readonly hasNoCors?: true;
}

const fixedHeaders = [
  "Content-Type",
  "Cache-Control",
  "Allow",
  "Retry-After",
  "WWW-Authenticate",
  "X-Billing-Verification",
  "X-Content-Type-Options",
  "X-RateLimit-Mode",
  "Idempotency-Key",
  "Idempotent-Replayed",
];
/** The challenge of a 401, unless its row states another. */
const challenges: Readonly<Partial<Record<FailureName, string>>> = {
  keyRequired: 'Bearer realm="vigil", ApiKey realm="vigil", headers="X-Service-Key X-Api-Key"',
  keyInvalid: 'Bearer realm="vigil", error="invalid_token", ApiKey realm="vigil", headers="X-Service-Key X-Api-Key"',
  sessionInvalid:
    'Bearer realm="vigil", error="invalid_token", ApiKey realm="vigil", headers="X-Service-Key X-Api-Key"',
  bearerInvalid: 'Bearer realm="vigil", error="invalid_token", ApiKey realm="vigil", headers="X-Service-Key X-Api-Key"',
  proRequired: 'Bearer realm="vigil", ApiKey realm="vigil", headers="X-Service-Key X-Api-Key"',
  signatureInvalid: 'HMAC-SHA256 header="X-Vigil-Signature"',
  clientInvalid: 'Basic realm="vigil"',
};
const challengeOf = (failure: FailureName | undefined): Headers => {
  const challenge = failure === undefined ? undefined : challenges[failure];
  return challenge === undefined ? {} : { "WWW-Authenticate": challenge };
};

/** Names of headers that would be sent twice, which a client could read as two contradictory limits. */
function sentTwice({ headers, limitHeaders }: IdentifiedAnswer): readonly string[] {
  const names = [...Object.keys(headers), ...Object.keys(limitHeaders)].map((name) => name.toLowerCase());
  return names.filter((name, index) => names.indexOf(name) !== index);
}

const refusalHeaders = { "Content-Type": "application/json; charset=utf-8", "Cache-Control": "no-store" };

let stack: Stack;
const callers = new Map<string, Headers>();

const as = (name: string): Headers => {
  const headers = callers.get(name);
  if (!headers) throw new Error(`there is no caller ${name}`);
  return headers;
};

async function makeCallers(): Promise<void> {
  const plans: readonly PlanKey[] = ["free", "pro", "starter"];
  for (const plan of plans) {
    const createdKey = await makeKey(stack, await makeAccount(stack, plan));
    callers.set(`${plan} key`, { "x-service-key": createdKey.key });
    callers.set(`${plan} session`, { cookie: `vigil_session=${await openSession(stack, createdKey)}` });
    callers.set(`${plan} token`, { authorization: `Bearer ${await issueToken(stack, createdKey)}` });
  }
  for (const state of ["lapsed", "renewal-pending"] as const) {
    const account = await makeAccount(stack, "starter");
    const createdKey = await makeKey(stack, account);
    callers.set(`${state} key`, { "x-service-key": createdKey.key });
    callers.set(`${state} session`, { "x-service-key": await openSession(stack, createdKey) });
    await setPlan(stack, account, "starter", state);
  }
}

beforeAll(async () => {
  stack = await startStack({ ...probes, env: settings });
  await stack.run("us-cpi");
  await makeCallers();
}, 60_000);
afterAll(() => stack.close());

const withStatus = (status: number, those: readonly Omit<Row, "status">[]): readonly Row[] =>
  those.map((row) => ({ ...row, name: `${status} ${row.name}`, status }));

const violation = (field: string, description: string) => ({ violations: [{ field, description }] });
const get = (target: string, headers: Headers = OPERATOR) => stack.get(target, headers);
const projected = (expression: string, query = "") => get(`${CPI}?${query}jmespath=${encodeURIComponent(expression)}`);

const both = (sentence: string) => ({ message: sentence, error: sentence });
const original_keys = ["months", "unavailable"];
const nosniff = { "X-Content-Type-Options": "nosniff" };

const validation: readonly Row[] = [
  {
    name: "a number out of its range",
    ask: () => get("/api/displacement/v1/get-displacement-summary?year=1800"),
    body: violation("year", 'must be 0 or from 1951 to 2026, got "1800"'),
  },
  {
    name: "a bad page_size, which is reported as pageSize",
    ask: () => get(`${DISASTERS}?page_size=-1`),
    body: violation("pageSize", 'must not be negative, got "-1"'),
  },
  {
    name: "an invalid cursor",
    ask: () => get(`${DISASTERS}?cursor=none`),
    body: violation("cursor", "is not a cursor of this list with these filters; omit it to start again"),
  },
  {
    name: "no operations in a batch",
    ask: () => post(stack, BATCH, OPERATOR, { operations: [] }),
    body: violation("operations", "must not have fewer than 1 items"),
  },
  {
    name: "an id that two operations of a batch share",
    ask: () =>
      post(stack, BATCH, as("starter key"), {
        operations: [
          { id: "a", path: CPI },
          { id: "a", path: CPI },
        ],
      }),
    body: violation("operations[1].id", 'must be unique, got "a" twice'),
  },
].map((row) => ({ ...row, name: `400 validation: ${row.name}`, failure: "validation", status: 400 }));

const badBodies: readonly Row[] = [
  { what: "empty", sent: "", type: "application/json" },
  { what: "not JSON", sent: "{operations:", type: "application/json" },
  { what: "an array", sent: "[]", type: "application/json" },
  { what: "null", sent: "null", type: "application/json" },
  { what: "a string", sent: '"{}"', type: "application/json" },
  { what: "of another media type", sent: '{"operations":[]}', type: "text/plain" },
  { what: "of no media type", sent: '{"operations":[]}', type: "" },
].map(({ what, sent, type }) => ({
  name: `400 a body that is ${what}`,
  failure: "bodyInvalid",
  ask: () => post(stack, BATCH, { ...as("pro session"), origin: OWN_ORIGIN, "content-type": type }, sent),
  status: 400,
  body: { message: "Invalid request body" },
}));

const projections: readonly Row[] = [
  {
    name: "an expression of more than 1,024 bytes, although it has fewer characters",
    ask: () => projected(`'${"€".repeat(341)}'`),
    body: { _jmespath_error: "expression_too_long: 1025 > 1024", original_keys },
  },
  {
    name: "an expression that cannot be read",
    ask: () => projected("months["),
    body: { _jmespath_error: expect.stringMatching(/^invalid_expression: ./), original_keys },
  },
  {
    name: "a function called with the wrong type",
    ask: () => projected("abs(months)"),
    body: { _jmespath_error: expect.stringMatching(/^invalid_expression: ./), original_keys },
  },
  {
    name: "a result of more than 256 KB",
    ask: () => projected("[months, months]", "history=true&"),
    body: { _jmespath_error: expect.stringMatching(/^projection_too_large: \d{6,} > 262144$/), original_keys },
  },
].map((row) => ({ ...row, name: `400 jmespath: ${row.name}`, failure: "projection", status: 400, headers: nosniff }));

const badIdempotencyKeys: readonly Row[] = [
  { what: "empty", key: "" },
  { what: "with a space", key: "a b" },
  { what: "of 256 characters", key: "k".repeat(256) },
  { what: "with a character outside ASCII", key: "ké" },
].map(({ what, key }) => ({
  name: `400 an Idempotency-Key ${what}`,
  failure: "idempotencyKeyInvalid",
  ask: () => post(stack, echoWrite.path, { ...OPERATOR, "idempotency-key": key }, { value: 1 }),
  status: 400,
  body: {
    error: "invalid_idempotency_key",
    message: "Idempotency-Key must be 1 to 255 visible ASCII characters without spaces",
  },
}));

const billing = { "X-Billing-Verification": "subscription_lapsed" };
const lapsed = (requiredTier: number) => ({
  error: "The subscription has lapsed",
  code: "subscription_lapsed",
  requiredTier,
  currentTier: 0,
  planKey: "starter",
});
const pending = (requiredTier: number) => ({
  error: "The renewal of the subscription is being verified",
  code: "renewal_verification_pending",
  requiredTier,
});

function signature(body: string): Headers {
  const seconds = NOON / SECOND_MS;
  return { "x-vigil-signature": `t=${seconds},v1=${createHmac("sha256", `${SECRET}?`).update(body).digest("hex")}` };
}

const unauthorised: readonly Row[] = withStatus(401, [
  { name: "no credential", failure: "keyRequired", ask: () => get(CPI, {}), body: { error: "API key required" } },
  {
    name: "an unknown path without a key, which is not a 404",
    failure: "keyRequired",
    ask: () => get("/api/economic/v1/no-such", {}),
    body: { error: "API key required" },
  },
  {
    name: "a call with a wrong method and without a key, which is not a 405",
    failure: "keyRequired",
    ask: () => call(stack.answer, "POST", CPI),
    body: { error: "API key required" },
  },
  {
    name: "a wrong key",
    failure: "keyInvalid",
    ask: () => get(CPI, { "x-api-key": "no" }),
    body: { error: "Invalid API key" },
  },
  {
    name: "a wrong session",
    failure: "sessionInvalid",
    ask: () => get(CPI, { cookie: "vigil_session=vgs_gone" }),
    body: { error: "Invalid session token" },
  },
  {
    name: "the session of a free account on a Pro operation",
    failure: "proRequired",
    ask: () => get(proProbe.path, as("free session")),
    body: { error: "Pro authentication required" },
  },
  {
    name: "a wrong token",
    failure: "bearerInvalid",
    ask: () => get(proProbe.path, { authorization: "Bearer wrong" }),
    body: { error: "Invalid or expired session" },
  },
  {
    name: "a request for a token without a key",
    failure: "clientInvalid",
    ask: () => post(stack, "/oauth/token", FORM, "grant_type=client_credentials"),
    body: { error: "invalid_client" },
  },
  {
    name: "a plan event with a wrong signature",
    failure: "signatureInvalid",
    ask: () => {
      const body = JSON.stringify({ eventId: "1", accountId: "a", plan: "pro", state: "active" });
      return post(stack, `${ACCOUNT}/plan-events`, signature(body), body);
    },
    body: { error: "Invalid signature" },
  },
]);

const forbidden: readonly Row[] = withStatus(403, [
  {
    name: "an origin that is not allowed",
    failure: "originRefused",
    ask: () => get(CPI, { ...OPERATOR, origin: "https://evil.example" }),
    body: { error: "Origin not allowed" },
    hasNoCors: true,
  },
  {
    name: "the preflight of an origin that is not allowed",
    failure: "originRefused",
    ask: () => call(stack.answer, "OPTIONS", CPI, { origin: "null" }),
    body: { error: "Origin not allowed" },
    hasNoCors: true,
  },
  {
    name: "a write with a session cookie but without an origin",
    failure: "originRefused",
    ask: () => post(stack, BATCH, as("free session"), { operations: [{ path: CPI }] }),
    body: { error: "Origin not allowed" },
  },
  {
    name: "a key of a plan without API access, on a plain operation",
    failure: "planWithoutKeys",
    ask: () => get(CPI, as("free key")),
    body: { error: "The plan of this key's account does not include API access" },
  },
  {
    name: "a key of a Pro plan, on a Pro operation",
    failure: "planWithoutKeys",
    ask: () => get(proProbe.path, as("pro key")),
    body: { error: "The plan of this key's account does not include API access" },
  },
  {
    name: "a tier that is too low",
    failure: "tierTooLow",
    ask: () => get(proProbe.path, as("free token")),
    body: { error: "A higher plan is required", requiredTier: 1, currentTier: 0, planKey: "free" },
  },
  {
    name: "a key whose plan has lapsed",
    failure: "subscriptionLapsed",
    ask: () => get(CPI, as("lapsed key")),
    body: lapsed(2),
    headers: billing,
  },
  {
    name: "a session whose plan has lapsed, on a Pro operation",
    failure: "subscriptionLapsed",
    ask: () => get(proProbe.path, as("lapsed session")),
    body: lapsed(1),
    headers: billing,
  },
  {
    name: "a write with a key whose plan has lapsed",
    failure: "subscriptionLapsed",
    ask: () => post(stack, echoWrite.path, as("lapsed key"), { value: 1 }),
    body: lapsed(2),
    headers: billing,
  },
  {
    name: "a key whose plan is being verified",
    failure: "renewalPending",
    ask: () => get(CPI, as("renewal-pending key")),
    body: pending(2),
  },
  {
    name: "a session whose plan is being verified, on a Pro operation",
    failure: "renewalPending",
    ask: () => get(proProbe.path, as("renewal-pending session")),
    body: pending(1),
  },
  {
    name: "a key with another scope",
    failure: "scopeMissing",
    ask: () => get(CPI, COMPANY),
    body: { error: "This key lacks the scope read" },
  },
  {
    name: "creating a key with a key that can only read",
    failure: "scopeMissing",
    ask: () => post(stack, `${ACCOUNT}/create-key`, as("starter key"), { name: "more" }),
    body: { error: "This key lacks the scope account:write" },
  },
  {
    name: "a caller other than the operator",
    failure: "operatorOnly",
    ask: () => get(`${ACCOUNT}/list-accounts`, as("starter key")),
    body: { error: "Only the operator may do this" },
  },
]);

const ASKS_BY_OTHER_METHODS = [
  { method: "POST", path: CPI, allow: "GET, HEAD, OPTIONS" },
  { method: "DELETE", path: CPI, allow: "GET, HEAD, OPTIONS" },
  { method: "PUT", path: "/api/health", allow: "GET, HEAD, OPTIONS" },
  { method: "GET", path: BATCH, allow: "POST, OPTIONS" },
  { method: "HEAD", path: `${ACCOUNT}/create-key`, allow: "POST, OPTIONS" },
  { method: "PATCH", path: BATCH, allow: "POST, OPTIONS" },
];

const notFoundRows: readonly Row[] = [
  {
    name: "404 an unknown operation",
    failure: "notFound",
    ask: () => get("/api/economic/v1/no-such"),
    status: 404,
    body: { error: "Not found" },
  },
  {
    name: "404 a POST to an unknown path",
    failure: "notFound",
    ask: () => post(stack, "/api/economic/v2/get-us-cpi-monthly", OPERATOR, {}),
    status: 404,
    body: { error: "Not found" },
  },
  {
    name: "404 an unknown account",
    failure: "itemNotFound",
    ask: () => post(stack, `${ACCOUNT}/set-plan`, OPERATOR, { accountId: "none", plan: "pro", state: "active" }),
    status: 404,
    body: { error: "No such account" },
  },
  {
    name: "404 the keys of another account, whose existence is hidden",
    failure: "itemNotFound",
    ask: () => get(`${ACCOUNT}/list-keys?account_id=operator`, as("starter key")),
    status: 404,
    body: { error: "No such account" },
  },
  ...ASKS_BY_OTHER_METHODS.map(
    ({ method, path, allow }): Row => ({
      name: `405 ${method} ${path}`,
      failure: "methodNotAllowed",
      ask: () => call(stack.answer, method, path, OPERATOR),
      status: 405,
      body: { error: "Method not allowed" },
      headers: { Allow: allow },
    }),
  ),
];

const echo = (key: string, value: number) =>
  post(stack, echoWrite.path, { ...OPERATOR, "idempotency-key": key }, { value });
const keyed = (key: string, isReplay = false) => ({ "Idempotency-Key": key, "Idempotent-Replayed": String(isReplay) });

/** Repeats a call that is still running, and returns the answer to the repeat. */
async function askWhileRunning(): Promise<IdentifiedAnswer> {
  const held = heldWrite();
  return withStack({ writes: [held.registered] }, async (own) => {
    const ask = () => post(own, held.registered.path, { ...OPERATOR, "idempotency-key": "twice" }, { value: 1 });
    const firstAnswer = ask();
    await held.hasBegun;
    const repeat = await ask();
    held.end();
    expect((await firstAnswer).status).toBe(200);
    expect((await ask()).headers["Idempotent-Replayed"]).toBe("true");
    return repeat;
  });
}

const COMPANIES = "/api/company-monitoring/v1";
const companyId = "cm_company_00000000000000000000000000";
const targetLifecycle = "MONITORED_COMPANY_LIFECYCLE_PAUSED";

/** Removes the first of two runs a day apart, and asks for the answer at an instant between them. */
async function instantBeforeHistory(own: Stack): Promise<IdentifiedAnswer> {
  await own.run("us-cpi");
  own.clock.advance(DAY_MS);
  await own.run("us-cpi");
  await own.service.database.db.deleteFrom("dataset_run").where("run", "=", 1).execute();
  return own.get(`${CPI}?as_of=${own.clock.now() - 1}`);
}

/** Removes the older of two generations, and asks for the changes since the removed generation. */
async function changesSinceRemoved(own: Stack): Promise<IdentifiedAnswer> {
  await own.run("us-cpi");
  await publishChanged(own, "us-cpi", withoutFirstRows);
  await own.service.database.db.deleteFrom("snapshot").where("generation", "=", 1).execute();
  await own.restart();
  return own.get(`${CPI}?since_generation=1`);
}

/** Asks a node for the changes since a generation that another node has published and this node has not loaded. */
async function changesSinceUnloaded(own: Stack): Promise<IdentifiedAnswer> {
  await own.run("us-cpi");
  await publishElsewhere(own, "us-cpi", withoutFirstRows(await newestRecords(own, "us-cpi")));
  return own.get(`${CPI}?since_generation=2`);
}

/** Opens a stream, and returns the answer to an attempt to open a second one. */
async function streamBeyondLimit(own: Stack): Promise<IdentifiedAnswer> {
  expect((await own.get(STREAM)).status).toBe(200);
  return own.get(STREAM);
}

/** Creates one more company than an account may have, and returns the last answer. */
async function companyBeyondLimit(stack: Stack): Promise<IdentifiedAnswer> {
  const company = { name: "Example", domicileCountry: "DOMICILE_COUNTRY_US" };
  const rows = Array.from({ length: 100 }, (_, ordinal) => ({ ordinal, company }));
  for (const clientImportId of ["1", "2", "3", "4", "5"]) {
    const batch = { contractVersion: "cm-import-v1", clientImportId, rows };
    await post(stack, `${COMPANIES}/import-monitored-company-batch`, OPERATOR, batch);
  }
  return post(stack, `${COMPANIES}/create-monitored-company`, OPERATOR, { company });
}

const writes: readonly Row[] = [
  {
    name: "409 a repeat while the first call with this Idempotency-Key is still running",
    failure: "idempotencyConflict",
    ask: askWhileRunning,
    status: 409,
    body: {
      error: "idempotency_conflict",
      message: "The first request with this Idempotency-Key is still running; repeat this one later",
    },
    headers: { ...keyed("twice"), "Retry-After": "2" },
  },
  {
    name: "409 an account that exists already",
    failure: "conflict",
    ask: () => post(stack, `${ACCOUNT}/create-account`, OPERATOR, { id: "operator", name: "Again", plan: "pro" }),
    status: 409,
    body: both("The account operator already exists"),
  },
  {
    name: "404 a company that does not exist",
    failure: "itemNotFound",
    ask: () => post(stack, `${COMPANIES}/set-monitored-company-state`, OPERATOR, { companyId, targetLifecycle }),
    status: 404,
    body: { error: "No such company", code: "NOT_FOUND" },
  },
  {
    name: "410 a stream from a position that the log does not have",
    failure: "positionGone",
    ask: () => stack.get(STREAM, { ...OPERATOR, "last-event-id": "999999" }),
    status: 410,
    body: { error: "The log does not have this position; fetch the list again", code: "SNAPSHOT_REQUIRED" },
  },
  {
    name: "410 an instant before the kept history",
    failure: "historyGone",
    ask: () => withStack({ datasets: ["us-cpi"] }, instantBeforeHistory),
    status: 410,
    body: {
      error: "The history of us-cpi begins at 2026-11-19T12:00:00.000Z",
      code: "HISTORY_GONE",
      keptFrom: "2026-11-19T12:00:00.000Z",
    },
  },
  {
    name: "410 the changes since a generation that is no longer kept",
    failure: "generationGone",
    ask: () => withStack({ datasets: ["us-cpi"] }, changesSinceRemoved),
    status: 410,
    body: {
      error:
        "Generation 1 of us-cpi is no longer kept; read the list without since_generation and continue from its X-Vigil-Generation",
      code: "SNAPSHOT_REQUIRED",
    },
  },
  {
    name: "429 a stream beyond the limit of an account",
    failure: "tooManyStreams",
    ask: () => withStack({ datasets: [], env: { VIGIL_STREAMS_PER_ACCOUNT: "1" } }, streamBeyondLimit),
    status: 429,
    body: { ...both("Too many open streams"), limit: 1 },
    headers: { "Retry-After": "30" },
  },
  {
    name: "422 a company beyond the limit of an account",
    failure: "limitReached",
    ask: () => withStack({ datasets: [] }, companyBeyondLimit),
    status: 422,
    body: {
      ...both("An account monitors at most 500 companies; remove one first"),
      code: "COMPANY_LIMIT_REACHED",
    },
  },
  {
    name: "413 a body of more than 256 KiB",
    failure: "payloadTooLarge",
    ask: () => post(stack, BATCH, OPERATOR, " ".repeat(262_145)),
    status: 413,
    body: { error: "payload_too_large" },
  },
  {
    name: "400 a body of exactly 256 KiB that is not JSON",
    failure: "bodyInvalid",
    ask: () => post(stack, BATCH, OPERATOR, " ".repeat(262_144)),
    status: 400,
    body: { message: "Invalid request body" },
  },
  {
    name: "400 a body whose text is not UTF-8",
    failure: "bodyInvalid",
    ask: () => post(stack, BATCH, OPERATOR, Buffer.from('{"operations":[{"id":"\xff","path":"/"}]}', "latin1")),
    status: 400,
    body: { message: "Invalid request body" },
  },
  {
    name: "400 a form whose text is not UTF-8",
    failure: "tokenRequestInvalid",
    ask: () => post(stack, "/oauth/token", FORM, Buffer.from("grant_type=client_credentials&scope=\xff", "latin1")),
    status: 400,
    body: noForm,
  },
  {
    name: "400 a form whose escapes are not UTF-8",
    failure: "tokenRequestInvalid",
    ask: () => post(stack, "/oauth/token", FORM, "grant_type=client_credentials&scope=%FF"),
    status: 400,
    body: noForm,
  },
  {
    name: "400 a token request without a grant",
    failure: "tokenRequestInvalid",
    ask: () => post(stack, "/oauth/token", FORM, "client_id=any"),
    status: 400,
    body: { error: "invalid_request", message: "grant_type is required" },
  },
  {
    name: "422 an Idempotency-Key that was used with another body",
    failure: "idempotencyKeyReused",
    ask: () => echo("reused", 1).then(() => echo("reused", 2)),
    status: 422,
    body: {
      error: "idempotency_key_reused",
      message: "This Idempotency-Key was used before with another request body; use a new key",
    },
    headers: keyed("reused"),
  },
  {
    name: "400 an unknown grant",
    failure: "grantUnsupported",
    ask: () => post(stack, "/oauth/token", FORM, "grant_type=password"),
    status: 400,
    body: {
      error: "unsupported_grant_type",
      message: "The token endpoint accepts only the grant type client_credentials",
    },
  },
  {
    name: "200 a first call with an Idempotency-Key",
    ask: () => echo("first", 7),
    status: 200,
    body: { value: 7 },
    headers: keyed("first"),
  },
  {
    name: "200 an Idempotency-Key of the maximum length",
    ask: () => echo(`!~${"k".repeat(253)}`, 7),
    status: 200,
    body: { value: 7 },
    headers: keyed(`!~${"k".repeat(253)}`),
  },
  {
    name: "200 a repeat of a call with the same Idempotency-Key",
    ask: () => echo("repeated", 7).then(() => echo("repeated", 7)),
    status: 200,
    body: { value: 7 },
    headers: keyed("repeated", true),
  },
  {
    name: "400 a repeat of a refused call",
    failure: "bodyInvalid",
    ask: async () => {
      const ask = () => post(stack, echoWrite.path, { ...OPERATOR, "idempotency-key": "refused" }, "no JSON");
      await ask();
      return ask();
    },
    status: 400,
    body: { message: "Invalid request body" },
    headers: keyed("refused", true),
  },
  {
    name: "200 a call without an Idempotency-Key",
    ask: () => post(stack, echoWrite.path, OPERATOR, { value: 7 }),
    status: 200,
    body: { value: 7 },
  },
];

const unavailable = "Access cannot be verified now; repeat the request later";

/** Calls a service whose limiter fails, and returns the answer. */
const withoutLimiter = (ask: (own: Stack) => Promise<IdentifiedAnswer>) => () =>
  withStack({ limiter: failingLimiter }, ask);

/** Closes the store, makes a call with a key that has not been used yet, and returns the answer. */
const withoutStore = (ask: (own: Stack, headers: Headers) => Promise<IdentifiedAnswer>) => () =>
  withStack({}, async (own) => {
    const headers = { "x-service-key": await keyOn(own, "starter") };
    await own.service.database.close();
    return ask(own, headers);
  });

/** Reads while a write occupies the only slot, and returns the answer to the read. */
function whileFull(): Promise<IdentifiedAnswer> {
  const held = heldWrite();
  return withStack({ env: { VIGIL_CALLS_MAX: "1" }, writes: [held.registered] }, async (own) => {
    const running = post(own, held.registered.path, OPERATOR, { value: 1 });
    await held.hasBegun;
    const answer = await own.get(CPI, OPERATOR);
    held.end();
    await running;
    return answer;
  });
}

const degraded = { "X-RateLimit-Mode": "degraded" };
const cannotVerify = {
  failure: "entitlementUnavailable",
  status: 503,
  body: { ...both(unavailable), code: "entitlement_verification_unavailable" },
  headers: { "Retry-After": "5" },
} as const;

const faults: readonly Row[] = [
  {
    name: "500 an operation that throws",
    failure: "internal",
    ask: () => get(failingProbe.path),
    status: 500,
    body: { message: "Internal server error" },
  },
  {
    name: "500 a write that throws",
    failure: "internal",
    ask: () => post(stack, failingWrite.path, OPERATOR, { value: 1 }),
    status: 500,
    body: { message: "Internal server error" },
  },
  {
    name: "503 the changes since a generation that this node has not loaded yet",
    failure: "generationNotLoaded",
    ask: () => withStack({ datasets: ["us-cpi"] }, changesSinceUnloaded),
    status: 503,
    body: both("Generation 2 of us-cpi is not loaded here yet; repeat the request later"),
    headers: { "Retry-After": "2" },
  },
  {
    name: "503 a call while the maximum number of calls is running",
    failure: "overloaded",
    ask: whileFull,
    status: 503,
    body: { ...both("The service is overloaded; repeat the request later"), code: "overloaded" },
    headers: { "Retry-After": "1" },
  },
  {
    name: "503 readiness of a service that is starting or stopping",
    failure: "notReady",
    ask: () => withStack({ isReady: false }, (own) => own.get("/readyz", {})),
    status: 503,
    body: {
      status: "not ready",
      reason: "the service is starting or stopping",
      ...both("the service is starting or stopping"),
    },
    headers: { "Retry-After": "5" },
  },
  {
    name: "503 a key that cannot be looked up",
    ask: withoutStore((own, headers) => own.get(CPI, headers)),
    ...cannotVerify,
  },
  {
    name: "503 a batch with a key that cannot be looked up",
    ask: withoutStore((own, headers) => post(own, BATCH, headers, { operations: [{ path: CPI }] })),
    ...cannotVerify,
  },
  {
    name: "503 a token for a key that cannot be looked up",
    ask: withoutStore((own, headers) =>
      call(
        own.answer,
        "POST",
        "/oauth/token",
        { "content-type": "application/x-www-form-urlencoded" },
        { body: `grant_type=client_credentials&client_secret=${headers["x-service-key"]}` },
      ),
    ),
    ...cannotVerify,
  },
  {
    name: "503 signing in with a key that cannot be looked up",
    ask: withoutStore((own, headers) => post(own, "/api/account/v1/sign-in", {}, { key: headers["x-service-key"] })),
    ...cannotVerify,
  },
  {
    name: "200 a write whose Idempotency-Key cannot be stored",
    ask: withoutStore((own) => post(own, echoWrite.path, { ...OPERATOR, "idempotency-key": "lost" }, { value: 7 })),
    status: 200,
    body: { value: 7 },
    headers: keyed("lost"),
  },
  {
    name: "503 a path with a separate limit, while the limiter fails",
    failure: "limiterUnavailable",
    ask: withoutLimiter((own) => post(own, BATCH, OPERATOR, { operations: [{ path: CPI }] })),
    status: 503,
    body: both("Limits cannot be checked now; repeat the request later"),
    headers: { "Retry-After": "5", ...degraded },
  },
  {
    name: "503 a country brief, while the limiter fails",
    failure: "quotaUnavailable",
    ask: withoutLimiter(async (own) => own.get(BRIEF, { "x-service-key": await keyOn(own, "starter") })),
    status: 503,
    body: both("The daily quota cannot be checked now; repeat the request later"),
    headers: { "Retry-After": "30", ...degraded },
  },
  {
    name: "200 a path without a separate limit, while the limiter fails",
    ask: withoutLimiter((own) => post(own, echoWrite.path, OPERATOR, { value: 7 })),
    status: 200,
    body: { value: 7 },
    headers: degraded,
  },
  {
    name: "200 an operation, while the limiter fails",
    ask: withoutLimiter((own) => own.get(CPI, OPERATOR)),
    status: 200,
    body: { months: [], unavailable: true },
    headers: degraded,
  },
  {
    name: "401 no credential, while the limiter fails",
    failure: "keyRequired",
    ask: withoutLimiter((own) => own.get(CPI, {})),
    status: 401,
    body: { error: "API key required" },
    headers: degraded,
  },
];

/** Makes `count` calls with one key on a service with these limits, then one more, and returns the last answer. */
const after =
  (
    count: number,
    limits: string,
    ask: (own: Stack, headers: Headers) => Promise<IdentifiedAnswer>,
    plan: PlanKey = "starter",
  ) =>
  () =>
    withStack({ env: { VIGIL_LIMITS: limits, VIGIL_PUBLIC_READS: "on" } }, async (own) => {
      const headers = { "x-service-key": await keyOn(own, plan) };
      for (let done = 0; done < count; done += 1) expect((await ask(own, headers)).status).toBe(200);
      return ask(own, headers);
    });

const askCpi = (own: Stack, headers: Headers) => own.get(CPI, headers);
const MIDNIGHT = Date.UTC(2026, 10, 19);

/** The headers that report an exhausted limit, in each of the header families. */
function limitHeaders(policy: string, standing: string, limit: number, resetAt: number): Headers {
  const seconds = String((resetAt - NOON) / SECOND_MS);
  return {
    "RateLimit-Policy": policy,
    RateLimit: standing,
    "RateLimit-Limit": String(limit),
    "RateLimit-Remaining": "0",
    "RateLimit-Reset": seconds,
    "X-RateLimit-Limit": String(limit),
    "X-RateLimit-Remaining": "0",
    "X-RateLimit-Reset": String(resetAt),
    "Retry-After": seconds,
  };
}

interface LimitRow {
  readonly name: string;
  readonly failure: FailureName;
  readonly ask: () => Promise<IdentifiedAnswer>;
  readonly body: unknown;
  readonly headers: Headers;
}

const NEXT_MINUTE = NOON + MINUTE_MS;

const limited: readonly LimitRow[] = [
  {
    name: "the per-minute limit of an account",
    failure: "accountLimit",
    ask: after(2, "starter-minute=2", askCpi),
    body: {
      ...both("Rate limit reached"),
      plan: "starter",
      limit: 2,
      limit_type: "per_minute",
      reset: "2026-11-18T12:01:00.000Z",
    },
    headers: limitHeaders(
      '"account";q=2;w=60, "daily";q=1000;w=86400',
      '"account";r=0;t=60, "daily";r=998;t=43200',
      2,
      NEXT_MINUTE,
    ),
  },
  {
    name: "the daily limit of an account",
    failure: "accountLimit",
    ask: after(3, "starter-day=3", askCpi),
    body: {
      ...both("Daily limit reached"),
      plan: "starter",
      limit: 3,
      limit_type: "daily",
      reset: "2026-11-19T00:00:00.000Z",
    },
    headers: limitHeaders(
      '"account";q=60;w=60, "daily";q=3;w=86400',
      '"account";r=57;t=60, "daily";r=0;t=43200',
      3,
      MIDNIGHT,
    ),
  },
  {
    name: "the daily limit of a Business account",
    failure: "accountLimit",
    ask: after(1, "business-day=1", askCpi, "business"),
    body: {
      ...both("Daily limit reached"),
      plan: "business",
      limit: 1,
      limit_type: "daily",
      reset: "2026-11-19T00:00:00.000Z",
    },
    headers: limitHeaders(
      '"account";q=300;w=60, "daily";q=1;w=86400',
      '"account";r=299;t=60, "daily";r=0;t=43200',
      1,
      MIDNIGHT,
    ),
  },
  {
    name: "the limit of an address",
    failure: "tooManyRequests",
    ask: after(2, "default-minute=2", (own) => own.get(CPI, {})),
    body: both("Too many requests"),
    headers: limitHeaders('"default";q=2;w=60', '"default";r=0;t=60', 2, NEXT_MINUTE),
  },
  {
    name: "the limit of a key of an Enterprise account",
    failure: "accountLimit",
    ask: after(2, "enterprise-minute=2", askCpi, "enterprise"),
    body: {
      ...both("Rate limit reached"),
      plan: "enterprise",
      limit: 2,
      limit_type: "per_minute",
      reset: "2026-11-18T12:01:00.000Z",
    },
    headers: limitHeaders('"key";q=2;w=60', '"key";r=0;t=60', 2, NEXT_MINUTE),
  },
  {
    name: "the daily quota of country briefs",
    failure: "quotaUsedUp",
    ask: after(2, "brief-starter-day=2", (own, headers) => own.get(BRIEF, headers)),
    body: { ...both("Daily quota reached"), limit: 2, resetsAt: "2026-11-19T00:00:00.000Z" },
    headers: limitHeaders(
      '"account";q=60;w=60, "daily";q=1000;w=86400, "brief";q=2;w=86400',
      '"account";r=58;t=60, "daily";r=998;t=43200, "brief";r=0;t=43200',
      2,
      MIDNIGHT,
    ),
  },
  {
    name: "the separate limit of a path",
    failure: "tooManyRequests",
    ask: after(30, "starter-minute=100", (own, headers) => post(own, BATCH, headers, { operations: [{ path: CPI }] })),
    body: both("Too many requests"),
    headers: limitHeaders('"batch-execute";q=30;w=60', '"batch-execute";r=0;t=60', 30, NEXT_MINUTE),
  },
];

const batchOfFailures = {
  operations: [
    { path: proProbe.path },
    { path: "/api/economic/v1/no-such" },
    { path: failingProbe.path },
    { path: `${CPI}?history=maybe` },
  ],
};

const others: readonly Row[] = [
  {
    name: "200 a batch that contains another batch; only the inner batch is refused",
    ask: () => post(stack, BATCH, OPERATOR, { operations: [{ path: BATCH }] }),
    status: 200,
    body: { results: [{ id: "0", status: 0, error: "nested_batch" }], succeeded: 0, failed: 1 },
  },
  {
    name: "200 a batch of failures, each with its own status and body",
    ask: () => post(stack, BATCH, { ...as("free session"), origin: OWN_ORIGIN }, batchOfFailures),
    status: 200,
    body: {
      results: [
        { id: "0", status: 401, body: { error: "Pro authentication required" }, error: "" },
        { id: "1", status: 404, body: { error: "Not found" }, error: "" },
        { id: "2", status: 500, body: { message: "Internal server error" }, error: "" },
        { id: "3", status: 400, body: violation("history", 'must be true or false, got "maybe"'), error: "" },
      ],
      succeeded: 0,
      failed: 4,
    },
  },
  {
    name: "204 a preflight with a wrong key, which is not checked",
    ask: () => call(stack.answer, "OPTIONS", proProbe.path, { origin: OWN_ORIGIN, "x-service-key": "wrong" }),
    status: 204,
    body: undefined,
  },
];

const rows: readonly Row[] = [
  ...validation,
  ...badBodies,
  ...projections,
  ...badIdempotencyKeys,
  ...unauthorised,
  ...forbidden,
  ...notFoundRows,
  ...writes,
  ...faults,
  ...others,
];

const fixedOf = (headers: Headers): Headers =>
  Object.fromEntries(fixedHeaders.flatMap((name) => (headers[name] === undefined ? [] : [[name, headers[name]]])));

describe("the table of statuses", () => {
  test.each(rows)(
    "the answer has the expected status, body and headers: $name",
    async ({ ask, failure, status, body, headers, hasNoCors }) => {
      const answer = await ask();
      expect(sentTwice(answer)).toEqual([]);
      const sent = { ...answer.headers, ...answer.limitHeaders };
      expect(answer.status, String(answer.body)).toBe(status);
      if (body === undefined) expect(answer.body).toBeUndefined();
      else expect(json(answer)).toEqual(body);
      expect(fixedOf(sent)).toEqual({ ...(status !== 204 && refusalHeaders), ...challengeOf(failure), ...headers });
      expect(String(answer.body)).not.toContain(INTERNAL);
      const corsNames = Object.keys(sent).filter((name) => name.startsWith("Access-Control-"));
      expect(corsNames.length === 0).toBe(hasNoCors === true);
      // No limit is charged for a readiness check, a preflight or a refused origin, nor for any call while the limiter
      // fails.
      const isCounted =
        sent["X-RateLimit-Mode"] === undefined && failure !== "notReady" && status !== 204 && !hasNoCors;
      if (isCounted) expect(sent["RateLimit-Policy"]).toMatch(/^"[a-z-]+";q=\d+;w=\d+/);
    },
  );

  test.each(limited)("the answer is the expected 429: $name", async ({ ask, body, headers }) => {
    const answer = await ask();
    expect(sentTwice(answer)).toEqual([]);
    expect(answer.status).toBe(429);
    expect(json(answer)).toEqual(body);
    expect({ ...answer.headers, ...answer.limitHeaders }).toMatchObject({ ...refusalHeaders, ...headers });
  });

  test("every 401 has a challenge", () => {
    const names = Object.keys(failureTable) as FailureName[];
    expect(names.filter((name) => failureTable[name].status === 401).sort()).toEqual(Object.keys(challenges).sort());
  });

  test("the table has a row for every failure of the service", () => {
    const covered = new Set([...rows, ...limited].flatMap(({ failure }) => failure ?? []));
    const never = Object.keys(failureTable).filter((name) => !covered.has(name as FailureName));
    expect(never).toEqual([]);
  });
});

describe("the charge for a call", () => {
  const remaining = ({ limitHeaders: { "RateLimit-Remaining": left } }: IdentifiedAnswer): number => Number(left);

  test("a call without a key reports the default limit", async () => {
    const { limitHeaders: sent } = await withStack({ env: { VIGIL_PUBLIC_READS: "on" } }, (own) => own.get(CPI, {}));
    expect(sent).toMatchObject({ "RateLimit-Policy": '"default";q=600;w=60', "RateLimit-Limit": "600" });
    expect(sent).not.toHaveProperty("Retry-After");
  });

  test("a replay costs nothing, and neither does a call that is refused before it is counted", async () => {
    await withStack({}, async (own) => {
      const headers = { "x-service-key": await keyOn(own, "starter") };
      const ask = () => post(own, echoWrite.path, { ...headers, "idempotency-key": "free" }, { value: 1 });
      const leftAfterFirst = remaining(await ask());
      expect([remaining(await ask()), remaining(await own.get("/api/a/v1/b", headers))]).toEqual([
        leftAfterFirst,
        leftAfterFirst,
      ]);
      expect(remaining(await own.get(CPI, headers))).toBe(leftAfterFirst - 1);
    });
  });

  test("the same Idempotency-Key from another caller counts as a different key", async () => {
    const ask = (headers: Headers) =>
      post(stack, echoWrite.path, { ...headers, "idempotency-key": "shared" }, { value: 1 });
    const answers = [await ask(OPERATOR), await ask(as("starter key")), await ask(OPERATOR)];
    expect(answers.map(({ headers }) => headers["Idempotent-Replayed"])).toEqual(["false", "false", "true"]);
  });

  test("a call that the daily limit refuses costs nothing", async () => {
    await withStack({ env: { VIGIL_LIMITS: "starter-day=1" } }, async (own) => {
      const headers = { "x-service-key": await keyOn(own, "starter") };
      const standing = async (): Promise<string | undefined> => {
        const answer = await own.get(CPI, headers);
        return { ...answer.headers, ...answer.limitHeaders }["RateLimit"];
      };
      expect(await standing()).toBe('"account";r=59;t=60, "daily";r=0;t=43200');
      expect(await standing()).toBe('"account";r=59;t=60, "daily";r=0;t=43200');
    });
  });

  test("a 304 costs no daily unit", async () => {
    const ask = async (more: Headers = {}) => get(CPI, { ...as("starter key"), ...more });
    const answer = await ask();
    const revalidated = await ask({ "if-none-match": answer.headers["ETag"] ?? "" });
    const dayLeft = (of: IdentifiedAnswer): string | undefined =>
      /"daily";r=(\d+)/.exec(of.limitHeaders["RateLimit"] ?? "")?.[1];
    expect([revalidated.status, revalidated.body]).toEqual([304, undefined]);
    expect(revalidated.headers).toMatchObject({ ETag: answer.headers["ETag"], "Cache-Control": "private, no-cache" });
    expect(dayLeft(revalidated)).toBe(dayLeft(answer));
  });
});

describe("an answer over a socket", () => {
  let server: HttpServer;
  let base: string;
  beforeAll(async () => {
    server = httpServer(stack.answer);
    base = await server.listen("127.0.0.1", 0);
  });
  afterAll(() => server.close());

  interface Received {
    readonly status: number | undefined;
    readonly headers: NodeJS.Dict<string | string[]>;
    readonly body: string;
    /** Header names and values alternately, as received. */
    readonly rawHeaders: readonly string[];
  }

  function ask(method: string, path: string, headers: Headers, chunks: readonly string[] = []): Promise<Received> {
    return new Promise((resolve, reject) => {
      const sent = request(base + path, { method, headers, agent: false }, (answer) => {
        const received = { status: answer.statusCode, headers: answer.headers, rawHeaders: answer.rawHeaders };
        text(answer).then((body) => resolve({ ...received, body }), reject);
      });
      sent.on("error", reject);
      for (const chunk of chunks) sent.write(chunk);
      sent.end();
    });
  }

  test("HEAD has the status and headers of GET, but no body", async () => {
    const [get_, head] = [await ask("GET", CPI, OPERATOR), await ask("HEAD", CPI, OPERATOR)];
    const about = ({ status, headers }: Received) => [status, headers["etag"], headers["content-length"]];
    expect(about(head)).toEqual(about(get_));
    expect([head.body, Number(head.headers["content-length"])]).toEqual(["", get_.body.length]);
  });

  test("the 429 of a batch has each header once", async () => {
    const headers = { "x-service-key": await keyOn(stack, "starter"), ...JSON_BODY };
    const body = JSON.stringify({ operations: [{ path: CPI }] });
    for (let count = 0; count < 30; count += 1) await ask("POST", BATCH, headers, [body]);
    const { status, rawHeaders } = await ask("POST", BATCH, headers, [body]);
    const names = rawHeaders.filter((_, index) => index % 2 === 0).map((name) => name.toLowerCase());
    expect(status).toBe(429);
    expect(names).toEqual([...new Set(names)]);
    expect(names).toEqual(expect.arrayContaining(["retry-after", "ratelimit", "x-ratelimit-remaining"]));
  });

  test("HEAD without a key gets 401 without a body", async () => {
    const { status, headers, body } = await ask("HEAD", CPI, {});
    expect([status, headers["content-length"], body]).toEqual([401, "28", ""]);
  });

  test("one trailing slash is ignored, but two are not", async () => {
    const slashed = await ask("GET", `${CPI}/?history=false`, OPERATOR);
    expect([slashed.status, slashed.body]).toEqual([200, (await ask("GET", CPI, OPERATOR)).body]);
    expect((await ask("GET", `${CPI}//`, OPERATOR)).status).toBe(404);
  });

  test("a preflight gets 204 with the headers that a browser needs", async () => {
    const { status, headers, body } = await ask("OPTIONS", CPI, { origin: OWN_ORIGIN });
    expect([status, body]).toEqual([204, ""]);
    expect(headers).toMatchObject({
      "access-control-allow-origin": OWN_ORIGIN,
      "access-control-allow-credentials": "true",
      "access-control-allow-methods": "GET, POST, OPTIONS",
      "access-control-max-age": "3600",
      "access-control-allow-headers": expect.stringContaining("Idempotency-Key"),
      vary: "Origin",
    });
  });

  test("a body that turns out to be too large while it is read gets 413", async () => {
    const chunks = Array.from({ length: 5 }, () => " ".repeat(65_536));
    const { status, body } = await ask("POST", BATCH, { ...OPERATOR, ...JSON_BODY }, chunks);
    expect([status, JSON.parse(body)]).toEqual([413, { error: "payload_too_large" }]);
  });

  test("an empty key header counts as absent, and an empty Idempotency-Key is invalid", async () => {
    expect((await ask("GET", CPI, { "x-service-key": "", "x-api-key": OPERATOR["x-service-key"] })).status).toBe(200);
    const { status, body } = await ask("POST", echoWrite.path, { ...OPERATOR, ...JSON_BODY, "idempotency-key": "" }, [
      '{"value":1}',
    ]);
    expect([status, JSON.parse(body).error]).toEqual([400, "invalid_idempotency_key"]);
  });
});

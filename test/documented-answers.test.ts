import { readFileSync } from "node:fs";
import { Compile } from "typebox/schema";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { operationFailures } from "../src/contract/expected-failures.js";
import type { FailureName } from "../src/contract/failures.js";
import type { IdentifiedAnswer } from "../src/http/exchange.js";
import { loadServices } from "../src/services/registry.js";
import { type Headers, issueToken, makeAccount, makeKey, openSession, setPlan } from "./support/callers.js";
import { resolvedIn } from "./support/references.js";
import { call, json, type Stack, startStack } from "./support/stack.js";

/*
 * Every declared failure that one call can provoke is provoked at every operation. The calls do not ask for problem
 * details. Each answer is compared with the OpenAPI document: its status is documented, its body matches exactly one
 * form, and it has the required headers.
 */

type Json = Readonly<Record<string, unknown>>;

interface Response {
  readonly headers?: Readonly<Record<string, Json>>;
  readonly content: Readonly<Record<string, { readonly schema: Json }>>;
}

interface Document {
  readonly paths: Readonly<
    Record<string, Readonly<Record<string, { readonly responses: Readonly<Record<string, unknown>> }>>>
  >;
  readonly components: Json;
}

const document: Document = JSON.parse(readFileSync(new URL("../docs/openapi.json", import.meta.url), "utf8"));
const { operations } = await loadServices();
const BATCH = "/api/batch/v1/execute";
const COMPANY_KEY = "company-key-0123456789abcdef";
const FREE_QUERY: Readonly<Record<string, string>> = Object.fromEntries(
  operations.map(({ path, operation }) => [path, new URLSearchParams(operation.examples[0]).toString()]),
);

let stack: Stack;
const callers = new Map<string, Headers>();

beforeAll(async () => {
  const env = { VIGIL_ENTERPRISE_KEYS: `${COMPANY_KEY}=company_monitoring:read`, VIGIL_LIMITS: "starter-minute=0" };
  stack = await startStack({ env });
  callers.set("owner", { "x-service-key": stack.service.access.ownerKey.key ?? "" });
  for (const plan of ["free", "starter"] as const) {
    const createdKey = await makeKey(stack, await makeAccount(stack, plan));
    callers.set(`${plan} key`, { "x-service-key": createdKey.key });
    callers.set(`${plan} session`, { "x-service-key": await openSession(stack, createdKey) });
    callers.set(`${plan} token`, { authorization: `Bearer ${await issueToken(stack, createdKey)}` });
  }
  for (const state of ["lapsed", "renewal-pending"] as const) {
    const account = await makeAccount(stack, "starter");
    const createdKey = await makeKey(stack, account);
    callers.set(`${state} key`, { "x-service-key": createdKey.key });
    await setPlan(stack, account, "starter", state);
  }
}, 60_000);
afterAll(() => stack.close());

const as = (name: string): Headers => {
  const headers = callers.get(name);
  if (!headers) throw new Error(`there is no caller ${name}`);
  return headers;
};

const get = (target: string, headers: Headers): Promise<IdentifiedAnswer> => stack.get(target, headers);

/**
 * For each failure, a call that provokes it. Other tests provoke the failures that need a broken store or an exhausted
 * daily limit.
 */
const provoked: Partial<Readonly<Record<FailureName, (target: string) => Promise<IdentifiedAnswer>>>> = {
  originRefused: (target) => get(target, { ...as("owner"), origin: "https://elsewhere.example" }),
  methodNotAllowed: (target) => call(stack.answer, "DELETE", target, as("owner")),
  keyRequired: (target) => get(target, {}),
  keyInvalid: (target) => get(target, { "x-service-key": "nobody's" }),
  sessionInvalid: (target) => get(target, { cookie: "vigil_session=vgs_gone" }),
  scopeMissing: (target) => get(target, { "x-service-key": COMPANY_KEY }),
  planWithoutKeys: (target) => get(target, as("free key")),
  subscriptionLapsed: (target) => get(target, as("lapsed key")),
  renewalPending: (target) => get(target, as("renewal-pending key")),
  accountLimit: (target) => get(target, as("starter key")),
  notFound: (target) => get(`${target.split("?")[0]}-not-there`, as("owner")),
  validation: (target) => get(`${target.split("?")[0]}?jmespath=a&jmespath=b`, as("owner")),
  projection: (target) => get(withQuery(target, "jmespath=%5B"), as("owner")),
  proRequired: (target) => get(target, as("free session")),
  tierTooLow: (target) => get(target, as("free token")),
};

function withQuery(target: string, query: string): string {
  const plain = target.replace(/([?&])jmespath=[^&]*/, "$1");
  return plain.includes("?") ? `${plain}&${query}` : `${plain}?${query}`;
}

/** The documented response for a status. */
function responseOf(path: string, method: "get" | "post", status: number): Response {
  const { responses } = document.paths[path]?.[method] ?? { responses: {} };
  return resolvedIn(document, responses[status] ?? responses["default"]) as Response;
}

/** The alternatives of a schema; for a schema without alternatives, the schema itself. */
function formsOf(schema: Json): readonly Json[] {
  return ((schema["oneOf"] ?? schema["anyOf"]) as readonly Json[] | undefined) ?? [schema];
}

function expectDocumented(path: string, method: "get" | "post", answer: IdentifiedAnswer): void {
  const { content, headers = {} } = responseOf(path, method, answer.status);
  const [type = ""] = answer.headers["Content-Type"]?.split(";") ?? [];
  const body = json(answer);
  const matching = formsOf(content[type]?.schema ?? { not: {} }).filter((form) =>
    Compile({ ...form, components: document.components }).Check(body),
  );
  expect(matching, `${answer.status} ${String(answer.body)}`).toHaveLength(1);
  const sent = { ...answer.headers, ...answer.limitHeaders };
  for (const [name, header] of Object.entries(headers)) {
    const { required } = resolvedIn(document, header) as { readonly required?: boolean };
    if (required) expect(sent[name], `${name} of a ${answer.status}`).toMatch(/./);
  }
}

describe.each(operations.map(({ path, operation }) => [path, operation] as const))("%s", (path, operation) => {
  const failures = operationFailures(operation).filter((name) => name in provoked);

  test.each(failures)("answers %s as documented", async (name) => {
    const provoke = provoked[name] ?? (() => Promise.reject(new Error(`${name} cannot be provoked`)));
    const answer = await provoke(`${path}?${FREE_QUERY[path]}`);
    expect(answer.status).toBeGreaterThanOrEqual(400);
    expectDocumented(path, "get", answer);
    expect(answer.headers["X-Vigil-Data"]).toBe("simulated");
  });

  test("documents the statuses that SPEC lists for every operation", () => {
    const statuses = Object.keys(document.paths[path]?.["get"]?.responses ?? {});
    expect(statuses).toEqual(expect.arrayContaining(["200", "304", "400", "401", "403", "429", "503", "default"]));
  });
});

describe("batch execute", () => {
  const post = (headers: Headers, body: string) =>
    call(stack.answer, "POST", BATCH, { "content-type": "application/json", ...headers }, { body });
  const BODY = JSON.stringify({ operations: [{ path: "/api/economic/v1/get-us-cpi-monthly" }] });

  test.each([
    ["400 to a body that is not JSON", 400, () => post(as("owner"), "{")],
    ["400 to a body with a violation", 400, () => post(as("owner"), "{}")],
    ["400 to an invalid Idempotency-Key", 400, () => post({ ...as("owner"), "idempotency-key": "a b" }, BODY)],
    ["401 to a call without a key", 401, () => post({}, BODY)],
    ["403 to a plan without keys", 403, () => post(as("free key"), BODY)],
    ["413 to a body that is too large", 413, () => post(as("owner"), " ".repeat(300_000))],
    [
      "422 to an Idempotency-Key that was used with another body",
      422,
      async () => {
        const headers = { ...as("owner"), "idempotency-key": "used" };
        await post(headers, BODY);
        return post(headers, `${BODY} `);
      },
    ],
    [
      "409 to an Idempotency-Key whose first call is still running",
      409,
      async () => {
        const headers = { ...as("owner"), "idempotency-key": "running" };
        const slow = JSON.stringify({
          operations: Array.from({ length: 20 }, (_, index) => ({
            path: `/api/aviation/v1/get-flight-status?flight_number=VG${1_000 + index}&date=2026-11-18`,
          })),
        });
        const firstCall = post(headers, slow);
        const repeat = await post(headers, slow);
        return repeat.status === 409 ? repeat : firstCall;
      },
    ],
  ] as const)("answers %s, in exactly one documented form", async (_name, status, ask) => {
    const answer = await ask();
    expect(answer.status).toBe(status);
    expectDocumented(BATCH, "post", answer);
  });

  test("documents 409 and 422", () => {
    expect(Object.keys(document.paths[BATCH]?.["post"]?.responses ?? {})).toEqual(
      expect.arrayContaining(["409", "422"]),
    );
  });
});

test("a call that creates an object answers 201, as the document states", async () => {
  const body = JSON.stringify({ name: "documented", plan: "free" });
  const headers = { "content-type": "application/json", ...as("owner") };
  const answer = await call(stack.answer, "POST", "/api/account/v1/create-account", headers, { body });
  expect(answer.status).toBe(201);
  const success = Object.entries(document.paths).flatMap(([path, { post }]) =>
    Object.keys(post?.responses ?? {})
      .filter((status) => status.startsWith("2"))
      .map((status) => `${path} ${status}`),
  );
  expect(success.filter((line) => line.endsWith("201")).sort()).toEqual([
    "/api/account/v1/create-account 201",
    "/api/account/v1/create-key 201",
    "/api/watches/v1/create-watch 201",
    "/api/webhooks/v1/create-webhook-endpoint 201",
  ]);
});

test("every 429 and 503 in the document requires Retry-After", () => {
  const responses = Object.values(document.paths).flatMap((methods) =>
    Object.values(methods).flatMap((operation) => [operation.responses["429"], operation.responses["503"]]),
  );
  const limited = responses
    .filter((response) => response !== undefined)
    .map((response) => resolvedIn(document, response));
  expect(limited.length).toBeGreaterThan(50);
  for (const response of limited) {
    const header = (response as Response).headers?.["Retry-After"];
    expect(resolvedIn(document, header)).toMatchObject({ required: true });
  }
});

test("every error response in the document offers problem details in addition to its own form", () => {
  const { responses } = document.components as { readonly responses: Readonly<Record<string, Response>> };
  const errors = Object.entries(responses).filter(([name]) => /^[45]|^rest$/.test(name));
  expect(errors.length).toBeGreaterThan(8);
  for (const [, response] of errors) {
    expect(Object.keys(response.content)).toEqual(["application/json", "application/problem+json"]);
  }
});

import { pino } from "pino";
import { Type } from "typebox";
import { afterAll, beforeAll, expect, test } from "vitest";
import { loadConfig } from "../src/app/config.js";
import { servicePipeline } from "../src/app/service-pipeline.js";
import { openApiDocument } from "../src/contract/openapi.js";
import { operation, type RegisteredOperation } from "../src/contract/operation.js";
import { flag } from "../src/contract/query-field.js";
import { wireName } from "../src/http/query.js";
import { call, type Stack, startStack } from "./support/stack.js";

const probe = operation({
  rpc: "get-old",
  summary: "an old probe",
  description: "a probe that will be removed",
  cache: "fast",
  reads: {},
  query: { loud: flag("louder") },
  response: Type.Object({ old: Type.Boolean() }),
  examples: [],
  deprecation: {
    since: Date.UTC(2026, 10, 18, 12),
    sunset: Date.UTC(2027, 4, 18, 12),
    successor: "/api/probe/v2/get-new",
  },
  run: () => ({ old: true }),
});
const registered: RegisteredOperation = { service: "probe", path: "/api/probe/v1/get-old", operation: probe };

let stack: Stack;
beforeAll(async () => {
  stack = await startStack();
});
afterAll(() => stack.close());

function answers() {
  const services = { ...stack.services, operations: [...stack.services.operations, registered] };
  const { service, clock } = stack;
  const options = { config: loadConfig({}, []), service, services, clock, log: pino({ level: "silent" }) };
  return servicePipeline({ ...options, simulated: true }, () => true);
}

const expected = {
  Deprecation: "@1795003200",
  Sunset: "Tue, 18 May 2027 12:00:00 GMT",
  Link: '<http://127.0.0.1:8787/docs/versioning>; rel="deprecation"; type="text/html", </api/probe/v2/get-new>; rel="successor-version"',
};

test.each([
  { what: "an answer", query: "", status: 200 },
  { what: "a refused parameter", query: "?loud=maybe", status: 400 },
  { what: "a call without a key", query: "", headers: {}, status: 401 },
  { what: "a wrong method", query: "", method: "POST", status: 405 },
])(
  "a deprecated operation sends the deprecation headers with status $status: $what",
  async ({ query, status, method = "GET", headers }) => {
    const key = { "x-service-key": stack.service.access.ownerKey.key ?? "" };
    const answer = await call(answers(), method, `${registered.path}${query}`, headers ?? key);
    expect(answer.status).toBe(status);
    expect(answer.limitHeaders).toMatchObject(expected);
  },
);

test("a 304 of a deprecated operation has the deprecation headers", async () => {
  const answer = answers();
  const key = { "x-service-key": stack.service.access.ownerKey.key ?? "" };
  const earlier = await call(answer, "GET", registered.path, key);
  const revalidated = await call(answer, "GET", registered.path, {
    ...key,
    "if-none-match": earlier.headers["ETag"] ?? "",
  });
  expect(revalidated.status).toBe(304);
  expect(revalidated.limitHeaders).toMatchObject(expected);
});

test("an operation that is not deprecated has no deprecation header", async () => {
  const key = { "x-service-key": stack.service.access.ownerKey.key ?? "" };
  const answer = await call(answers(), "GET", "/api/economic/v1/get-us-cpi-monthly", key);
  expect(answer.limitHeaders).not.toHaveProperty("Deprecation");
});

test("the OpenAPI document marks a deprecated operation", () => {
  const document = openApiDocument({
    groups: [],
    operations: [registered],
    accountReads: [],
    streams: [],
    linkedFeeds: [],
    writes: [],
    platform: [],
    version: "1",
    wireName,
    examples: new Map(),
  });
  expect(document).toMatchObject({
    paths: { [registered.path]: { get: { deprecated: true, "x-sunset": "2027-05-18T12:00:00.000Z" } } },
  });
});

import { Type } from "typebox";
import { afterAll, beforeAll, expect, test } from "vitest";
import { write } from "../src/contract/write.js";
import { type HttpServer, httpServer } from "../src/http/server.js";
import { keyOn } from "./support/callers.js";
import { probeWrite } from "./support/probe-writes.js";
import { type Stack, startStack } from "./support/stack.js";

const CPI = "/api/economic/v1/get-us-cpi-monthly";
const OPERATOR = { "x-service-key": "operator-key-0123456789abcdef" };
const Value = Type.Object({ value: Type.Integer() });

let begun = 0;
const ends: (() => void)[] = [];
/** A write that runs until the test lets it end. */
const held = probeWrite(
  write({
    rpc: "held",
    summary: "A probe",
    description: "A write of a test.",
    access: { scope: "read" },
    repeats: "replayed",
    isTransaction: false,
    uses: {},
    request: Value,
    example: { value: 1 },
    response: Value,
    async run(body) {
      begun += 1;
      await new Promise<void>((resolve) => ends.push(resolve));
      return { body };
    },
  }),
);

let stack: Stack;
let server: HttpServer;
let base: string;
let other: Readonly<Record<string, string>>;
beforeAll(async () => {
  const env = {
    VIGIL_ENTERPRISE_KEYS: OPERATOR["x-service-key"],
    VIGIL_CALLS_MAX: "3",
    VIGIL_CALLS_PER_ACCOUNT: "2",
  };
  stack = await startStack({ filled: ["us-cpi"], writes: [held], env });
  server = httpServer(stack.answer);
  base = await server.listen("127.0.0.1", 0);
  other = { "x-service-key": await keyOn(stack, "starter") };
}, 60_000);
afterAll(async () => {
  await server.close();
  await stack.close();
});

function post(headers: Readonly<Record<string, string>>): Promise<Response> {
  const body = JSON.stringify({ value: 1 });
  return fetch(base + held.path, { method: "POST", headers: { ...headers, "content-type": "application/json" }, body });
}

const read = (path: string, headers: Readonly<Record<string, string>>) => fetch(base + path, { headers });

test("under overload, an account above its share is refused first; health and metrics are not refused", async () => {
  const first = [post(OPERATOR), post(OPERATOR)];
  await expect.poll(() => begun).toBe(2);
  const refused = await read(`${CPI}?history=true`, OPERATOR);
  expect([refused.status, refused.headers.get("retry-after")]).toEqual([503, "1"]);
  expect(refused.headers.get("cache-control")).toBe("no-store");
  expect(await refused.json()).toEqual({
    message: "The service is overloaded; repeat the request later",
    error: "The service is overloaded; repeat the request later",
    code: "overloaded",
  });
  expect((await read(CPI, other)).status).toBe(200);

  const third = post(other);
  await expect.poll(() => begun).toBe(3);
  expect((await read(`${CPI}?jmespath=months`, other)).status).toBe(503);
  // This target was requested before, so its answer is cached.
  expect((await read(CPI, other)).status).toBe(200);
  for (const path of ["/livez", "/readyz", "/api/health", "/metrics"]) {
    expect((await read(path, OPERATOR)).status, path).toBe(200);
  }
  const metrics = await (await read("/metrics", OPERATOR)).text();
  expect(metrics).toMatch(
    /vigil_shed_total\{reason="calls"\} 1\nvigil_shed_total\{reason="caller"\} 1\nvigil_shed_total\{reason="loop"\} 0\n/,
  );
  // Refusals under overload are not counted as 5xx, so they do not trigger alerts on errors.
  expect(metrics).toContain(`vigil_requests_total{operation="${CPI}",status="5xx"} 0\n`);
  expect(metrics).toContain(`vigil_requests_total{operation="${CPI}",status="shed"} 2\n`);

  for (const end of ends) end();
  for (const answer of await Promise.all([...first, third])) expect(answer.status).toBe(200);
  expect((await read(`${CPI}?history=true`, OPERATOR)).status).toBe(200);
});

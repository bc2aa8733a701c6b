import { readFileSync } from "node:fs";
import { resolve } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { byKey, byOwner, type CallHeaders, makeAccount } from "./support/accounts.js";
import { call, type Stack, startStack } from "./support/stack.js";

const FAR = "203.0.113.9";

let stack: Stack;
beforeAll(async () => {
  stack = await startStack({ env: { VIGIL_TRUSTED_PROXIES: "10.0.0.0/8" } });
}, 60_000);
afterAll(() => stack.close());

const metrics = (from: string, headers: CallHeaders = {}) => call(stack.answer, "GET", "/metrics", headers, { from });

describe("/metrics", () => {
  test("needs no key if the caller is on this machine", async () => {
    expect((await metrics("127.0.0.1")).status).toBe(200);
  });

  test.each([
    { from: FAR, headers: {} },
    { from: FAR, headers: { "x-forwarded-for": "127.0.0.1" } },
    { from: "10.0.0.1", headers: { "x-forwarded-for": FAR } },
    { from: "127.0.0.1", headers: { "x-forwarded-for": FAR } },
  ])("is hidden from a remote caller that connects from $from with $headers", async ({ from, headers }) => {
    expect((await metrics(from, headers)).status).toBe(404);
  });

  test("accepts the operator's key from anywhere, in every form that scrapers send", async () => {
    const { "x-service-key": key = "" } = byOwner(stack);
    for (const headers of [byOwner(stack), { "x-api-key": key }, { authorization: `Bearer ${key}` }]) {
      const { status, body } = await metrics(FAR, headers);
      expect([status, String(body)]).toEqual([200, expect.stringContaining("vigil_dataset_state")]);
    }
  });

  test("answers 404 to a key of an account other than the operator's, and 401 to an invalid key", async () => {
    const desk = await makeAccount(stack, "Desk", "business");
    expect((await metrics(FAR, byKey(desk.reader))).status).toBe(404);
    expect((await metrics(FAR, { "x-service-key": "nonsense" })).status).toBe(401);
  });
});

test("/metrics has every metric that the documented alert rules use", async () => {
  const rules = readFileSync(resolve(import.meta.dirname, "../docs/operating.md"), "utf8");
  const named = new Set(rules.match(/\bvigil_(?:dataset|request)[a-z_]*[a-z]/g));
  expect(named.size).toBeGreaterThan(5);
  const text = String((await metrics("127.0.0.1")).body);
  expect([...named].filter((name) => !new RegExp(`^${name}\\b`, "m").test(text))).toEqual([]);
});

import { createHmac } from "node:crypto";
import { expect } from "vitest";
import { makeAccount, makeKey, openSession } from "../support/callers.js";
import type { Risk } from "./attack.js";
import { ACCOUNT, BATCH, CPI, ELSEWHERE, type Headers, type House, PRO } from "./house.js";

/** Callers with fewer rights than the operator. */
async function lesserCallers({ stack, attacker }: House): Promise<readonly (readonly [string, Headers])[]> {
  const reader = await makeKey(stack, attacker.accountId, ["read"]);
  const operatorsReader = await makeKey(stack, "operator", ["read"]);
  const session = await openSession(stack, attacker.key);
  return [
    ["a key with every scope of an account", attacker.by],
    ["a read-only key", { "x-service-key": reader.key }],
    ["a read-only key of the operator's account", { "x-service-key": operatorsReader.key }],
    ["a session", { cookie: `vigil_session=${session}`, "sec-fetch-site": "same-origin" }],
  ];
}

export const functions: Risk = {
  id: "API5",
  title: "Broken function level authorization",
  attacks: [
    {
      name: "operator functions are refused to every lesser credential",
      attack: "Create accounts, change plans, list all accounts and read the audit log",
      defence: "Operator functions are declared as such, and the caller's rights are checked before the input",
      async run(house) {
        const { send, stack } = house;
        const writes = stack.services.writes.filter(({ write }) => write.access === "operator");
        const reads = stack.services.accountReads.filter(({ read }) => read.access === "operator");
        expect(writes.length).toBeGreaterThan(0);
        expect(reads.length).toBeGreaterThan(0);
        for (const [name, headers] of await lesserCallers(house)) {
          for (const { path } of writes) {
            const { status } = await send(path, { headers, body: { name: "x", plan: "enterprise" } });
            expect([name, path, status]).toEqual([name, path, 403]);
          }
          for (const { path } of reads) {
            const { status } = await send(path, { headers });
            expect([name, path, status]).toEqual([name, path, 403]);
          }
        }
      },
    },
    {
      name: "a key can call no write and no read beyond its scopes",
      attack: "Call every write and account read with a key that has only another scope",
      defence: "Each operation declares its scope, which is checked before its input",
      async run({ send, stack }) {
        const scopeOf = (access: unknown): string | undefined =>
          typeof access === "object" && access !== null && "scope" in access ? String(access.scope) : undefined;
        const calls = [
          ...stack.services.writes.map(({ path, write }) => ({ path, scope: scopeOf(write.access), body: {} })),
          ...stack.services.accountReads.map(({ path, read }) => ({
            path,
            scope: scopeOf(read.access),
            body: undefined,
          })),
        ].filter(({ scope }) => scope !== undefined);
        expect(calls.length).toBeGreaterThan(25);
        const accountId = await makeAccount(stack, "enterprise");
        const reader = await makeKey(stack, accountId, ["read"]);
        const writer = await makeKey(stack, accountId, ["account:write"]);
        for (const { path, scope, body } of calls) {
          const { key } = scope === "read" ? writer : reader;
          const reply = await send(path, { headers: { "x-service-key": key }, ...(body && { body }) });
          expect([path, reply.status, reply.body]).toEqual([
            path,
            403,
            `{"error":"This key lacks the scope ${scope}"}`,
          ]);
        }
      },
    },
    {
      name: "methods other than the declared ones are refused, whatever headers say",
      attack: "Send PUT, PATCH, DELETE and others, or override the method in a header",
      defence: "A path accepts only the methods that it declares; headers that override a method are ignored",
      async run({ send, owner }) {
        const create = `${ACCOUNT}/create-account`;
        for (const path of [CPI, create, `${ACCOUNT}/list-accounts`, "/api/health", "/docs/guide"]) {
          for (const method of ["PUT", "PATCH", "DELETE", "TRACE", "PROPFIND", path === create ? "GET" : "POST"]) {
            const { status, headers } = await send(path, { method, headers: owner });
            expect([method, path, status]).toEqual([method, path, 405]);
            expect(headers.allow).toMatch(/GET|POST/);
          }
        }
        for (const header of ["x-http-method-override", "x-method-override", "x-http-method"]) {
          const before = (await send(`${ACCOUNT}/list-accounts`, { headers: owner })).body;
          const overridden = await send(`${create}?_method=POST`, { headers: { ...owner, [header]: "POST" } });
          expect(overridden.status).toBe(405);
          expect((await send(`${ACCOUNT}/list-accounts`, { headers: owner })).body).toBe(before);
        }
      },
    },
    {
      name: "an operation that a plan does not include is refused",
      attack: "Call Pro operations and the API with keys of lower or lapsed plans, alone and in a batch",
      defence: "Every call is checked against the plan that the store has for the account",
      async run({ send, stack }) {
        for (const plan of ["free", "pro"] as const) {
          const { key } = await makeKey(stack, await makeAccount(stack, plan));
          for (const path of [CPI, PRO]) {
            expect((await send(path, { headers: { "x-service-key": key } })).status).toBe(403);
          }
          const body = { operations: [{ id: "a", path: PRO }] };
          expect((await send(BATCH, { headers: { "x-service-key": key }, body })).status).toBe(403);
        }
        const accountId = await makeAccount(stack, "business");
        const { key } = await makeKey(stack, accountId);
        const headers = { "x-service-key": key };
        expect((await send(PRO, { headers })).status).toBe(200);
        await stack.service.access.accounts.setPlan(accountId, "business", "lapsed", { actor: "test" });
        await stack.service.access.credentials.refresh();
        const { status, body } = await send(PRO, { headers });
        expect([status, JSON.parse(body).code]).toEqual([403, "subscription_lapsed"]);
      },
    },
    {
      name: "the metrics are hidden from other machines without the operator's key",
      attack: "Read /metrics from another machine, without a key or with an account's key",
      defence: "Only this machine and the operator can read metrics; others get the 404 of a missing path",
      async run({ send, attacker, owner }) {
        expect((await send("/metrics", { headers: ELSEWHERE })).status).toBe(404);
        expect((await send("/metrics", { headers: { ...ELSEWHERE, ...attacker.by } })).status).toBe(404);
        expect((await send("/metrics", { headers: { ...ELSEWHERE, ...owner } })).status).toBe(200);
      },
    },
    {
      name: "a forged plan event changes no plan",
      attack: "Forge an event of the billing system, to upgrade the attacker's plan",
      defence:
        "Events are signed with a shared secret; if no secret is set, the path that receives events does not exist",
      async run({ send, stack, attacker }) {
        const body = JSON.stringify({
          eventId: "evt",
          accountId: attacker.accountId,
          plan: "enterprise",
          state: "active",
        });
        const seconds = Math.floor(stack.clock.now() / 1_000);
        for (const secret of ["", "secret", "undefined"]) {
          const signature = createHmac("sha256", secret).update(`${seconds}.${body}`).digest("hex");
          const headers = { ...attacker.by, "x-vigil-signature": `t=${seconds},v1=${signature}` };
          expect((await send(`${ACCOUNT}/plan-events`, { headers, body })).status).toBe(401);
        }
        expect(await stack.service.access.accounts.find(attacker.accountId)).toMatchObject({ plan: "business" });
      },
    },
  ],
};

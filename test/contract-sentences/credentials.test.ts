import { createHash } from "node:crypto";
import { afterAll, beforeAll, expect } from "vitest";
import { newKey } from "../../src/access/key-format.js";
import type { CreatedKey } from "../../src/contract/access/accounts.js";
import { type PlanKey, plans } from "../../src/contract/access/plans.js";
import type { IdentifiedAnswer } from "../../src/http/exchange.js";
import { HOUR_MS, MINUTE_MS } from "../../src/kit/clock.js";
import {
  type Headers,
  issueToken,
  makeAccount,
  makeKey,
  openSession,
  proProbe,
  revokeKey,
  setPlan,
} from "../support/callers.js";
import { type Sentence, testSentences } from "../support/sentences.js";
import { nodeCount } from "../support/shape.js";
import { call, json, type Stack, startStack } from "../support/stack.js";

/* Section 5 of the contract's NOTES.md, as amended by rulings 4, 5 and 9. */

const CPI = "/api/economic/v1/get-us-cpi-monthly";
const BATCH = "/api/batch/v1/execute";
const PRO = proProbe.path;
const OPERATOR_KEY = "operator-key-0123456789abcdef";
/** An operator's key that starts like a user key but has a different shape. */
const ODD_OPERATOR_KEY = "vgl_operators_choose_their_own_shape";

let stack: Stack;
const keysByPlan = new Map<PlanKey, CreatedKey>();
beforeAll(async () => {
  const keys = [OPERATOR_KEY, ODD_OPERATOR_KEY].join(",");
  const env = { VIGIL_ENTERPRISE_KEYS: keys, VIGIL_PUBLIC_URL: "https://vigil.example" };
  stack = await startStack({ env, operations: [proProbe] });
  for (const plan of ["free", "pro", "starter", "business", "enterprise"] as const) {
    keysByPlan.set(plan, await makeKey(stack, await makeAccount(stack, plan)));
  }
}, 60_000);
afterAll(() => stack.close());

function keyOf(plan: PlanKey): CreatedKey {
  const created = keysByPlan.get(plan);
  if (!created) throw new Error(`there is no key of the plan ${plan}`);
  return created;
}

const byKey = (key: string): Headers => ({ "x-service-key": key });
const get = (target: string, headers: Headers) => stack.get(target, headers);
const statusOf = async (target: string, headers: Headers): Promise<number> => (await get(target, headers)).status;

function post(path: string, body: unknown, headers: Headers): Promise<IdentifiedAnswer> {
  const sent = { ...headers, "content-type": "application/json" };
  return call(stack.answer, "POST", path, sent, { body: JSON.stringify(body) });
}

/** All stored rows of keys and sessions, as one JSON string. */
async function storedAccess(): Promise<string> {
  const { db } = stack.service.database;
  const keys = await db.selectFrom("api_key").selectAll().execute();
  return JSON.stringify([keys, await db.selectFrom("session").selectAll().execute()]);
}

/** Runs a check on a stack of its own, so that the check can close the database. */
async function withoutStore(check: (own: Stack, key: string) => Promise<void>): Promise<void> {
  const own = await startStack({ operations: [proProbe] });
  try {
    await own.run("us-cpi");
    const { key } = await makeKey(own, await makeAccount(own, "starter"));
    await check(own, key);
  } finally {
    await own.close();
  }
}

const refused = async (target: string, headers: Headers, error: string): Promise<void> => {
  const answer = await get(target, headers);
  expect([answer.status, json(answer), answer.headers["Cache-Control"]]).toEqual([401, { error }, "no-store"]);
};

const kinds: readonly Sentence[] = [
  {
    place: "NOTES §5",
    sentence: "X-Api-Key is used if X-Service-Key is empty",
    async check() {
      const { key } = keyOf("starter");
      expect(await statusOf(CPI, { "x-service-key": "", "x-api-key": key })).toBe(200);
      expect(await statusOf(CPI, { "x-service-key": key, "x-api-key": "wrong" })).toBe(200);
    },
  },
  {
    place: "NOTES §5 (a)",
    sentence: "an enterprise key is an opaque string from VIGIL_ENTERPRISE_KEYS, and can call Pro operations",
    async check() {
      expect(await statusOf(CPI, byKey(OPERATOR_KEY))).toBe(200);
      expect(await statusOf(PRO, byKey(OPERATOR_KEY))).toBe(200);
    },
  },
  {
    place: "NOTES §5 (a)",
    sentence: "an enterprise key with one character more or less, or in upper case, is invalid",
    async check() {
      for (const key of [`${OPERATOR_KEY}0`, OPERATOR_KEY.slice(0, -1), OPERATOR_KEY.toUpperCase()]) {
        await refused(CPI, byKey(key), "Invalid API key");
      }
    },
  },
  {
    place: "NOTES §5",
    sentence: "the enterprise check runs before the shape check of user keys",
    check: async () => expect(await statusOf(CPI, byKey(ODD_OPERATOR_KEY))).toBe(200),
  },
  {
    place: "NOTES §5 (b), DESIGN §9",
    sentence: "a user key is a short prefix, 40 lower-case hex digits and a checksum",
    check: () => expect(keyOf("starter").key).toMatch(/^vgl_demo_[0-9a-f]{40}[0-9a-f]{8}$/),
  },
  {
    place: "NOTES §5 (b)",
    sentence: "no two keys have the same 40 hex digits",
    check: () =>
      expect(new Set([...keysByPlan.values()].map(({ key }) => key.slice(9, 49))).size).toBe(keysByPlan.size),
  },
  {
    place: "NOTES §5 (b)",
    sentence: "only the SHA-256 hex of a user key is stored",
    async check() {
      const { key } = keyOf("starter");
      const stored = await storedAccess();
      expect(stored).toContain(createHash("sha256").update(key).digest("hex"));
      expect(stored).not.toContain(key);
      expect(stored).not.toContain(key.slice(9, 49));
    },
  },
  {
    place: "NOTES §5 (b)",
    sentence: "a user key is shown once, at its creation",
    async check() {
      const owner = byKey(stack.service.access.ownerKey.key ?? "");
      const accountId = await makeAccount(stack, "starter");
      const created = await post("/api/account/v1/create-key", { accountId, name: "shown" }, owner);
      const { key } = json(created) as { key: string };
      expect([created.status, key]).toEqual([201, expect.stringMatching(/^vgl_demo_/)]);
      const listed = await get(`/api/account/v1/list-keys?account_id=${accountId}`, owner);
      expect(listed.status).toBe(200);
      expect(String(listed.body)).not.toContain(key.slice(0, 40));
    },
  },
  {
    place: "NOTES §5 (b)",
    sentence: "the lookup of a valid key is cached for 60 s",
    check: () =>
      withoutStore(async (own, key) => {
        // Each node has its own cache.
        for (let node = 0; node < nodeCount; node += 1) {
          expect((await own.get(CPI, byKey(key))).status).toBe(200);
        }
        await own.service.database.close();
        own.clock.advance(MINUTE_MS - 1);
        expect((await own.get(CPI, byKey(key))).status).toBe(200);
        own.clock.advance(1);
        expect((await own.get(CPI, byKey(key))).status).toBe(503);
      }),
  },
  {
    place: "NOTES §5 (b)",
    sentence: "the lookup of an unknown key is cached for 60 s",
    check: () =>
      withoutStore(async (own) => {
        const unknown = byKey(newKey("vgl_demo_"));
        for (let node = 0; node < nodeCount; node += 1) expect((await own.get(CPI, unknown)).status).toBe(401);
        await own.service.database.close();
        own.clock.advance(MINUTE_MS - 1);
        expect((await own.get(CPI, unknown)).status).toBe(401);
        own.clock.advance(1);
        expect((await own.get(CPI, unknown)).status).toBe(503);
      }),
  },
  {
    place: "NOTES §5",
    sentence: "a malformed user key is rejected before any lookup",
    check: () =>
      withoutStore(async (own, key) => {
        await own.service.database.close();
        const malformed = [key.slice(0, -1), key.toUpperCase(), `${key.slice(0, -1)}g`, `${key}0`, "vgl_demo_"];
        for (const text of malformed) {
          const answer = await own.get(CPI, byKey(text));
          expect([answer.status, json(answer)]).toEqual([401, { error: "Invalid API key" }]);
        }
        expect((await own.get(CPI, byKey(newKey("vgl_demo_")))).status).toBe(503);
      }),
  },
  {
    place: "NOTES §5 (c)",
    sentence: "a session lasts 12 h",
    async check() {
      const session = byKey(await openSession(stack, keyOf("business")));
      const at = stack.clock.now();
      stack.clock.set(at + 12 * HOUR_MS - 1);
      expect(await statusOf(CPI, session)).toBe(200);
      stack.clock.set(at + 12 * HOUR_MS);
      await refused(CPI, session, "Invalid session token");
    },
  },
  {
    place: "NOTES §5 (c)",
    sentence: "signing in sets an HttpOnly Secure SameSite=Lax cookie",
    async check() {
      const answer = await post("/api/account/v1/sign-in", { key: keyOf("starter").key }, {});
      expect(answer.status).toBe(200);
      const attributes = (answer.headers["Set-Cookie"] ?? "").split("; ").slice(1);
      expect(attributes).toEqual(expect.arrayContaining(["HttpOnly", "Secure", "SameSite=Lax", "Max-Age=43200"]));
    },
  },
  {
    place: "NOTES §5 (c)",
    sentence: "a session token is accepted in its cookie and in either key header",
    async check() {
      const token = await openSession(stack, keyOf("starter"));
      expect(await statusOf(CPI, { cookie: `vigil_session=${token}` })).toBe(200);
      expect(await statusOf(CPI, { "x-service-key": token })).toBe(200);
      expect(await statusOf(CPI, { "x-api-key": token })).toBe(200);
    },
  },
  {
    place: "NOTES §5 (c)",
    sentence: "on any plan, a session token is sufficient for every read that is not Pro",
    async check() {
      for (const plan of ["free", "pro", "starter"] as const) {
        expect(await statusOf(CPI, byKey(await openSession(stack, keyOf(plan))))).toBe(200);
      }
    },
  },
  {
    place: "NOTES §5 (c)",
    sentence: "the session token is not stored, only its hash",
    async check() {
      const token = await openSession(stack, keyOf("starter"));
      const stored = await storedAccess();
      expect(stored).not.toContain(token);
      expect(stored).toContain(createHash("sha256").update(token).digest("hex"));
    },
  },
  {
    place: "NOTES §5 (d)",
    sentence: "a bearer token is accepted only by Pro operations",
    async check() {
      const bearer = { authorization: `Bearer ${await issueToken(stack, keyOf("starter"))}` };
      expect(await statusOf(PRO, bearer)).toBe(200);
      await refused(CPI, bearer, "API key required");
    },
  },
];

const precedence: readonly Sentence[] = [
  {
    place: "NOTES §5",
    sentence: "a header key is authoritative: a wrong one never falls back to a cookie",
    async check() {
      const cookie = `vigil_session=${await openSession(stack, keyOf("starter"))}`;
      await refused(CPI, { cookie, "x-service-key": "wrong" }, "Invalid API key");
      await refused(CPI, { cookie, "x-api-key": "wrong" }, "Invalid API key");
    },
  },
  {
    place: "NOTES §5",
    sentence: "a header key is authoritative: a wrong one never falls back to a token",
    async check() {
      const authorization = `Bearer ${await issueToken(stack, keyOf("starter"))}`;
      await refused(PRO, { authorization, "x-service-key": "wrong" }, "Invalid API key");
    },
  },
  {
    place: "NOTES §5",
    sentence: "with a valid header key, a bad cookie or token is ignored",
    async check() {
      const { key } = keyOf("starter");
      expect(await statusOf(PRO, { ...byKey(key), cookie: "vigil_session=gone", authorization: "Bearer x" })).toBe(200);
    },
  },
];

const texts: readonly Sentence[] = [
  {
    place: "NOTES §5",
    sentence: "a GET, a Pro GET and a POST without a credential get a 401 with the error API key required",
    async check() {
      await refused(CPI, {}, "API key required");
      await refused(PRO, {}, "API key required");
      const answer = await post(BATCH, { operations: [{ path: CPI }] }, {});
      expect([answer.status, json(answer)]).toEqual([401, { error: "API key required" }]);
    },
  },
  {
    place: "NOTES §5",
    sentence: "an unknown, revoked or expired key gets a 401 with the error Invalid API key",
    async check() {
      const revoked = await makeKey(stack, await makeAccount(stack, "starter"));
      await revokeKey(stack, revoked);
      const expired = await makeKey(stack, await makeAccount(stack, "starter"), ["read"], stack.clock.now() + 1);
      stack.clock.advance(1);
      for (const key of [newKey("vgl_demo_"), revoked.key, expired.key]) {
        await refused(CPI, byKey(key), "Invalid API key");
      }
    },
  },
  {
    place: "NOTES §5",
    sentence: "a session token that was never issued gets a 401 with the error Invalid session token",
    async check() {
      const token = `vgs_${"A".repeat(43)}`;
      await refused(CPI, byKey(token), "Invalid session token");
      await refused(CPI, { cookie: `vigil_session=${token}` }, "Invalid session token");
    },
  },
  {
    place: "NOTES §5",
    sentence: "on a Pro operation, a session of a free account gets a 401 with the error Pro authentication required",
    check: async () => refused(PRO, byKey(await openSession(stack, keyOf("free"))), "Pro authentication required"),
  },
  {
    place: "NOTES §5",
    sentence: "on a Pro operation, a bad bearer token gets a 401 with the error Invalid or expired session",
    check: () => refused(PRO, { authorization: "Bearer a.b.c" }, "Invalid or expired session"),
  },
];

/** Requires a 403 for a GET, a Pro GET, a POST and an unknown path with these headers. */
async function expectNoRoute(headers: Headers): Promise<void> {
  for (const target of [CPI, PRO, "/api/no/v1/such"])
    expect([target, await statusOf(target, headers)]).toEqual([target, 403]);
  expect((await post(BATCH, { operations: [{ path: CPI }] }, headers)).status).toBe(403);
}

const subscription: readonly Sentence[] = [
  ...(["free", "pro"] as const).map(
    (plan): Sentence => ({
      place: "NOTES §5",
      sentence: `a key of the plan ${plan} cannot call any route: GET, Pro GET, POST or unknown path`,
      check: () => expectNoRoute(byKey(keyOf(plan).key)),
    }),
  ),
  ...(["starter", "business", "enterprise"] as const).map(
    (plan): Sentence => ({
      place: "NOTES §5",
      sentence: `a key of the plan ${plan} can call operations, including Pro ones`,
      async check() {
        const headers = byKey(keyOf(plan).key);
        expect([await statusOf(CPI, headers), await statusOf(PRO, headers)]).toEqual([200, 200]);
      },
    }),
  ),
  {
    place: "NOTES §5",
    sentence: "a key of an inactive plan cannot call any route: GET, Pro GET, POST or unknown path",
    async check() {
      for (const state of ["lapsed", "renewal-pending"] as const) {
        const account = await makeAccount(stack, "business");
        const { key } = await makeKey(stack, account);
        expect(await statusOf(CPI, byKey(key))).toBe(200);
        await setPlan(stack, account, "business", state);
        await expectNoRoute(byKey(key));
      }
    },
  },
  {
    place: "NOTES §5",
    sentence: "a Pro plan without API access can call Pro operations with a bearer token, and nothing with a key",
    async check() {
      const own = keyOf("pro");
      await expectNoRoute(byKey(own.key));
      expect(await statusOf(PRO, { authorization: `Bearer ${await issueToken(stack, own)}` })).toBe(200);
    },
  },
  {
    place: "NOTES §5",
    sentence: "a key with only company scopes gets a 403 on routes outside company monitoring",
    async check() {
      const account = await makeAccount(stack, "starter");
      const { key } = await makeKey(stack, account, ["company_monitoring:read", "company_monitoring:write"]);
      for (const target of [CPI, PRO]) expect(await statusOf(target, byKey(key))).toBe(403);
      expect((await post(BATCH, { operations: [{ path: CPI }] }, byKey(key))).status).toBe(403);
    },
  },
  {
    place: "NOTES §5",
    sentence: "the server derives the account from the credential, and a parameter cannot select another account",
    async check() {
      const other = await makeAccount(stack, "business");
      const answer = await get(`/api/account/v1/get-account?account_id=${other}`, byKey(keyOf("starter").key));
      expect(String(answer.body)).not.toContain(other);
    },
  },
  {
    place: "NOTES §5",
    sentence: "the tiers are free 0, Pro 1, API Starter 2, API Business 2 and Enterprise 3",
    check: () =>
      expect(Object.fromEntries(Object.values(plans).map(({ key, tier }) => [key, tier]))).toEqual({
        free: 0,
        pro: 1,
        starter: 2,
        business: 2,
        enterprise: 3,
      }),
  },
];

testSentences([...kinds, ...precedence, ...texts, ...subscription]);

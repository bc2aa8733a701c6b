import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { newKey } from "../src/access/key-format.js";
import type { CreatedKey } from "../src/contract/access/accounts.js";
import type { PlanState } from "../src/contract/access/plans.js";
import type { Scope } from "../src/contract/access/scopes.js";
import type { IdentifiedAnswer } from "../src/http/exchange.js";
import { HOUR_MS, MINUTE_MS, SECOND_MS } from "../src/kit/clock.js";
import {
  type Headers,
  issueToken,
  keyedProbe,
  keyOn,
  makeAccount,
  makeKey,
  type OpenIdProvider,
  openSession,
  proProbe,
  providerAccount,
  revokeKey,
  setPlan,
  startProvider,
} from "./support/callers.js";
import { call, json, NOON, type Stack, startStack } from "./support/stack.js";

/*
 * Every kind of credential, in every condition, on every surface. The expected answers come from the model
 * below, which is derived from the contract (NOTES §1, §5, §6, RULINGS 4, 5, 9), not from the code.
 */

const PLAIN = "/api/economic/v1/get-us-cpi-monthly";
const PRO = proProbe.path;
const OPERATOR_KEY = "operator-key-0123456789abcdef";
const OPERATOR_COMPANY_KEY = "company-key-0123456789abcdef";
const BATCH = "/api/batch/v1/execute";

// The kinds of credential, and the conditions that a credential can be in.

const kinds = [
  "user key",
  "operator key",
  "session cookie",
  "session as key",
  "own token",
  "provider token",
  "nothing",
] as const;
type Kind = (typeof kinds)[number];

const conditions = [
  "valid",
  "of a Pro plan",
  "of a free plan",
  "wrong",
  "malformed",
  "revoked",
  "expired",
  "of another scope",
  "lapsed",
  "renewal pending",
  "store down",
] as const;
type Condition = (typeof conditions)[number];

/**
 * The conditions that each kind of credential can be in. An operator key can be in few conditions, because it is
 * opaque, is not stored and needs no plan. A provider's token cannot be "revoked" or "of another scope", because the
 * service cannot revoke it and it carries no scopes.
 */
const possible: Readonly<Record<Kind, readonly Condition[]>> = {
  "user key": conditions,
  "operator key": ["valid", "wrong", "of another scope", "store down"],
  "session cookie": conditions,
  "session as key": conditions,
  "own token": conditions,
  "provider token": conditions.filter((condition) => condition !== "revoked" && condition !== "of another scope"),
  nothing: ["valid", "store down"],
};

// The surfaces.

interface Surface {
  readonly name: string;
  readonly method: "GET" | "HEAD" | "OPTIONS" | "POST";
  readonly path: string;
  readonly body?: object;
  /** The lowest plan tier that gives access to the surface. */
  readonly tier: 0 | 1;
  readonly needs: Scope | "operator";
  /** True for a read without a tier, which `VIGIL_PUBLIC_READS` opens to everyone. */
  readonly isPublicRead?: true;
  /** True for a path about accounts, which can be called in every state of the plan. */
  readonly isAboutAccounts?: true;
  /** The tier of the only operation in the batch. */
  readonly itemTier?: 0 | 1;
}

const batchOf = (path: string): object => ({ operations: [{ path }] });
const aboutAccounts = { tier: 0, isAboutAccounts: true } as const;

const surfaces: readonly Surface[] = [
  { name: "GET", method: "GET", path: PLAIN, tier: 0, needs: "read", isPublicRead: true },
  { name: "HEAD", method: "HEAD", path: PLAIN, tier: 0, needs: "read", isPublicRead: true },
  { name: "GET that always needs a key", method: "GET", path: keyedProbe.path, tier: 0, needs: "read" },
  { name: "OPTIONS", method: "OPTIONS", path: PLAIN, tier: 0, needs: "read" },
  { name: "Pro GET", method: "GET", path: PRO, tier: 1, needs: "read" },
  { name: "Pro HEAD", method: "HEAD", path: PRO, tier: 1, needs: "read" },
  { name: "Pro OPTIONS", method: "OPTIONS", path: PRO, tier: 1, needs: "read" },
  { name: "batch", method: "POST", path: BATCH, body: batchOf(PLAIN), tier: 0, needs: "read", itemTier: 0 },
  { name: "batch of a Pro item", method: "POST", path: BATCH, body: batchOf(PRO), tier: 0, needs: "read", itemTier: 1 },
  { name: "own account", method: "GET", path: "/api/account/v1/get-account", needs: "read", ...aboutAccounts },
  {
    name: "making a key",
    method: "POST",
    path: "/api/account/v1/create-key",
    body: { name: "made" },
    needs: "account:write",
    ...aboutAccounts,
  },
  { name: "all accounts", method: "GET", path: "/api/account/v1/list-accounts", needs: "operator", ...aboutAccounts },
];

// The model.

interface Expected {
  readonly status: number;
  /** The complete body of a refusal. */
  readonly body?: object;
  readonly headers?: Headers;
  /** The expected result of the batch's only operation. */
  readonly item?: Expected;
}

const refused = (status: number, error: string, more: object = {}, headers: Headers = {}): Expected => ({
  status,
  body: { error, ...more },
  headers: { "Cache-Control": "no-store", ...headers },
});

const keyRequired = refused(401, "API key required");
const invalidKey = refused(401, "Invalid API key");
const invalidSession = refused(401, "Invalid session token");
const invalidToken = refused(
  401,
  "Invalid or expired session",
  {},
  {
    "WWW-Authenticate":
      'Bearer realm="vigil", error="invalid_token", ApiKey realm="vigil", headers="X-Service-Key X-Api-Key"',
  },
);

/** The 401 for a credential that belongs to no account, or that no longer gives access to its account. */
const unrecognised: Readonly<Record<Kind, Expected>> = {
  "user key": invalidKey,
  "operator key": invalidKey,
  "session cookie": invalidSession,
  "session as key": invalidSession,
  "own token": invalidToken,
  "provider token": invalidToken,
  nothing: keyRequired,
};

const UNRECOGNISED_CONDITIONS: readonly Condition[] = ["wrong", "malformed", "revoked", "expired"];
const isToken = (kind: Kind): boolean => kind === "own token" || kind === "provider token";
const LOOKUP_FAILED = "Access cannot be verified now; repeat the request later";

const cannotVerify = refused(
  503,
  LOOKUP_FAILED,
  { message: LOOKUP_FAILED, code: "entitlement_verification_unavailable" },
  { "Retry-After": "5" },
);

/** The refusal due to the credential itself, if there is one. Only Pro operations accept tokens. */
function credentialRefusal(kind: Kind, condition: Condition, { tier }: Surface): Expected | undefined {
  if (kind === "nothing" || (isToken(kind) && tier === 0)) return keyRequired;
  if (condition === "store down" && kind !== "operator key") return cannotVerify;
  return UNRECOGNISED_CONDITIONS.includes(condition) ? unrecognised[kind] : undefined;
}

function scopeRefusal(kind: Kind, condition: Condition, { needs }: Surface): Expected | undefined {
  const hasEveryScope = condition !== "of another scope";
  if (needs === "operator") {
    return kind === "operator key" && hasEveryScope ? undefined : refused(403, "Only the operator may do this");
  }
  return hasEveryScope ? undefined : refused(403, `This key lacks the scope ${needs}`);
}

/** The tier of the lowest plan whose keys can call the API. */
const API_TIER = 2;
const PLAN_TIERS = { free: 0, pro: 1, starter: 2 } as const;
const planOf = (condition: Condition): keyof typeof PLAN_TIERS =>
  condition === "of a free plan" ? "free" : condition === "of a Pro plan" ? "pro" : "starter";

/**
 * Returns the refusal by the plan, if there is one. A user key needs an API plan for every operation; a session or
 * token needs a plan only for operations with a tier.
 */
function planRefusal(kind: Kind, condition: Condition, tier: 0 | 1): Expected | undefined {
  if (kind === "operator key") return undefined;
  const requiredTier = kind === "user key" ? API_TIER : tier;
  const planKey = planOf(condition);
  const currentTier = PLAN_TIERS[planKey];
  if (requiredTier === 0) return undefined;
  if (condition === "lapsed") {
    const more = { code: "subscription_lapsed", requiredTier, currentTier: 0, planKey };
    return refused(403, "The subscription has lapsed", more, { "X-Billing-Verification": "subscription_lapsed" });
  }
  if (condition === "renewal pending") {
    const more = { code: "renewal_verification_pending", requiredTier };
    return refused(403, "The renewal of the subscription is being verified", more);
  }
  if (currentTier >= requiredTier) return undefined;
  if (kind === "user key") return refused(403, "The plan of this key's account does not include API access");
  if (!isToken(kind)) return refused(401, "Pro authentication required");
  return refused(403, "A higher plan is required", { requiredTier, currentTier, planKey });
}

/** The expected answer to a call. The checks below have the order that NOTES §1 prescribes. */
function expectedOf(kind: Kind, condition: Condition, surface: Surface, isPublic: boolean): Expected {
  if (surface.method === "OPTIONS") return { status: 204 };
  const credential = credentialRefusal(kind, condition, surface);
  if (credential === keyRequired && isPublic && surface.isPublicRead) return { status: 200 };
  const byPlan = (tier: 0 | 1): Expected | undefined => planRefusal(kind, condition, tier);
  const plan = surface.isAboutAccounts ? undefined : byPlan(surface.tier);
  const refusal = credential ?? scopeRefusal(kind, condition, surface) ?? plan;
  if (refusal) return refusal;
  if (condition === "store down" && surface.isAboutAccounts) return cannotVerify;
  if (surface.itemTier !== undefined) return { status: 200, item: byPlan(surface.itemTier) ?? { status: 200 } };
  return { status: surface.needs === "account:write" ? 201 : 200 };
}

// The credentials.

/** The headers that carry a credential, and the id of the credential's account. */
interface Credential {
  readonly headers: Headers;
  readonly account: string;
}

/** A service and the identity provider whose tokens it accepts. */
interface World {
  readonly stack: Stack;
  readonly provider: OpenIdProvider;
}

function headersOf(kind: Kind, secret: string): Headers {
  if (isToken(kind)) return { authorization: `Bearer ${secret}` };
  // A browser adds this header to requests from the service's own pages.
  if (kind === "session cookie") return { cookie: `vigil_session=${secret}`, "sec-fetch-site": "same-origin" };
  return { "x-service-key": secret };
}

const MALFORMED: Readonly<Record<Kind, string>> = {
  "user key": `vgl_demo_${"0".repeat(48)}`,
  "operator key": "",
  "session cookie": "%%%",
  "session as key": "vgs_%%%",
  "own token": "not.a.token",
  "provider token": "not-a-token",
  nothing: "",
};

async function secretOf({ stack }: World, kind: Kind, createdKey: CreatedKey): Promise<string> {
  if (kind === "user key") return createdKey.key;
  return kind === "own token" ? issueToken(stack, createdKey) : openSession(stack, createdKey);
}

/** A secret of the right form that was never issued. */
async function wrongSecret(world: World, kind: Kind, createdKey: CreatedKey): Promise<string> {
  if (kind === "user key") return newKey("vgl_demo_");
  if (kind !== "own token") return `vgs_${"A".repeat(43)}`;
  const [own, other] = [await issueToken(world.stack, createdKey), await issueToken(world.stack, createdKey)];
  // The signature is genuine, but belongs to another token.
  return own.slice(0, own.lastIndexOf(".")) + other.slice(other.lastIndexOf("."));
}

const stateOf: Partial<Record<Condition, PlanState>> = { lapsed: "lapsed", "renewal pending": "renewal-pending" };
/** Conditions that begin only after the credential was used, when the service may have cached it. */
const OVERTAKEN: readonly Condition[] = ["revoked", "expired", "lapsed", "renewal pending"];

async function overtake(
  { stack }: World,
  condition: Condition,
  { headers, account }: Credential,
  createdKey?: CreatedKey,
) {
  if (!OVERTAKEN.includes(condition)) return;
  expect((await call(stack.answer, "GET", PRO, headers)).status).toBe(200);
  const state = stateOf[condition];
  if (state) await setPlan(stack, account, "starter", state);
  if (condition === "revoked" && createdKey) await revokeKey(stack, createdKey);
}

/**
 * Creates an account and its key. Returns a credential in this condition: the key itself, or a session or token created
 * with the key.
 */
async function storedCredential(world: World, kind: Kind, condition: Condition): Promise<Credential> {
  const { stack } = world;
  const account = await makeAccount(stack, planOf(condition));
  const scopes: readonly Scope[] =
    condition === "of another scope" ? ["company_monitoring:read"] : ["read", "account:write"];
  const endsAt = kind === "user key" && condition === "expired" ? NOON + HOUR_MS : null;
  const createdKey = await makeKey(stack, account, scopes, endsAt);
  if (condition === "malformed") return { headers: headersOf(kind, MALFORMED[kind]), account };
  const secret = await (condition === "wrong"
    ? wrongSecret(world, kind, createdKey)
    : secretOf(world, kind, createdKey));
  const credential = { headers: headersOf(kind, secret), account };
  await overtake(world, condition, credential, createdKey);
  return credential;
}

/** Issues a provider's token. In every condition except "valid", the operator has set a plan for its subject. */
async function providerCredential(world: World, condition: Condition): Promise<Credential> {
  const { stack, provider } = world;
  const subject = condition.replaceAll(" ", "-");
  const account = providerAccount(subject);
  if (condition !== "valid") await makeAccount(stack, planOf(condition), account);
  const token = await provider.token(subject, { at: NOON, endsAt: NOON + HOUR_MS }, condition === "wrong");
  const secret = condition === "malformed" ? MALFORMED["provider token"] : token;
  const credential = { headers: headersOf("provider token", secret), account };
  await overtake(world, condition, credential);
  return credential;
}

async function credentialOf(world: World, kind: Kind, condition: Condition): Promise<Credential> {
  if (kind === "nothing") return { headers: {}, account: "" };
  if (kind === "provider token") return providerCredential(world, condition);
  if (kind !== "operator key") return storedCredential(world, kind, condition);
  const scoped = condition === "of another scope" ? OPERATOR_COMPANY_KEY : OPERATOR_KEY;
  return { headers: headersOf(kind, condition === "wrong" ? `${OPERATOR_KEY}0` : scoped), account: "operator" };
}

async function startWorld(provider: OpenIdProvider, env: Headers): Promise<World> {
  const keys = `${OPERATOR_KEY},${OPERATOR_COMPANY_KEY}=company_monitoring:read`;
  // All calls come from one address, and many have an invalid credential, so the limit on refusals must be high.
  const settings = { VIGIL_ENTERPRISE_KEYS: keys, VIGIL_LIMITS: "refused-credentials=100000", ...provider.env, ...env };
  return { stack: await startStack({ env: settings, operations: [proProbe, keyedProbe] }), provider };
}

/** The service on which a condition is tested: at noon, 12 hours later (`later`), or without a store (`down`). */
function placeOf(condition: Condition): "now" | "later" | "down" {
  return condition === "expired" ? "later" : condition === "store down" ? "down" : "now";
}

const sessionsEndAfterMs = 12 * HOUR_MS;

function expectAnswer(answer: IdentifiedAnswer, { status, body, headers, item }: Expected): void {
  expect(answer.status, String(answer.body)).toBe(status);
  if (body) expect(json(answer)).toEqual(body);
  if (headers) expect(answer.headers).toMatchObject(headers);
  if (status === 204) expect(answer.body).toBeUndefined();
  if (!item) return;
  const { results } = json(answer) as { readonly results: readonly { readonly status: number }[] };
  expect(results).toHaveLength(1);
  expect(results[0]).toMatchObject({ id: "0", status: item.status, error: "", ...(item.body && { body: item.body }) });
}

const cells = kinds.flatMap((kind) =>
  possible[kind].flatMap((condition) => surfaces.map((surface) => ({ kind, condition, surface, on: surface.name }))),
);

describe.each(["off", "on"])("a service with public reads %s", (publicReads) => {
  let provider: OpenIdProvider;
  let worlds: Readonly<Record<ReturnType<typeof placeOf>, World>>;
  const credentials = new Map<string, Credential>();
  beforeAll(async () => {
    provider = await startProvider();
    const start = (): Promise<World> => startWorld(provider, { VIGIL_PUBLIC_READS: publicReads });
    const [now, later, down] = await Promise.all([start(), start(), start()]);
    worlds = { now, later, down };
    for (const kind of kinds) {
      for (const condition of possible[kind]) {
        credentials.set(`${kind}, ${condition}`, await credentialOf(worlds[placeOf(condition)], kind, condition));
      }
    }
    later.stack.clock.advance(sessionsEndAfterMs);
    await down.stack.service.database.close();
  }, 60_000);
  afterAll(async () => {
    await Promise.all(Object.values(worlds).map(({ stack }) => stack.close()));
    await provider.close();
  });

  test.each(cells)("$kind ($condition) on $on: answers as the contract says", async ({ kind, condition, surface }) => {
    const { stack } = worlds[placeOf(condition)];
    const credential = credentials.get(`${kind}, ${condition}`);
    if (!credential) throw new Error("this credential was not made");
    const { headers, account } = credential;
    const body = surface.body && JSON.stringify(surface.body);
    const typed = body === undefined ? headers : { ...headers, "content-type": "application/json" };
    const answer = await call(stack.answer, surface.method, surface.path, typed, {
      ...(body !== undefined && { body }),
    });
    const expected = expectedOf(kind, condition, surface, publicReads === "on");
    expectAnswer(answer, expected);
    if (surface.name === "own account" && expected.status === 200 && condition === "valid") {
      expect(json(answer)).toMatchObject({ account: { id: account } });
    }
  });
});

describe("a service that receives several credentials in a call", () => {
  let stack: Stack;
  let key: string;
  let session: string;
  let token: string;
  beforeAll(async () => {
    stack = await startStack({ operations: [proProbe] });
    const createdKey = await makeKey(stack, await makeAccount(stack, "starter"));
    key = createdKey.key;
    session = await openSession(stack, createdKey);
    token = await issueToken(stack, createdKey);
  });
  afterAll(() => stack.close());

  const cookie = (): Headers => ({ cookie: `theme=dark; vigil_session=${session}` });
  const bearer = (): Headers => ({ authorization: `Bearer ${token}` });
  const badCookie = { cookie: "vigil_session=vgs_gone" };
  const badBearer = { authorization: "Bearer gone" };

  const cases: readonly { name: string; path: string; headers: () => Headers; error?: string }[] = [
    { name: "uses the key, not the bad token", path: PRO, headers: () => ({ "x-service-key": key, ...badBearer }) },
    { name: "uses the key, not the bad cookie", path: PLAIN, headers: () => ({ "x-service-key": key, ...badCookie }) },
    {
      name: "refuses a bad key even with a good token",
      path: PRO,
      headers: () => ({ "x-service-key": "bad", ...bearer() }),
      error: "Invalid API key",
    },
    {
      name: "refuses a bad key even with a good cookie",
      path: PLAIN,
      headers: () => ({ "x-api-key": "bad", ...cookie() }),
      error: "Invalid API key",
    },
    { name: "uses the token, not the bad cookie", path: PRO, headers: () => ({ ...bearer(), ...badCookie }) },
    {
      name: "refuses a bad token even with a good cookie",
      path: PRO,
      headers: () => ({ ...badBearer, ...cookie() }),
      error: "Invalid or expired session",
    },
    ...["Bearer", "Bearer ", "bearer a b"].map((authorization) => ({
      name: `refuses "${authorization}" as a bad token`,
      path: PRO,
      headers: () => ({ authorization, ...cookie() }),
      error: "Invalid or expired session",
    })),
    { name: "ignores a token on a path without a tier", path: PLAIN, headers: () => ({ ...badBearer, ...cookie() }) },
    {
      name: "uses X-Service-Key rather than X-Api-Key",
      path: PLAIN,
      headers: () => ({ "x-service-key": key, "x-api-key": "bad" }),
    },
    {
      name: "refuses a bad X-Service-Key even with a good X-Api-Key",
      path: PLAIN,
      headers: () => ({ "x-service-key": "bad", "x-api-key": key }),
      error: "Invalid API key",
    },
    {
      name: "uses X-Api-Key when X-Service-Key is empty",
      path: PLAIN,
      headers: () => ({ "x-service-key": "", "x-api-key": key }),
    },
    {
      name: "uses the token when the key headers are empty",
      path: PRO,
      headers: () => ({ "x-service-key": "", "x-api-key": "", ...bearer() }),
    },
    {
      name: "uses the cookie when the key headers are empty",
      path: PLAIN,
      headers: () => ({ "x-service-key": "", "x-api-key": "", ...cookie() }),
    },
    {
      name: "finds no credential when all headers are empty",
      path: PRO,
      headers: () => ({ "x-service-key": "", "x-api-key": "", authorization: "", cookie: "" }),
      error: "API key required",
    },
    {
      name: "uses a session in a key header, not the bad cookie",
      path: PLAIN,
      headers: () => ({ "x-api-key": session, ...badCookie }),
    },
  ];

  test.each(cases)("$name", async ({ path, headers, error }) => {
    const answer = await stack.get(path, headers());
    expect(answer.status).toBe(error === undefined ? 200 : 401);
    if (error !== undefined) expect(json(answer)).toEqual({ error });
  });

  test.each(["POST", "GET"])(
    "accepts a cookie for a GET, but not for a POST, if another site may have caused the request: %s",
    async (method) => {
      const body = JSON.stringify(batchOf(PLAIN));
      const headers = { ...cookie(), "content-type": "application/json" };
      const answer = await call(stack.answer, method, method === "GET" ? PLAIN : BATCH, headers, { body });
      // Reading is harmless: the other site cannot see the answer.
      expect(answer.status).toBe(method === "GET" ? 200 : 403);
      if (method === "POST") expect(json(answer)).toEqual({ error: "Origin not allowed" });
    },
  );

  test("runs a batch with a key even if the browser's origin headers are missing", async () => {
    const headers = { ...cookie(), "x-service-key": key, "content-type": "application/json" };
    const answer = await call(stack.answer, "POST", BATCH, headers, { body: JSON.stringify(batchOf(PRO)) });
    expect(json(answer)).toMatchObject({ succeeded: 1, failed: 0 });
  });
});

describe("the lifetime of a credential", () => {
  let provider: OpenIdProvider;
  let stack: Stack;
  beforeAll(async () => {
    provider = await startProvider();
  });
  afterAll(() => provider.close());
  beforeEach(async () => {
    stack = await startStack({ env: provider.env, operations: [proProbe] });
  });
  afterEach(() => stack.close());

  interface Ending {
    readonly name: string;
    readonly headers: () => Promise<Headers>;
    readonly good: number;
    readonly bad: number;
    readonly error: string;
  }
  const starterKey = async (endsAt: number | null = null): Promise<CreatedKey> =>
    makeKey(stack, await makeAccount(stack, "starter"), ["read"], endsAt);
  const tokenEndMs = 15 * MINUTE_MS + 30 * SECOND_MS;
  const endings: readonly Ending[] = [
    {
      name: "a key ends when it expires",
      headers: async () => ({ "x-service-key": (await starterKey(NOON + HOUR_MS)).key }),
      good: HOUR_MS - 1,
      bad: HOUR_MS,
      error: "Invalid API key",
    },
    {
      name: "a session ends after 12 hours",
      headers: async () => ({ cookie: `vigil_session=${await openSession(stack, await starterKey())}` }),
      good: 12 * HOUR_MS - 1,
      bad: 12 * HOUR_MS,
      error: "Invalid session token",
    },
    {
      name: "a session ends when its key expires, even if 12 hours have not passed",
      headers: async () => ({ "x-service-key": await openSession(stack, await starterKey(NOON + HOUR_MS)) }),
      good: HOUR_MS - 1,
      bad: HOUR_MS,
      error: "Invalid session token",
    },
    {
      name: "the service's own token ends 30 seconds after its 15 minutes, because of the clock tolerance",
      headers: async () => ({ authorization: `Bearer ${await issueToken(stack, await starterKey())}` }),
      good: tokenEndMs - 1,
      bad: tokenEndMs,
      error: "Invalid or expired session",
    },
    {
      name: "the service's own token ends when its key expires, even if 15 minutes have not passed",
      headers: async () => ({ authorization: `Bearer ${await issueToken(stack, await starterKey(NOON + MINUTE_MS))}` }),
      good: MINUTE_MS - 1,
      bad: MINUTE_MS,
      error: "Invalid or expired session",
    },
    {
      name: "a provider's token ends a minute after its expiry, because of the clock tolerance",
      headers: async () => {
        const token = await provider.token("somebody", { at: NOON, endsAt: NOON + HOUR_MS });
        return { authorization: `Bearer ${token}` };
      },
      good: HOUR_MS + MINUTE_MS - 1,
      bad: HOUR_MS + MINUTE_MS,
      error: "Invalid or expired session",
    },
  ];

  test.each(endings)("$name", async ({ headers, good, bad, error }) => {
    const sentHeaders = await headers();
    stack.clock.set(NOON + good);
    expect((await stack.get(PRO, sentHeaders)).status).toBe(200);
    stack.clock.set(NOON + bad);
    const answer = await stack.get(PRO, sentHeaders);
    expect([answer.status, json(answer)]).toEqual([401, { error }]);
  });
});

describe("a credential", () => {
  let provider: OpenIdProvider;
  let stack: Stack;
  beforeEach(async () => {
    provider = await startProvider();
    stack = await startStack({ env: provider.env, operations: [proProbe] });
  });
  afterEach(async () => {
    await stack.close();
    await provider.close();
  });

  test("that was used before the store failed works for 60 s more, and then gets 503", async () => {
    const headers = { "x-service-key": await keyOn(stack, "starter") };
    expect((await stack.get(PRO, headers)).status).toBe(200);
    await stack.service.database.close();
    stack.clock.advance(MINUTE_MS - 1);
    expect((await stack.get(PRO, headers)).status).toBe(200);
    stack.clock.advance(1);
    expect((await stack.get(PRO, headers)).status).toBe(503);
  });

  test("gets 503, never 401, if it is a provider's token and the provider's keys cannot be fetched", async () => {
    const token = await provider.token("somebody", { at: NOON, endsAt: NOON + HOUR_MS });
    await provider.close();
    const answer = await stack.get(PRO, { authorization: `Bearer ${token}` });
    expect(answer.status).toBe(503);
    expect(json(answer)).toMatchObject({ code: "entitlement_verification_unavailable" });
    provider = await startProvider();
  });

  test("is refused after the sign-out if it is a session; the session's key still works", async () => {
    const createdKey = await makeKey(stack, await makeAccount(stack, "starter"));
    const headers = { "x-service-key": await openSession(stack, createdKey), "content-type": "application/json" };
    expect((await call(stack.answer, "POST", "/api/account/v1/sign-out", headers, { body: "{}" })).status).toBe(200);
    expect(json(await stack.get(PLAIN, headers))).toEqual({ error: "Invalid session token" });
    expect((await stack.get(PLAIN, { "x-service-key": createdKey.key })).status).toBe(200);
  });

  test("works again once its account's lapsed plan is active again", async () => {
    const account = await makeAccount(stack, "starter");
    const headers = { "x-service-key": (await makeKey(stack, account)).key };
    await setPlan(stack, account, "starter", "lapsed");
    expect((await stack.get(PLAIN, headers)).status).toBe(403);
    await setPlan(stack, account, "starter", "active");
    expect((await stack.get(PLAIN, headers)).status).toBe(200);
  });
});

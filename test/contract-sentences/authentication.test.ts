import { beforeAll, describe, expect } from "vitest";
import type { PlanKey } from "../../src/contract/access/plans.js";
import { scopes } from "../../src/contract/access/scopes.js";
import { MINUTE_MS } from "../../src/kit/clock.js";
import { loadServices } from "../../src/services/registry.js";
import { type Headers, issueToken, keyOn, makeAccount, makeKey, openSession, setPlan } from "../support/callers.js";
import { type Sentence, sharedStack, testSentences } from "../support/sentences.js";
import { call, json } from "../support/stack.js";

/* Sentences of SPEC and RULINGS about credentials and entitlement, checked for each GET operation on an empty store. */

const { operations } = await loadServices();

const PRO = [
  "/api/aviation/v1/list-airport-flights",
  "/api/aviation/v1/get-carrier-ops",
  "/api/aviation/v1/get-flight-status",
  "/api/aviation/v1/search-flight-prices",
  "/api/intelligence/v1/get-country-intel-brief",
];
const SPECIFIED = /^\/api\/(?:aviation|climate|conflict|displacement|economic|infrastructure|intelligence|news)\//;
const isOfLaterGroup = (path: string): boolean => !SPECIFIED.test(path);
const ALPHA = "/api/conflict/v1/list-alpha-events";
const CPI = "/api/economic/v1/get-us-cpi-monthly";
const OPERATOR_KEY = "operator-key-0123456789abcdef";
const COMPANY_KEY = "company-key-0123456789abcdef";

const stackOf = sharedStack([], {
  keyless: true,
  env: {
    VIGIL_ENTERPRISE_KEYS: `${OPERATOR_KEY},${COMPANY_KEY}=company_monitoring:read`,
    VIGIL_LIMITS: "refused-credentials=10000",
  },
});
const publicStackOf = sharedStack([], { keyless: true, env: { VIGIL_PUBLIC_READS: "on" } });

/** Headers by kind of credential. */
const callers = new Map<string, Headers>();

function as(caller: string): Headers {
  const headers = callers.get(caller);
  if (!headers) throw new Error(`there is no caller with a ${caller}`);
  return headers;
}

beforeAll(async () => {
  const stack = stackOf();
  const plans: readonly PlanKey[] = ["free", "pro", "business"];
  for (const plan of plans) {
    const created = await makeKey(stack, await makeAccount(stack, plan));
    callers.set(`${plan} key`, { "x-service-key": created.key });
    callers.set(`${plan} session`, { cookie: `vigil_session=${await openSession(stack, created)}` });
    callers.set(`${plan} token`, { authorization: `Bearer ${await issueToken(stack, created)}` });
  }
  for (const state of ["lapsed", "renewal-pending"] as const) {
    const account = await makeAccount(stack, "business");
    const created = await makeKey(stack, account);
    callers.set(`${state} key`, { "x-service-key": created.key });
    callers.set(`${state} session`, { cookie: `vigil_session=${await openSession(stack, created)}` });
    await setPlan(stack, account, "business", state);
  }
}, 60_000);

interface Subject {
  readonly path: string;
  readonly target: string;
  readonly isPro: boolean;
}

const subjects = operations.map(({ path, operation }): Subject => {
  const example = operation.examples.find((candidate) => !("jmespath" in candidate)) ?? {};
  const query = new URLSearchParams(example).toString();
  // SPEC lists the Pro operations of the first groups. The contract of a later group marks the Pro operations of that
  // group, and other tests compare the declared tiers with those marks.
  const isPro = isOfLaterGroup(path) ? operation.tier !== undefined : PRO.includes(path);
  return { path, target: query === "" ? path : `${path}?${query}`, isPro };
});

async function refusal(target: string, caller: string): Promise<readonly [status: number, body: unknown]> {
  const answer = await stackOf().get(target, as(caller));
  return [answer.status, json(answer)];
}

/** The names of the security schemes that the OpenAPI document accepts for an operation. */
async function schemesOf(path: string): Promise<readonly string[]> {
  const document = json(await stackOf().get("/openapi.json", {})) as {
    readonly security: readonly object[];
    readonly paths: Readonly<Record<string, { readonly get: { readonly security?: readonly object[] } }>>;
  };
  return (document.paths[path]?.get.security ?? document.security).flatMap(Object.keys);
}

function rowsAbout({ path, target, isPro }: Subject): readonly Sentence[] {
  const opensWith = (place: string, sentence: string, caller: () => Headers): Sentence => ({
    place,
    sentence,
    check: async () => expect((await stackOf().get(target, caller())).status).toBe(200),
  });
  return [
    opensWith("SPEC authentication 1", "a user-issued API key can call the operation", () => as("business key")),
    opensWith("SPEC authentication 1", "an operator-issued enterprise key can call the operation", () => ({
      "x-service-key": OPERATOR_KEY,
    })),
    opensWith("SPEC authentication 1", "a browser session can call the operation", () =>
      as(isPro ? "pro session" : "free session"),
    ),
    {
      place: "SPEC authentication 2",
      sentence: "the contract names ServiceKey and ApiKeyHeader as alternatives",
      check: async () => expect(await schemesOf(path)).toEqual(expect.arrayContaining(["ServiceKey", "ApiKeyHeader"])),
    },
    {
      place: "SPEC authentication 3",
      sentence: isPro
        ? "the contract lists the bearer scheme for the operation"
        : "the contract lists no bearer scheme for the operation",
      check: async () => expect((await schemesOf(path)).includes("BearerAuth")).toBe(isPro),
    },
    {
      place: "RULINGS 9",
      sentence: "a key with only company scopes cannot call the operation",
      check: async () => {
        const answer = await stackOf().get(target, { "x-service-key": COMPANY_KEY });
        expect([answer.status, json(answer)]).toEqual([403, { error: "This key lacks the scope read" }]);
      },
    },
    {
      place: "RULINGS 4",
      sentence:
        isPro || path === ALPHA
          ? "VIGIL_PUBLIC_READS does not open the operation to callers without a credential"
          : "VIGIL_PUBLIC_READS opens the operation to callers without a credential",
      check: async () => {
        const expected = isPro || path === ALPHA ? 401 : 200;
        expect((await publicStackOf().get(target, {})).status).toBe(expected);
      },
    },
    ...(isPro ? proRows(target) : []),
  ];
}

function proRows(target: string): readonly Sentence[] {
  return [
    {
      place: "SPEC authentication 3",
      sentence: "a bearer token of an account with tier 1 can call the operation",
      check: async () => expect((await stackOf().get(target, as("pro token"))).status).toBe(200),
    },
    {
      place: "SPEC authentication 3",
      sentence: "a bearer token of a free account gets a 403 that states the required and the current tier",
      check: async () =>
        expect(await refusal(target, "free token")).toEqual([
          403,
          { error: "A higher plan is required", requiredTier: 1, currentTier: 0, planKey: "free" },
        ]),
    },
    {
      place: "SPEC authentication 3",
      sentence: "a session of a free account cannot call the operation",
      check: async () =>
        expect(await refusal(target, "free session")).toEqual([401, { error: "Pro authentication required" }]),
    },
    {
      place: "RULINGS 5, SPEC errors 403 (subscription)",
      sentence: "a call with a lapsed subscription is answered with a 403 that has all five fields",
      check: async () =>
        expect(await refusal(target, "lapsed session")).toEqual([
          403,
          {
            error: expect.stringMatching(/./),
            code: "subscription_lapsed",
            requiredTier: 1,
            currentTier: 0,
            planKey: "business",
          },
        ]),
    },
    {
      place: "RULINGS 5, SPEC errors 403 (renewal)",
      sentence: "a call during the verification of a renewal is answered with a 403 that has code and tier",
      check: async () =>
        expect(await refusal(target, "renewal-pending session")).toEqual([
          403,
          { error: expect.stringMatching(/./), code: "renewal_verification_pending", requiredTier: 1 },
        ]),
    },
  ];
}

describe.each(subjects)("$path", (subject) => {
  testSentences(
    rowsAbout(subject).map((row) => ({
      ...row,
      async check() {
        // A pause of three seconds between checks keeps the calls below every rate limit, and is short enough for all
        // checks to end before the tokens expire.
        stackOf().clock.advance(MINUTE_MS / 20);
        publicStackOf().clock.advance(MINUTE_MS / 20);
        await row.check();
      },
    })),
  );
});

describe("the service", () => {
  testSentences([
    {
      place: "SPEC authentication 3",
      sentence: "the Pro operations of the first groups are exactly the five that SPEC lists",
      check: () => {
        const pro = operations.filter(({ path, operation }) => operation.tier !== undefined && !isOfLaterGroup(path));
        expect(pro.map(({ path }) => path).sort()).toEqual([...PRO].sort());
      },
    },
    {
      place: "SPEC authentication 4",
      sentence: "list-alpha-events rejects callers without a credential, whatever the settings",
      check: async () => {
        for (const stack of [stackOf(), publicStackOf()]) expect((await stack.get(ALPHA, {})).status).toBe(401);
      },
    },
    {
      place: "RULINGS 4",
      sentence: "a key of a plan without API access cannot call anything",
      check: async () => {
        for (const caller of ["free key", "pro key"]) expect((await refusal(CPI, caller))[0]).toBe(403);
      },
    },
    {
      place: "RULINGS 5",
      sentence: "every operation answers a user key of a lapsed plan with a 403 that has all five fields",
      check: async () =>
        expect(await refusal(CPI, "lapsed key")).toEqual([
          403,
          {
            error: expect.any(String),
            code: "subscription_lapsed",
            requiredTier: 2,
            currentTier: 0,
            planKey: "business",
          },
        ]),
    },
    {
      place: "RULINGS 4",
      sentence: "sessions require signing in with a key",
      check: async () => {
        const sent = { "content-type": "application/json" };
        const signIn = (body: object) =>
          call(stackOf().answer, "POST", "/api/account/v1/sign-in", sent, { body: JSON.stringify(body) });
        expect((await signIn({})).status).toBe(400);
        expect((await signIn({ key: "vgl_0" })).status).toBe(401);
        const opened = await signIn({ key: await keyOn(stackOf(), "free") });
        expect([opened.status, opened.headers["Set-Cookie"]]).toEqual([200, expect.stringMatching(/^vigil_session=./)]);
      },
    },
    {
      place: "RULINGS 4",
      sentence: "public reads have per-address limits and shared-cache headers",
      check: async () => {
        const stack = publicStackOf();
        await stack.run("us-cpi");
        const { headers, limitHeaders } = await stack.get(CPI, {});
        expect(headers["Cache-Control"]).toMatch(/^public, max-age=\d+, s-maxage=\d+/);
        expect(limitHeaders["RateLimit-Policy"]).toBe('"default";q=600;w=60');
      },
    },
    {
      place: "RULINGS 9",
      sentence: "operator keys belong to the operator account and carry every scope",
      check: async () => {
        const answer = await stackOf().get("/api/account/v1/get-account", { "x-service-key": OPERATOR_KEY });
        expect(json(answer)).toMatchObject({
          account: { id: "operator" },
          scopes: [...scopes],
        });
      },
    },
    {
      place: "RULINGS 9",
      sentence: "operator keys have fewer scopes if their setting limits them",
      check: async () => {
        const answer = await stackOf().get(CPI, { "x-service-key": COMPANY_KEY });
        expect([answer.status, json(answer)]).toEqual([403, { error: "This key lacks the scope read" }]);
      },
    },
    ...(
      [
        ["read", 200],
        ["account:write", 403],
        ["company_monitoring:read", 403],
        ["company_monitoring:write", 403],
      ] as const
    ).map(
      ([scope, status]): Sentence => ({
        place: "RULINGS 9",
        sentence: `a user key has only its own scopes: with the scope ${scope}, the call is answered with ${status}`,
        check: async () => {
          const headers = { "x-service-key": await keyOn(stackOf(), "business", [scope]) };
          expect((await stackOf().get(CPI, headers)).status).toBe(status);
        },
      }),
    ),
    {
      place: "SPEC authentication 2",
      sentence: "by default, the contract accepts the header keys ServiceKey and ApiKeyHeader as alternatives",
      check: async () => {
        const { security, components } = json(await stackOf().get("/openapi.json", {})) as {
          readonly security: readonly object[];
          readonly components: { readonly securitySchemes: Readonly<Record<string, object>> };
        };
        expect(security.flatMap(Object.keys)).toEqual(expect.arrayContaining(["ServiceKey", "ApiKeyHeader"]));
        expect(components.securitySchemes["ServiceKey"]).toMatchObject({ in: "header", name: "X-Service-Key" });
        expect(components.securitySchemes["ApiKeyHeader"]).toMatchObject({ in: "header", name: "X-Api-Key" });
      },
    },
    {
      place: "RULINGS 5",
      sentence: "the contract lists the 503 for a plan that cannot be looked up",
      check: async () => {
        const document = json(await stackOf().get("/openapi.json", {})) as {
          readonly paths: Readonly<Record<string, { readonly get: { readonly responses: object } }>>;
        };
        expect(Object.keys(document.paths[CPI]?.get.responses ?? {})).toContain("503");
      },
    },
  ]);
});

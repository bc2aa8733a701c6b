import { describe, expect, test } from "vitest";
import type { Principal } from "../contract/access/principal.js";
import { everyScope, scopes } from "../contract/access/scopes.js";
import { failure } from "../contract/failures.js";
import { manualClock } from "../kit/manual-clock.js";
import { authenticator } from "./authenticator.js";
import type { Credential } from "./credential.js";
import { parseEnterpriseKeys } from "./enterprise-keys.js";
import { newKey } from "./key-format.js";

const NOW = Date.UTC(2026, 10, 18, 12);
const OPERATOR = "an-operator-issued-key-of-any-shape";
const READER = "another-operator-key-that-only-reads";
const userKey = newKey("vgl_");
const endingKey = newKey("vgl_");
const session = "vgs_a-session";
const endedSession = "vgs_an-ended-session";

const user: Principal = {
  kind: "key",
  actor: "key_1",
  accountId: "acc_1",
  scopes: new Set(["read"]),
  plan: "starter",
  planState: "active",
  isOperator: false,
};
const signedIn: Principal = { ...user, kind: "session" };
const byToken: Principal = { ...user, kind: "bearer" };

const credential = (principal: Principal, endsAt = NOW + 1): Credential => ({ keyId: "key_1", principal, endsAt });
const keys = new Map([
  [userKey, credential(user)],
  [endingKey, credential(user, NOW)],
]);
const sessions = new Map([
  [session, credential(signedIn)],
  [endedSession, credential(signedIn, NOW)],
]);

async function authenticated(headers: Readonly<Record<string, string>>, takesBearer = false) {
  const used: string[] = [];
  const subject = authenticator({
    enterpriseKeys: parseEnterpriseKeys([OPERATOR, `${READER}=read`]),
    credentials: {
      recalledKey: () => undefined,
      key: async (key) => keys.get(key),
      session: (token) => sessions.get(token),
      used: (id) => used.push(id),
    },
    verifyBearer: async (token) => (token === "good" ? byToken : undefined),
    clock: manualClock(NOW),
  });
  return { principal: await subject.authenticate((name) => headers[name], takesBearer), used };
}

const operator = {
  kind: "enterprise",
  accountId: "operator",
  plan: "enterprise",
  isOperator: true,
  scopes: everyScope,
};
const keyRequired = failure("keyRequired", null);
const keyInvalid = failure("keyInvalid", null);
const sessionInvalid = failure("sessionInvalid", null);
const bearerInvalid = failure("bearerInvalid", null);
const cookie = `theme=dark; vigil_session=${session}; other=1`;

describe("the caller", () => {
  test.each([
    { sent: "a user's key in X-Service-Key", headers: { "x-service-key": userKey }, is: user },
    { sent: "a user's key in X-Api-Key", headers: { "x-api-key": userKey }, is: user },
    { sent: "an operator's key", headers: { "x-service-key": OPERATOR }, is: operator },
    {
      sent: "an operator's key with one scope",
      headers: { "x-service-key": READER },
      is: { kind: "enterprise", isOperator: false, scopes: new Set(["read"]) },
    },
    {
      sent: "X-Service-Key, not X-Api-Key",
      headers: { "x-service-key": OPERATOR, "x-api-key": userKey },
      is: operator,
    },
    {
      sent: "X-Api-Key if X-Service-Key is empty",
      headers: { "x-service-key": "", "x-api-key": userKey },
      is: user,
    },
    { sent: "a session cookie", headers: { cookie }, is: signedIn },
    { sent: "a session token as the key", headers: { "x-service-key": session }, is: signedIn },
    { sent: "a key, not a cookie", headers: { "x-service-key": userKey, cookie }, is: user },
    {
      sent: "a key, not a bearer token",
      headers: { "x-api-key": userKey, authorization: "Bearer good" },
      is: user,
    },
    { sent: "a bearer token", headers: { authorization: "Bearer good" }, bearer: true, is: byToken },
    { sent: "a user's key as the bearer token", headers: { authorization: `Bearer ${userKey}` }, is: user },
    {
      sent: "a key as the bearer token, on a route that accepts access tokens",
      headers: { authorization: `bearer ${userKey}` },
      bearer: true,
      is: user,
    },
    { sent: "an operator's key as the bearer token", headers: { authorization: `Bearer ${OPERATOR}` }, is: operator },
    {
      sent: "a key as the bearer token, not a cookie",
      headers: { authorization: `Bearer ${OPERATOR}`, cookie },
      is: operator,
    },
    {
      sent: "X-Service-Key, not a key as bearer token",
      headers: { authorization: `Bearer ${OPERATOR}`, "x-service-key": userKey },
      is: user,
    },
    {
      sent: "a bearer token, not a cookie",
      headers: { authorization: "bearer good", cookie },
      bearer: true,
      is: byToken,
    },
    {
      sent: "a cookie, not a bearer token that the route does not accept",
      headers: { authorization: "Bearer bad", cookie },
      is: signedIn,
    },
  ])("the caller is identified by $sent", async ({ headers, is, bearer }) => {
    expect((await authenticated(headers, bearer)).principal).toMatchObject(is);
  });

  test("the principal of a caller never contains the key", async () => {
    const { principal } = await authenticated({ "x-service-key": OPERATOR });
    expect(JSON.stringify(principal)).not.toContain(OPERATOR);
  });

  test("a cached key is accepted without a lookup until it ends, and its use is recorded", () => {
    const clock = manualClock(NOW);
    const used: string[] = [];
    const neverCalled = (): never => {
      throw new Error("a cached key must not be looked up");
    };
    const subject = authenticator({
      enterpriseKeys: [],
      credentials: {
        recalledKey: (key) => (key === userKey ? credential(user) : undefined),
        key: neverCalled,
        session: neverCalled,
        used: (id) => used.push(id),
      },
      verifyBearer: neverCalled,
      clock,
    });
    const authenticate = () => subject.authenticate((name) => (name === "x-service-key" ? userKey : undefined), false);
    expect([authenticate(), used]).toEqual([user, ["key_1"]]);
    clock.set(NOW + 1);
    expect([authenticate(), used]).toEqual([keyInvalid, ["key_1"]]);
  });

  test("the use of a user's key is recorded, but the use of a refused key is not", async () => {
    expect((await authenticated({ "x-service-key": userKey })).used).toEqual(["key_1"]);
    expect((await authenticated({ "x-service-key": endingKey })).used).toEqual([]);
  });
});

describe("refusals", () => {
  test.each([
    { sent: "no header", headers: {}, is: keyRequired },
    { sent: "empty headers", headers: { "x-service-key": "", "x-api-key": "" }, is: keyRequired },
    { sent: "a bearer token where none is accepted", headers: { authorization: "Bearer good" }, is: keyRequired },
    {
      sent: "a scheme other than Bearer",
      headers: { authorization: "Basic Z29vZA==" },
      bearer: true,
      is: keyRequired,
    },
    { sent: "a bad bearer token", headers: { authorization: "Bearer bad" }, bearer: true, is: bearerInvalid },
    {
      sent: "a bad bearer token with a cookie",
      headers: { authorization: "Bearer bad", cookie },
      bearer: true,
      is: bearerInvalid,
    },
    {
      sent: "an unknown key as the bearer token",
      headers: { authorization: `Bearer ${newKey("vgl_")}` },
      bearer: true,
      is: keyInvalid,
    },
    {
      sent: "a malformed key as the bearer token with a cookie",
      headers: { authorization: "Bearer vgl_typo", cookie },
      is: keyInvalid,
    },
    {
      sent: "a session token as the bearer token",
      headers: { authorization: `Bearer ${session}` },
      is: keyRequired,
    },
    { sent: "an unknown key", headers: { "x-service-key": newKey("vgl_") }, is: keyInvalid },
    { sent: "a key that ends now", headers: { "x-service-key": endingKey }, is: keyInvalid },
    { sent: "a malformed key", headers: { "x-service-key": "hello" }, is: keyInvalid },
    { sent: "a key with one wrong letter", headers: { "x-service-key": `${userKey.slice(0, -1)}x` }, is: keyInvalid },
    {
      sent: "a wrong key in X-Service-Key with a valid one in X-Api-Key",
      headers: { "x-service-key": "hello", "x-api-key": userKey },
      is: keyInvalid,
    },
    { sent: "a wrong key with a cookie", headers: { "x-service-key": "hello", cookie }, is: keyInvalid },
    { sent: "an ended session", headers: { cookie: `vigil_session=${endedSession}` }, is: sessionInvalid },
    { sent: "an unknown session", headers: { cookie: "vigil_session=vgs_x" }, is: sessionInvalid },
    { sent: "an unknown session as the key", headers: { "x-api-key": "vgs_x", cookie }, is: sessionInvalid },
    { sent: "an empty session cookie", headers: { cookie: "vigil_session=" }, is: keyRequired },
  ])("the caller is refused: $sent", async ({ headers, is, bearer }) => {
    expect((await authenticated(headers, bearer)).principal).toEqual(is);
  });

  test.each([
    { is: keyRequired, body: { error: "API key required" } },
    { is: keyInvalid, body: { error: "Invalid API key" } },
    { is: sessionInvalid, body: { error: "Invalid session token" } },
    { is: bearerInvalid, body: { error: "Invalid or expired session" } },
    { is: failure("proRequired", null), body: { error: "Pro authentication required" } },
  ])("the refusal $body.error has the status 401", ({ is, body }) => {
    expect(is).toMatchObject({ status: 401, body });
  });
});

test("every operator key is accepted, even if there are more keys than the cache can hold", () => {
  const many = Array.from({ length: 1_005 }, (_, index) => `an-operator-issued-key-${index}`.padEnd(24, "x"));
  const subject = authenticator({
    enterpriseKeys: parseEnterpriseKeys(many),
    credentials: {
      recalledKey: () => undefined,
      key: () => undefined,
      session: () => undefined,
      used: () => undefined,
    },
    verifyBearer: async () => undefined,
    clock: manualClock(NOW),
  });
  for (const key of [...many, ...many.slice(0, 10)]) {
    expect(subject.authenticate(() => key, false)).toMatchObject({ kind: "enterprise", scopes: new Set(scopes) });
  }
});

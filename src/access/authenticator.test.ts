import { describe, expect, test } from "vitest";
import type { Principal } from "../contract/access/principal.js";
import { everyScope, scopes } from "../contract/access/scopes.js";
import { failure } from "../contract/failures.js";
import { manualClock } from "../kit/manual-clock.js";
import { authenticator } from "./authenticator.js";
import type { Credential } from "./credential-store.js";
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
  return { found: await subject.authenticate((name) => headers[name], takesBearer), used };
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

describe("who is calling", () => {
  test.each([
    { given: "a user's key", headers: { "x-service-key": userKey }, is: user },
    { given: "a user's key in the other header", headers: { "x-api-key": userKey }, is: user },
    { given: "an operator's key", headers: { "x-service-key": OPERATOR }, is: operator },
    {
      given: "an operator's key with one scope",
      headers: { "x-service-key": READER },
      is: { kind: "enterprise", isOperator: false, scopes: new Set(["read"]) },
    },
    { given: "two keys", headers: { "x-service-key": OPERATOR, "x-api-key": userKey }, is: operator },
    { given: "an empty X-Service-Key", headers: { "x-service-key": "", "x-api-key": userKey }, is: user },
    { given: "a session cookie", headers: { cookie }, is: signedIn },
    { given: "a session token as the key", headers: { "x-service-key": session }, is: signedIn },
    { given: "a key with a cookie", headers: { "x-service-key": userKey, cookie }, is: user },
    { given: "a key with a bearer token", headers: { "x-api-key": userKey, authorization: "Bearer good" }, is: user },
    { given: "a bearer token", headers: { authorization: "Bearer good" }, bearer: true, is: byToken },
    { given: "a user's key as the bearer token", headers: { authorization: `Bearer ${userKey}` }, is: user },
    {
      given: "a user's key as the bearer token where access tokens are accepted",
      headers: { authorization: `bearer ${userKey}` },
      bearer: true,
      is: user,
    },
    { given: "an operator's key as the bearer token", headers: { authorization: `Bearer ${OPERATOR}` }, is: operator },
    {
      given: "a key as the bearer token with a cookie",
      headers: { authorization: `Bearer ${OPERATOR}`, cookie },
      is: operator,
    },
    {
      given: "a key as the bearer token with another one in its own header",
      headers: { authorization: `Bearer ${OPERATOR}`, "x-service-key": userKey },
      is: user,
    },
    {
      given: "a bearer token with a cookie",
      headers: { authorization: "bearer good", cookie },
      bearer: true,
      is: byToken,
    },
    {
      given: "a bearer token where none is accepted, with a cookie",
      headers: { authorization: "Bearer bad", cookie },
      is: signedIn,
    },
  ])("$given", async ({ headers, is, bearer }) => {
    expect((await authenticated(headers, bearer)).found).toMatchObject(is);
  });

  test("a caller is never named by the key itself", async () => {
    const { found } = await authenticated({ "x-service-key": OPERATOR });
    expect(JSON.stringify(found)).not.toContain(OPERATOR);
  });

  test("a recalled key is let in without a lookup until it ends, and its use is noted", () => {
    const clock = manualClock(NOW);
    const used: string[] = [];
    const neverAsked = (): never => {
      throw new Error("a recalled key is looked up");
    };
    const subject = authenticator({
      enterpriseKeys: [],
      credentials: {
        recalledKey: (key) => (key === userKey ? credential(user) : undefined),
        key: neverAsked,
        session: neverAsked,
        used: (id) => used.push(id),
      },
      verifyBearer: neverAsked,
      clock,
    });
    const authenticate = () => subject.authenticate((name) => (name === "x-service-key" ? userKey : undefined), false);
    expect([authenticate(), used]).toEqual([user, ["key_1"]]);
    clock.set(NOW + 1);
    expect([authenticate(), used]).toEqual([keyInvalid, ["key_1"]]);
  });

  test("the use of a user's key is recorded, that of a refused key is not", async () => {
    expect((await authenticated({ "x-service-key": userKey })).used).toEqual(["key_1"]);
    expect((await authenticated({ "x-service-key": endingKey })).used).toEqual([]);
  });
});

describe("refused", () => {
  test.each([
    { given: "no header", headers: {}, is: keyRequired },
    { given: "empty headers", headers: { "x-service-key": "", "x-api-key": "" }, is: keyRequired },
    { given: "a bearer token where none is accepted", headers: { authorization: "Bearer good" }, is: keyRequired },
    {
      given: "another scheme than Bearer",
      headers: { authorization: "Basic Z29vZA==" },
      bearer: true,
      is: keyRequired,
    },
    { given: "a bad bearer token", headers: { authorization: "Bearer bad" }, bearer: true, is: bearerInvalid },
    {
      given: "a bad bearer token with a cookie",
      headers: { authorization: "Bearer bad", cookie },
      bearer: true,
      is: bearerInvalid,
    },
    {
      given: "an unknown key as the bearer token",
      headers: { authorization: `Bearer ${newKey("vgl_")}` },
      bearer: true,
      is: keyInvalid,
    },
    {
      given: "a malformed key as the bearer token with a cookie",
      headers: { authorization: "Bearer vgl_typo", cookie },
      is: keyInvalid,
    },
    {
      given: "a session token as the bearer token",
      headers: { authorization: `Bearer ${session}` },
      is: keyRequired,
    },
    { given: "an unknown key", headers: { "x-service-key": newKey("vgl_") }, is: keyInvalid },
    { given: "a key that ends now", headers: { "x-service-key": endingKey }, is: keyInvalid },
    { given: "a malformed key", headers: { "x-service-key": "hello" }, is: keyInvalid },
    { given: "a key with one wrong letter", headers: { "x-service-key": `${userKey.slice(0, -1)}x` }, is: keyInvalid },
    {
      given: "a wrong key with a valid one",
      headers: { "x-service-key": "hello", "x-api-key": userKey },
      is: keyInvalid,
    },
    { given: "a wrong key with a cookie", headers: { "x-service-key": "hello", cookie }, is: keyInvalid },
    { given: "an ended session", headers: { cookie: `vigil_session=${endedSession}` }, is: sessionInvalid },
    { given: "an unknown session", headers: { cookie: "vigil_session=vgs_x" }, is: sessionInvalid },
    { given: "an unknown session as the key", headers: { "x-api-key": "vgs_x", cookie }, is: sessionInvalid },
    { given: "an empty session cookie", headers: { cookie: "vigil_session=" }, is: keyRequired },
  ])("$given", async ({ headers, is, bearer }) => {
    expect((await authenticated(headers, bearer)).found).toEqual(is);
  });

  test.each([
    { is: keyRequired, body: { error: "API key required" } },
    { is: keyInvalid, body: { error: "Invalid API key" } },
    { is: sessionInvalid, body: { error: "Invalid session token" } },
    { is: bearerInvalid, body: { error: "Invalid or expired session" } },
    { is: failure("proRequired", null), body: { error: "Pro authentication required" } },
  ])("with 401 $body.error", ({ is, body }) => {
    expect(is).toMatchObject({ status: 401, body });
  });
});

test("more operators than are remembered are all let in", () => {
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

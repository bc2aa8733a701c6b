import fc from "fast-check";
import { type CryptoKey, exportJWK, generateKeyPair, type JWK, type JWTPayload, SignJWT } from "jose";
import { beforeAll, beforeEach, describe, expect, test } from "vitest";
import { randomRuns } from "../../../test/support/effort.js";
import { DAY_MS, HOUR_MS, MINUTE_MS, SECOND_MS } from "../../kit/clock.js";
import { type ManualClock, manualClock } from "../../kit/manual-clock.js";
import { parseAccountRules } from "./account-rules.js";
import { type OpenIdResult, type OpenIdVerifier, type OpenIdVerifierParts, openIdVerifier } from "./openid-verifier.js";

const startAt = Date.UTC(2026, 2, 1);
const nowSeconds = startAt / SECOND_MS;
const issuer = "https://login.example/realm";
const audience = "vigil";
const discoveryUrl = `${issuer}/.well-known/openid-configuration`;
const jwksUrl = "https://login.example/keys";
const verified = { kind: "verified", account: "oidc_user-1", plan: "free", subject: "user-1" };
const away = new Error("connect ECONNREFUSED");

type Members = Readonly<Record<string, unknown>>;

interface ProviderKey {
  readonly alg: string;
  readonly kid: string;
  readonly privateKey: CryptoKey;
  readonly jwk: JWK;
}

async function providerKey(alg: string, kid: string): Promise<ProviderKey> {
  const { privateKey, publicKey } = await generateKeyPair(alg);
  return { alg, kid, privateKey, jwk: { ...(await exportJWK(publicKey)), kid, alg, use: "sig" } };
}

const accountClaims = parseAccountRules(
  JSON.stringify([
    { claim: "groups", equals: "vigil-pro", account: "acc_team", plan: "pro" },
    { claim: "sub", equals: "*", account: "oidc_{sub}", plan: "free" },
  ]),
);

let first: ProviderKey;
let second: ProviderKey;

beforeAll(async () => {
  [first, second] = await Promise.all([providerKey("ES256", "first"), providerKey("ES256", "second")]);
});

/** The answers of a provider in this process, by URL, and the URLs that were requested from it. */
let answers: Map<string, unknown>;
let requested: string[];
let clock: ManualClock;
let verifier: OpenIdVerifier;

const publish = (...keys: readonly ProviderKey[]): unknown =>
  answers.set(jwksUrl, { keys: keys.map(({ jwk }) => jwk) });

beforeEach(() => {
  clock = manualClock(startAt);
  requested = [];
  answers = new Map([[discoveryUrl, { issuer, jwks_uri: jwksUrl }]]);
  publish(first);
  verifier = verifierWith({});
});

function verifierWith(changes: Partial<OpenIdVerifierParts>): OpenIdVerifier {
  const fetchJson = async (url: string): Promise<unknown> => {
    requested.push(url);
    if (!answers.has(url)) throw away;
    return answers.get(url);
  };
  return openIdVerifier({ issuer, audience, jwksUrl, accountClaims, clock, fetchJson, ...changes });
}

const claimsNow = (): JWTPayload => {
  const now = Math.floor(clock.now() / SECOND_MS);
  return { iss: issuer, aud: audience, sub: "user-1", iat: now, exp: now + 3_600 };
};

/** A token signed with the key. A claim that is undefined is left out. */
function signed(claims: Members = {}, key = first, header: Members = {}): Promise<string> {
  return new SignJWT({ ...claimsNow(), ...claims } as JWTPayload) // Tests also pass invalid claims.
    .setProtectedHeader({ alg: key.alg, kid: key.kid, ...header })
    .sign(key.privateKey);
}

const refused = (reason: string): unknown => ({ kind: "refused", reason });
const verify = async (claims: Members, key = first): Promise<OpenIdResult> =>
  verifier.verify(await signed(claims, key));

describe("claims", () => {
  test("a valid token identifies the account of the first matching rule", async () => {
    expect(await verify({})).toEqual(verified);
    const team = { kind: "verified", account: "acc_team", plan: "pro", subject: "user-1" };
    expect(await verify({ groups: ["staff", "vigil-pro"] })).toEqual(team);
  });

  const cases: [what: string, claims: Members, result: unknown][] = [
    ["another issuer", { iss: "https://elsewhere.example" }, refused("claims")],
    ["an issuer with an additional slash", { iss: `${issuer}/` }, refused("claims")],
    ["no issuer", { iss: undefined }, refused("claims")],
    ["another audience", { aud: "other" }, refused("claims")],
    ["several audiences but not ours", { aud: ["other", "vigil2"] }, refused("claims")],
    ["several audiences including ours", { aud: ["other", "vigil"] }, verified],
    ["no audience", { aud: undefined }, refused("claims")],
    ["no end", { exp: undefined }, refused("claims")],
    ["no subject", { sub: undefined }, refused("claims")],
    ["an empty subject", { sub: "" }, refused("claims")],
    ["a subject that is not a string", { sub: 7 }, refused("claims")],
    ["no time of issue", { iat: undefined }, verified],
    ["a time of issue that is not a number", { iat: "now" }, refused("claims")],
    ["an end 59 s ago", { exp: nowSeconds - 59 }, verified],
    ["an end 60 s ago", { exp: nowSeconds - 60 }, refused("expired")],
    ["an end 61 s ago", { exp: nowSeconds - 61 }, refused("expired")],
    ["a beginning in 59 s", { nbf: nowSeconds + 59 }, verified],
    ["a beginning in 60 s", { nbf: nowSeconds + 60 }, verified],
    ["a beginning in 61 s", { nbf: nowSeconds + 61 }, refused("claims")],
    ["a time of issue in 60 s", { iat: nowSeconds + 60 }, verified],
    ["a time of issue in 61 s", { iat: nowSeconds + 61 }, refused("claims")],
    ["a subject without a matching rule", { sub: "auth0|7" }, refused("no account rule")],
  ];
  test.each(cases.map(([what, claims, result]) => ({ what, claims, result })))(
    "a token with $what is $result.kind",
    async ({ claims, result }) => {
      expect(await verify(claims)).toEqual(result);
    },
  );

  test("with a clock skew of 0, a token is valid from its time of issue until just before its end", async () => {
    verifier = verifierWith({ clockSkewMs: 0 });
    expect(await verify({ exp: nowSeconds + 1 })).toEqual(verified);
    expect(await verify({ exp: nowSeconds })).toEqual(refused("expired"));
    expect(await verify({ iat: nowSeconds + 1 })).toEqual(refused("claims"));
  });

  test("a token is refused if none of the configured rules matches", async () => {
    verifier = verifierWith({ accountClaims: accountClaims.slice(0, 1) });
    expect(await verify({ groups: ["staff"] })).toEqual(refused("no account rule"));
  });
});

describe("algorithms and signatures", () => {
  test.each(["RS256", "PS256", "ES256", "EdDSA"])("the verifier accepts %s", async (alg) => {
    const key = await providerKey(alg, "this");
    publish(first, key);
    expect(await verify({}, key)).toEqual(verified);
  });

  test.each(["RS384", "PS512", "ES384"])(
    "the verifier refuses %s, which is not on its list of algorithms",
    async (alg) => {
      const key = await providerKey(alg, "this");
      publish(key);
      expect(await verify({}, key)).toEqual(refused("algorithm"));
      expect(requested).toEqual([]);
    },
  );

  test("the verifier refuses an HMAC with the public key as its secret", async () => {
    const token = await new SignJWT(claimsNow())
      .setProtectedHeader({ alg: "HS256", kid: "first" })
      .sign(Buffer.from(JSON.stringify(first.jwk)));
    expect(await verifier.verify(token)).toEqual(refused("algorithm"));
  });

  test("the verifier refuses the algorithm `none`", async () => {
    const [, payload, signature] = (await signed()).split(".");
    const header = Buffer.from('{"alg":"none","kid":"first"}').toString("base64url");
    expect(await verifier.verify(`${header}.${payload}.${signature}`)).toEqual(refused("algorithm"));
    expect(await verifier.verify(`${header}.${payload}.`)).toEqual(refused("malformed"));
  });

  test("the verifier refuses a third-party key under a known key id, even if the header carries the key", async () => {
    expect(await verifier.verify(await signed({}, second, { kid: "first" }))).toEqual(refused("signature"));
    const brought = await signed({}, second, { kid: "first", jwk: second.jwk });
    expect(await verifier.verify(brought)).toEqual(refused("signature"));
  });

  test("the verifier refuses a changed payload", async () => {
    const [header, , signature] = (await signed()).split(".");
    const payload = Buffer.from(JSON.stringify({ ...claimsNow(), sub: "user-2" })).toString("base64url");
    expect(await verifier.verify(`${header}.${payload}.${signature}`)).toEqual(refused("signature"));
  });

  test("the verifier does not use a secret that the provider publishes as a key", async () => {
    answers.set(jwksUrl, { keys: [{ kty: "oct", k: "c2VjcmV0", kid: "first" }] });
    expect(await verify({})).toEqual(refused("unknown key"));
  });

  test("a token without a key id is verified if only one key matches", async () => {
    const token = await signed({}, first, { kid: undefined });
    expect(await verifier.verify(token)).toEqual(verified);
    publish(first, second);
    clock.advance(10 * MINUTE_MS);
    expect(await verifier.verify(token)).toEqual(refused("several keys match"));
  });

  test.each([
    ["an empty string", ""],
    ["a string of two parts", "a.b"],
    ["a long string without parts", "x".repeat(8_193)],
    ["a string in the form of a token that is too long", `${"A".repeat(8_192)}.e30.AA`],
  ])("the verifier refuses %s", async (_, text) => {
    expect(await verifier.verify(text)).toEqual(refused("malformed"));
    expect(requested).toEqual([]);
  });
});

describe("discovery", () => {
  beforeEach(() => {
    verifier = verifierWith({ jwksUrl: undefined });
  });

  test("the verifier finds the keys through the issuer's discovery document", async () => {
    expect(await verify({})).toEqual(verified);
    expect(requested).toEqual([discoveryUrl, jwksUrl]);
  });

  test("an issuer may end in a slash", async () => {
    const slashed = `${issuer}/`;
    answers.set(discoveryUrl, { issuer: slashed, jwks_uri: jwksUrl });
    verifier = verifierWith({ jwksUrl: undefined, issuer: slashed });
    expect(await verify({ iss: slashed })).toEqual(verified);
    expect(requested).toEqual([discoveryUrl, jwksUrl]);
  });

  test("the verifier refuses every token while the discovery document names another issuer", async () => {
    answers.set(discoveryUrl, { issuer: "https://elsewhere.example", jwks_uri: jwksUrl });
    for (let attempts = 0; attempts < 3; attempts++) {
      expect(await verify({})).toEqual(refused("provider names another issuer"));
    }
    expect(requested).toEqual([discoveryUrl]);
    answers.set(discoveryUrl, { issuer, jwks_uri: jwksUrl });
    clock.advance(30 * SECOND_MS);
    expect(await verify({})).toEqual(verified);
  });

  test.each<[string, unknown]>([
    ["has no jwks_uri", { issuer }],
    ["has a jwks_uri that is not a URL", { issuer, jwks_uri: "keys" }],
    ["has a jwks_uri with plain HTTP", { issuer, jwks_uri: "http://login.example/keys" }],
    ["has a jwks_uri that is a file", { issuer, jwks_uri: "file:///etc/keys" }],
  ])("the verifier returns `unavailable` if the discovery document %s", async (_, document) => {
    answers.set(discoveryUrl, document);
    expect(await verify({})).toMatchObject({ kind: "unavailable", cause: expect.any(Error) });
    expect(requested).toEqual([discoveryUrl]);
  });

  test("plain HTTP is accepted if the issuer uses it", async () => {
    const plain = "http://localhost:8080";
    answers.set(`${plain}/.well-known/openid-configuration`, { issuer: plain, jwks_uri: `${plain}/keys` });
    answers.set(`${plain}/keys`, { keys: [first.jwk] });
    verifier = verifierWith({ jwksUrl: undefined, issuer: plain });
    expect(await verify({ iss: plain })).toEqual(verified);
  });
});

describe("keys in memory", () => {
  test("the keys are fetched once in ten minutes, by one of many concurrent callers", async () => {
    const token = await signed();
    const results = await Promise.all(Array.from({ length: 20 }, () => verifier.verify(token)));
    expect(results).toEqual(results.map(() => verified));
    clock.advance(10 * MINUTE_MS - 1);
    await verifier.verify(token);
    expect(requested).toHaveLength(1);
    clock.advance(1);
    await Promise.all([verifier.verify(token), verifier.verify(token)]);
    expect(requested).toHaveLength(2);
  });

  test("a token with an unknown key id causes a new fetch, which finds a new key", async () => {
    expect(await verify({}, second)).toEqual(refused("unknown key"));
    publish(first, second);
    clock.advance(30 * SECOND_MS - 1);
    expect(await verify({}, second)).toEqual(refused("unknown key"));
    clock.advance(1);
    expect(await verify({}, second)).toEqual(verified);
    expect(await verify({}, first)).toEqual(verified);
    expect(requested).toHaveLength(2);
  });

  test("a withdrawn key is refused after ten minutes", async () => {
    expect(await verify({})).toEqual(verified);
    publish(second);
    clock.advance(10 * MINUTE_MS);
    expect(await verify({})).toEqual(refused("unknown key"));
  });

  test("unknown key ids cause at most one fetch per 30 s", async () => {
    const tokens = await Promise.all(["a", "b", "c", "d"].map((kid) => signed({}, first, { kid })));
    const askOften = () => Promise.all([...tokens, ...tokens].map((token) => verifier.verify(token)));
    for (const fetches of [1, 2, 3]) {
      expect(new Set((await askOften()).map(({ kind }) => kind))).toEqual(new Set(["refused"]));
      await askOften();
      expect(requested).toHaveLength(fetches);
      clock.advance(30 * SECOND_MS - 1);
      await askOften();
      expect(requested).toHaveLength(fetches);
      clock.advance(1);
    }
  });

  test("a new key is found even if the clock was ahead when the other keys were fetched", async () => {
    expect(await verify({})).toEqual(verified);
    publish(first, second);
    clock.set(clock.now() - HOUR_MS);
    expect(await verify({}, second)).toEqual(verified);
  });

  test("no second fetch is started while one is running, however long it takes", async () => {
    let answer: (keys: unknown) => void = () => undefined;
    const waiting = new Promise((resolve) => {
      answer = resolve;
    });
    verifier = verifierWith({
      fetchJson: (url) => {
        requested.push(url);
        return waiting;
      },
    });
    const token = await signed();
    const before = verifier.verify(token);
    clock.advance(MINUTE_MS);
    const after = verifier.verify(token);
    answer({ keys: [first.jwk] });
    expect(await Promise.all([before, after])).toEqual([verified, verified]);
    expect(requested).toHaveLength(1);
  });

  test("tokens of known keys do not wait for a fetch that an unknown key id has caused", async () => {
    let answer: (keys: unknown) => void = () => undefined;
    const waiting = new Promise((resolve) => {
      answer = resolve;
    });
    const replies = [Promise.resolve({ keys: [first.jwk] }), waiting];
    verifier = verifierWith({ fetchJson: async () => replies.shift() });
    await verify({});
    clock.advance(30 * SECOND_MS);
    const unknown = verify({}, second);
    expect(await verify({})).toEqual(verified);
    answer({ keys: [first.jwk, second.jwk] });
    expect(await unknown).toEqual(verified);
  });
});

describe("a provider that cannot be reached", () => {
  beforeEach(() => {
    answers.delete(jwksUrl);
  });

  test("a verifier without keys returns `unavailable` and queries the provider again after five seconds", async () => {
    const unavailable = { kind: "unavailable", cause: away };
    expect(await Promise.all([verify({}), verify({})])).toEqual([unavailable, unavailable]);
    publish(first);
    clock.advance(5 * SECOND_MS - 1);
    expect(await verify({})).toEqual(unavailable);
    expect(requested).toHaveLength(1);
    clock.advance(1);
    expect(await verify({})).toEqual(verified);
    expect(requested).toHaveLength(2);
  });

  test("the keys in memory are used for up to a day, with a new attempt to fetch them every 30 s", async () => {
    publish(first);
    expect(await verify({})).toEqual(verified);
    answers.delete(jwksUrl);
    clock.advance(10 * MINUTE_MS);
    expect(await verify({})).toEqual(verified);
    clock.advance(30 * SECOND_MS - 1);
    expect(await verify({})).toEqual(verified);
    expect(requested).toHaveLength(2);
    clock.advance(1);
    expect(await verify({})).toEqual(verified);
    expect(await verify({}, second)).toEqual(refused("unknown key"));
    expect(requested).toHaveLength(3);
    clock.set(startAt + DAY_MS - 1);
    expect(await verify({})).toEqual(verified);
    clock.set(startAt + DAY_MS + 30 * SECOND_MS);
    expect(await verify({})).toEqual({ kind: "unavailable", cause: away });
  });

  test.each<[string, unknown]>([
    ["is null", null],
    ["is a string", "keys"],
    ["has no array of keys", { keys: {} }],
    ["has keys that are not objects", { keys: ["first"] }],
  ])("a provider whose answer %s is treated as unreachable", async (_, answer) => {
    answers.set(jwksUrl, answer);
    expect(await verify({})).toMatchObject({ kind: "unavailable", cause: expect.any(Error) });
  });
});

test("no modified token is verified, and no string causes an error", async () => {
  const token = await signed();
  const at = fc.nat({ max: token.length - 1 });
  const character = fc.constantFrom(..."ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_.=+/ ");
  const text = fc.oneof(
    fc.string({ unit: "binary" }),
    fc.tuple(at, character).map(([index, put]) => token.slice(0, index) + put + token.slice(index + 1)),
    fc.tuple(at, character).map(([index, put]) => token.slice(0, index) + put + token.slice(index)),
    fc.tuple(at, fc.nat({ max: 8 })).map(([index, length]) => token.slice(0, index) + token.slice(index + length)),
    fc.shuffledSubarray(token.split(".")).map((parts) => parts.join(".")),
  );
  await fc.assert(
    fc.asyncProperty(text, async (changed) => {
      fc.pre(changed !== token);
      expect((await verifier.verify(changed)).kind).toBe("refused");
    }),
    { numRuns: randomRuns(2_000) },
  );
});

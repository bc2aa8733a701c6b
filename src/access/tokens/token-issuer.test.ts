import fc from "fast-check";
import {
  decodeJwt,
  decodeProtectedHeader,
  exportJWK,
  exportSPKI,
  generateKeyPair,
  type JWTPayload,
  SignJWT,
} from "jose";
import { beforeEach, describe, expect, test } from "vitest";
import { randomRuns } from "../../../test/support/effort.js";
import { DAY_MS, MINUTE_MS, SECOND_MS } from "../../kit/clock.js";
import { type ManualClock, manualClock } from "../../kit/manual-clock.js";
import { type TokenIssuer, tokenIssuer } from "./token-issuer.js";
import { type SigningKey, type StoredTokenKey, type TokenKeyStore, type TokenKeys, tokenKeys } from "./token-keys.js";

const startAt = Date.UTC(2026, 2, 1);
const issuedSeconds = startAt / SECOND_MS;
const grant = { subject: "acc_1", keyId: "key_1", scopes: ["read", "company_monitoring:read"] };
const parties = { issuer: "https://vigil.example", audience: "https://vigil.example/api" };

function memoryStore(): TokenKeyStore {
  const rows = new Map<string, StoredTokenKey>();
  return {
    list: async () => [...rows.values()],
    add: async (key) => void rows.set(key.kid, key),
    remove: async (kid) => void rows.delete(kid),
  };
}

type Members = Readonly<Record<string, unknown>>;

let clock: ManualClock;
let keys: TokenKeys;
let issuer: TokenIssuer;
let token: string;
let signer: SigningKey;

beforeEach(async () => {
  clock = manualClock(startAt);
  keys = tokenKeys(memoryStore(), clock);
  issuer = tokenIssuer({ keys, clock, ...parties });
  ({ token } = await issuer.issue(grant));
  signer = await keys.signing();
});

/** A token signed with the real key, with changed header members and claims; undefined removes a member or claim. */
function signed(claims: Members = {}, header: Members = {}): Promise<string> {
  return new SignJWT({ ...decodeJwt(token), ...claims } as JWTPayload) // Tests also pass invalid claims.
    .setProtectedHeader({ ...decodeProtectedHeader(token), alg: "ES256", ...header })
    .sign(signer.privateKey, { crit: { "x-new": true } });
}

const encoded = (value: unknown): string => Buffer.from(JSON.stringify(value)).toString("base64url");
const partsOf = (of: string): readonly [string, string, string] => {
  const [header = "", payload = "", signature = ""] = of.split(".");
  return [header, payload, signature];
};

test("a token states its subject, its scopes and its end", async () => {
  const { token: fresh, expiresInSeconds } = await issuer.issue(grant);
  expect(expiresInSeconds).toBe(900);
  expect(decodeProtectedHeader(fresh)).toEqual({ alg: "ES256", kid: signer.kid, typ: "at+jwt" });
  const jti = expect.stringMatching(/^[0-9a-f-]{36}$/);
  expect(decodeJwt(fresh)).toEqual({
    iss: parties.issuer,
    aud: parties.audience,
    sub: "acc_1",
    key: "key_1",
    scope: "read company_monitoring:read",
    iat: issuedSeconds,
    exp: issuedSeconds + 900,
    jti,
  });
  expect(await issuer.verify(fresh)).toEqual({
    ...grant,
    tokenId: jti,
    issuedAt: startAt,
    expiresAt: startAt + 15 * MINUTE_MS,
  });
});

test("no two tokens have the same id", async () => {
  const { token: other } = await issuer.issue(grant);
  expect(decodeJwt(other).jti).not.toBe(decodeJwt(token).jti);
});

test("a token without scopes is valid", async () => {
  const { token: bare } = await issuer.issue({ ...grant, scopes: [] });
  expect(await issuer.verify(bare)).toMatchObject({ scopes: [] });
});

test.each(["", "read write", "läsa", 'a"b', "a\\b", "a\n"])("the issuer refuses the scope %j", async (scope) => {
  await expect(issuer.issue({ ...grant, scopes: ["read", scope] })).rejects.toThrow("a scope must be printable ASCII");
});

test.each([{ subject: "" }, { keyId: "" }])("the issuer refuses to issue a token with %j", async (change) => {
  await expect(issuer.issue({ ...grant, ...change })).rejects.toThrow("a token needs the ids");
});

test.each([999, Number.NaN, 12 * 60 * MINUTE_MS])("the issuer refuses a lifetime of %d ms", (lifetimeMs) => {
  expect(() => tokenIssuer({ keys, clock, ...parties, lifetimeMs })).toThrow("lifetimeMs must be 1000–43170000");
});

describe("refused tokens", () => {
  const cases: Readonly<Record<string, () => string | Promise<string>>> = {
    "the algorithm `none` without a signature": () =>
      `${encoded({ alg: "none", kid: signer.kid, typ: "at+jwt" })}.${partsOf(token)[1]}.`,
    "the algorithm `none` with a signature": () => {
      const [, payload, signature] = partsOf(token);
      return `${encoded({ alg: "none", kid: signer.kid, typ: "at+jwt" })}.${payload}.${signature}`;
    },
    "HS256 with the public key in PEM as its secret": async () => withHmac(await exportSPKI(await publicKey())),
    "HS256 with the public key in JSON as its secret": async () =>
      withHmac(JSON.stringify(await exportJWK(await publicKey()))),
    "HS256 with the published key in JSON as its secret": async () =>
      withHmac(JSON.stringify((await keys.jwks()).keys[0])),
    "ES384 under our key id": async () => foreign("ES384"),
    "EdDSA under our key id": async () => foreign("EdDSA"),
    "a third-party ES256 key under our key id": async () => foreign("ES256"),
    "a third-party key in the token's own header": async () => {
      const { privateKey, publicKey: jwk } = await generateKeyPair("ES256");
      return new SignJWT(decodeJwt(token))
        .setProtectedHeader({ alg: "ES256", kid: signer.kid, typ: "at+jwt", jwk: await exportJWK(jwk) })
        .sign(privateKey);
    },
    "the id of a different key of ours": async () => {
      clock.advance(30 * DAY_MS + 1);
      await keys.signing();
      const other = (await keys.jwks()).keys.find(({ kid }) => kid !== signer.kid);
      expect(other).toBeDefined();
      const iat = Math.floor(clock.now() / SECOND_MS);
      return signed({ iat, exp: iat + 900 }, { kid: other?.kid });
    },
    "an unknown key id": () => signed({}, { kid: "unknown" }),
    "no key id": () => signed({}, { kid: undefined }),
    "a key id that is not a string": () => signed({}, { kid: [signer.kid] }),
    "a changed header": () => {
      const [, payload, signature] = partsOf(token);
      return `${encoded({ ...decodeProtectedHeader(token), x: 1 })}.${payload}.${signature}`;
    },
    "a changed payload": () => {
      const [header, , signature] = partsOf(token);
      return `${header}.${encoded({ ...decodeJwt(token), sub: "acc_2" })}.${signature}`;
    },
    "the signature of another token": async () => {
      const [header, payload] = partsOf(token);
      return `${header}.${payload}.${partsOf((await issuer.issue(grant)).token)[2]}`;
    },
    "a signature of zeros": () => `${partsOf(token).slice(0, 2).join(".")}.${"A".repeat(86)}`,
    "a different encoding of the same signature": () => {
      const last = token.charCodeAt(token.length - 1);
      return `${token.slice(0, -1)}${String.fromCharCode(last + 1)}`;
    },
    "a shorter signature": () => token.slice(0, -4),
    "white space at the end": () => `${token}\n`,
    "padding at the end": () => `${token}==`,
    "a fourth part": () => `${token}.AA`,
    "no signature": () => partsOf(token).slice(0, 2).join("."),
    "JSON instead of the compact form": () => {
      const [header, payload, signature] = partsOf(token);
      return JSON.stringify({ protected: header, payload, signature });
    },
    "an unknown extension that is marked as critical": () => signed({}, { crit: ["x-new"], "x-new": 1 }),
    "the type of an ID token": () => signed({}, { typ: "JWT" }),
    "no type": () => signed({}, { typ: undefined }),
    "another issuer": () => signed({ iss: "https://elsewhere.example" }),
    "no issuer": () => signed({ iss: undefined }),
    "another audience": () => signed({ aud: "https://elsewhere.example" }),
    "no audience": () => signed({ aud: undefined }),
    "no end": () => signed({ exp: undefined }),
    "no time of issue": () => signed({ iat: undefined }),
    "an end that is not a number": () => signed({ exp: String(issuedSeconds + 900) }),
    "no account": () => signed({ sub: undefined }),
    "an empty account": () => signed({ sub: "" }),
    "no key": () => signed({ key: undefined }),
    "no scope": () => signed({ scope: undefined }),
    "scopes in an array": () => signed({ scope: ["read"] }),
    "no token id": () => signed({ jti: undefined }),
    "an empty string": () => "",
    "more than 8,192 characters": async () => {
      const { token: long } = await issuer.issue({ ...grant, scopes: ["r".repeat(6_000)] });
      expect(long.length).toBeGreaterThan(8_192);
      return long;
    },
  };

  async function publicKey() {
    const key = await keys.verifying(signer.kid);
    if (!key) throw new Error("there is no key");
    return key;
  }

  function withHmac(secret: string): Promise<string> {
    return new SignJWT(decodeJwt(token))
      .setProtectedHeader({ alg: "HS256", kid: signer.kid, typ: "at+jwt" })
      .sign(Buffer.from(secret));
  }

  async function foreign(alg: string): Promise<string> {
    const { privateKey } = await generateKeyPair(alg);
    return new SignJWT(decodeJwt(token)).setProtectedHeader({ alg, kid: signer.kid, typ: "at+jwt" }).sign(privateKey);
  }

  test.each(Object.entries(cases))("a token is refused: %s", async (_, make) => {
    expect(await issuer.verify(await make())).toBeUndefined();
  });

  test("the unchanged token is valid, so each refusal above is for its stated reason only", async () => {
    expect(await issuer.verify(await signed())).toMatchObject(grant);
  });
});

describe("times", () => {
  const endsAt = startAt + 15 * MINUTE_MS;

  test.each([
    ["a second before it ends", endsAt - SECOND_MS, true],
    ["as it ends", endsAt, true],
    ["a second after it ended", endsAt + SECOND_MS, true],
    ["29 s after it ended", endsAt + 29 * SECOND_MS, true],
    ["30 s after it ended", endsAt + 30 * SECOND_MS, false],
    ["31 s after it ended", endsAt + 31 * SECOND_MS, false],
    ["29 s before it was issued", startAt - 29 * SECOND_MS, true],
    ["30 s before it was issued", startAt - 30 * SECOND_MS, true],
    ["31 s before it was issued", startAt - 31 * SECOND_MS, false],
  ])("a token is valid from 30 s before its issue until just under 30 s after its end: %s", async (_, now, isGood) => {
    clock.set(now);
    expect((await issuer.verify(token)) !== undefined).toBe(isGood);
  });

  test.each([
    [29, true],
    [30, true],
    [31, false],
  ])("a token that begins %d s from now is accepted: %s", async (seconds, isGood) => {
    expect((await issuer.verify(await signed({ nbf: issuedSeconds + seconds }))) !== undefined).toBe(isGood);
  });

  test("a time that the caller passes replaces the clock's time", async () => {
    expect(await issuer.verify(token, endsAt + 30 * SECOND_MS)).toBeUndefined();
    clock.set(endsAt + 30 * SECOND_MS);
    expect(await issuer.verify(token, endsAt)).toMatchObject(grant);
  });

  test("a token that is issued between two full seconds ends 15 minutes after the earlier second", async () => {
    clock.set(startAt + 999);
    const { token: late, expiresInSeconds } = await issuer.issue(grant);
    expect(expiresInSeconds).toBe(900);
    expect(decodeJwt(late)).toMatchObject({ iat: issuedSeconds, exp: issuedSeconds + 900 });
  });
});

describe("rotation", () => {
  test("old tokens stay valid until they end, new ones use the new key, and both keys are published", async () => {
    clock.set(startAt + 30 * DAY_MS + 1);
    await issuer.issue(grant);
    clock.advance(2 * MINUTE_MS - 1);
    const { token: last } = await issuer.issue(grant);
    clock.advance(1);
    const { token: first } = await issuer.issue(grant);
    const [before, after] = [last, first].map((token) => decodeProtectedHeader(token).kid);
    expect([before, after]).toEqual([signer.kid, expect.not.stringMatching(signer.kid)]);
    const { keys: published } = await keys.jwks();
    expect(published.map(({ kid }) => kid)).toEqual([after, before]);
    expect(JSON.stringify(published)).not.toMatch(/"d"/);

    const endsAt = (decodeJwt(last).exp ?? 0) * SECOND_MS;
    clock.set(endsAt + 29 * SECOND_MS);
    expect(await issuer.verify(last)).toMatchObject(grant);
    expect(await issuer.verify(first)).toMatchObject(grant);
    clock.set(endsAt + 30 * SECOND_MS);
    expect(await issuer.verify(last)).toBeUndefined();
  });

  test("a token of the longest lifetime, issued just before its key is replaced, is valid until it ends", async () => {
    const lasting = tokenIssuer({ keys, clock, ...parties, lifetimeMs: keys.tokenLifetimeMsMax });
    await lasting.issue(grant);
    clock.set(startAt + 30 * DAY_MS);
    const { token: last } = await lasting.issue(grant);
    expect(decodeProtectedHeader(last).kid).toBe(signer.kid);
    clock.advance(keys.tokenLifetimeMsMax + 29 * SECOND_MS);
    expect(await lasting.verify(last)).toMatchObject(grant);
  });
});

test("verification throws if the keys cannot be read", async () => {
  const store: TokenKeyStore = { ...memoryStore(), list: () => Promise.reject(new Error("the database is lost")) };
  const broken = tokenIssuer({ keys: tokenKeys(store, clock), clock, ...parties });
  await expect(broken.verify(token)).rejects.toThrow("the database is lost");
  await expect(broken.issue(grant)).rejects.toThrow("the database is lost");
  expect(await broken.verify("not a token")).toBeUndefined();
});

test("only our own tokens are verified, and no string causes an error", async () => {
  const header = encoded({ alg: "ES256", kid: signer.kid, typ: "at+jwt" });
  const part = fc.oneof(fc.base64String(), fc.json().map(encodedText), fc.constant(header), fc.string());
  const text = fc.oneof(
    fc.string({ unit: "binary" }),
    fc.array(part, { minLength: 1, maxLength: 4 }).map((parts) => parts.join(".")),
    fc.tuple(fc.jsonValue(), part).map(([claims, signature]) => `${header}.${encoded(claims)}.${signature}`),
  );
  await fc.assert(
    fc.asyncProperty(text, async (presented) => {
      expect(await issuer.verify(presented)).toBeUndefined();
    }),
    { numRuns: randomRuns(1_000) },
  );
});

test("no modified token is verified or causes an error", async () => {
  const at = fc.nat({ max: token.length - 1 });
  const character = fc.constantFrom(..."ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_.=+/ ");
  const change = fc.oneof(
    fc.tuple(at, character).map(([index, put]) => token.slice(0, index) + put + token.slice(index + 1)),
    fc.tuple(at, character).map(([index, put]) => token.slice(0, index) + put + token.slice(index)),
    fc.tuple(at, fc.nat({ max: 8 })).map(([index, length]) => token.slice(0, index) + token.slice(index + length)),
    fc.tuple(at, at).map(([from, to]) => token.slice(from) + token.slice(to)),
    fc.shuffledSubarray(token.split(".")).map((parts) => parts.join(".")),
  );
  await fc.assert(
    fc.asyncProperty(change, async (changed) => {
      fc.pre(changed !== token);
      expect(await issuer.verify(changed)).toBeUndefined();
    }),
    { numRuns: randomRuns(2_000) },
  );
});

function encodedText(text: string): string {
  return Buffer.from(text).toString("base64url");
}

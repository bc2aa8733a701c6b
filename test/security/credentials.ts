import { createHmac, randomBytes } from "node:crypto";
import { exportJWK, generateKeyPair, type JWTHeaderParameters, SignJWT } from "jose";
import { expect } from "vitest";
import { hashOfKey, newKey } from "../../src/access/key-format.js";
import { MINUTE_MS } from "../../src/kit/clock.js";
import { issueToken, makeAccount, makeKey, openSession, revokeKey } from "../support/callers.js";
import type { Risk } from "./attack.js";
import { ACCOUNT, CPI, type Headers, type House, PRO, type Reply } from "./house.js";

const base64 = (value: object): string => Buffer.from(JSON.stringify(value)).toString("base64url");

/** Requests a token from the service. Returns it with its parts, and with its header and claims decoded. */
async function issued({ stack, victim }: House) {
  const token = await issueToken(stack, victim.key);
  const [header = "", claims = "", signature = ""] = token.split(".");
  const read = (part: string): Readonly<Record<string, unknown>> =>
    JSON.parse(Buffer.from(part, "base64url").toString());
  return { token, parts: { header, claims, signature }, header: read(header), claims: read(claims) };
}

const asBearer = (token: string): Headers => ({ authorization: `Bearer ${token}` });

/** A refusal without its date, its request id and its limit headers, which differ between any two answers. */
function shown({ status, headers, body }: Reply): readonly unknown[] {
  const { date: _date, "x-request-id": _id, ...others } = headers;
  const limits = /^(?:x-)?ratelimit/;
  return [status, body, Object.fromEntries(Object.entries(others).filter(([name]) => !limits.test(name)))];
}

export const credentials: Risk = {
  id: "API2",
  title: "Broken authentication",
  attacks: [
    {
      name: "guessed keys are refused and then limited, while a valid key from the same address works",
      attack: "Guess keys of the right form and checksum",
      defence: "Keys have 160 random bits; an address with too many wrong credentials gets 429",
      async run({ send, attacker }) {
        const statuses = new Set<number>();
        for (let guesses = 0; guesses < 200 && !statuses.has(429); guesses += 1) {
          statuses.add((await send(CPI, { headers: { "x-service-key": newKey("vgl_demo_") } })).status);
        }
        expect([...statuses]).toEqual([401, 429]);
        expect((await send(CPI, { headers: attacker.by })).status).toBe(200);
      },
    },
    {
      name: "a key that differs in one character gets the same answer as every other wrong key",
      attack: "Guess a key character by character, and compare the answers to guesses that begin like the key",
      defence: "Keys are found by their SHA-256, and operator-issued keys are compared in constant time",
      async run({ send, stack, victim }) {
        const { key } = victim.key;
        const guesses = [8, 24, 40, key.length - 1].map((at) => {
          const other = key[at] === "0" ? "1" : "0";
          return key.slice(0, at) + other + key.slice(at + 1);
        });
        const refusals = [];
        for (const guess of [...guesses, newKey("vgl_demo_"), "nonsense"]) {
          refusals.push(shown(await send(CPI, { headers: { "x-service-key": guess } })));
        }
        expect(refusals[0]?.slice(0, 2)).toEqual([401, '{"error":"Invalid API key"}']);
        for (const refusal of refusals) expect(refusal).toEqual(refusals[0]);
        const stored = await stack.service.database.db.selectFrom("api_key").select("key_hash").execute();
        expect(stored.map(({ key_hash }) => key_hash)).toContain(hashOfKey(key));
      },
    },
    {
      name: "a revoked key opens nothing, and neither do its sessions and tokens",
      attack: "Use a key, a session and an access token after the key was revoked",
      defence: "Sessions and tokens end with the key that created them",
      async run({ stack, send }) {
        const key = await makeKey(stack, await makeAccount(stack, "business"));
        const [session, token] = [await openSession(stack, key), await issueToken(stack, key)];
        const uses: readonly (readonly [string, Headers])[] = [
          [CPI, { "x-service-key": key.key }],
          [CPI, { cookie: `vigil_session=${session}` }],
          [PRO, asBearer(token)],
        ];
        for (const [target, headers] of uses) expect((await send(target, { headers })).status).toBe(200);
        await revokeKey(stack, key);
        for (const [target, headers] of uses) expect((await send(target, { headers })).status).toBe(401);
      },
    },
    {
      name: "a key stops working when it expires",
      attack: "Use a key after its expiry",
      defence: "The expiry is checked at every call, and also for cached keys",
      async run({ stack, send }) {
        const endsAt = stack.clock.now() + MINUTE_MS;
        const { key } = await makeKey(stack, await makeAccount(stack, "business"), ["read"], endsAt);
        expect((await send(CPI, { headers: { "x-service-key": key } })).status).toBe(200);
        stack.clock.advance(MINUTE_MS);
        expect((await send(CPI, { headers: { "x-service-key": key } })).status).toBe(401);
      },
    },
    {
      name: "forged access tokens are refused",
      attack:
        "Send tokens with the algorithm `none`, with the public key as an HMAC secret, with a signature by the attacker's own key, with a file path as key id, or with an altered claim",
      defence: "Tokens are verified only with the algorithm and the keys of the issuer",
      async run(house) {
        const { token, parts, header, claims } = await issued(house);
        const { keys } = JSON.parse((await house.send("/.well-known/jwks.json")).body);
        expect((await house.send(PRO, { headers: asBearer(token) })).status).toBe(200);
        const { publicKey, privateKey } = await generateKeyPair("ES256");
        const signedBy = async (protectedHeader: JWTHeaderParameters): Promise<string> =>
          new SignJWT({ ...claims }).setProtectedHeader(protectedHeader).sign(privateKey);
        const hmac = (secret: string): string => {
          const signed = `${base64({ ...header, alg: "HS256" })}.${parts.claims}`;
          return `${signed}.${createHmac("sha256", secret).update(signed).digest("base64url")}`;
        };
        const kid = String(header["kid"]);
        const forged = [
          ...["none", "None", "NONE", "nOnE"].map((alg) => `${base64({ ...header, alg })}.${parts.claims}.`),
          `${base64({ ...header, alg: "none" })}.${parts.claims}.${parts.signature}`,
          `${parts.header}.${parts.claims}.`,
          hmac(JSON.stringify(keys[0])),
          hmac(String(keys[0].x)),
          await signedBy({ alg: "ES256", kid, typ: String(header["typ"]) }),
          await signedBy({ alg: "ES256", kid, jwk: await exportJWK(publicKey) }),
          await signedBy({ alg: "ES256", kid, jku: "http://127.0.0.1:1/keys" }),
          await signedBy({ alg: "ES256", kid: "../../owner.key" }),
          `${parts.header}.${base64({ ...claims, sub: "operator" })}.${parts.signature}`,
          `${parts.header}.${base64({ ...claims, exp: 4_102_444_800 })}.${parts.signature}`,
          `${parts.header}.${parts.claims}.${randomBytes(64).toString("base64url")}`,
        ];
        for (const text of forged) {
          const reply = await house.send(PRO, { headers: asBearer(text) });
          expect([text, reply.status, reply.body]).toEqual([text, 401, '{"error":"Invalid or expired session"}']);
        }
      },
    },
    {
      name: "an expired access token is refused",
      attack: "Use an access token after its 15 minutes",
      defence: "Tokens are short-lived, and their expiry is verified",
      async run({ stack, send, victim }) {
        const token = await issueToken(stack, victim.key);
        stack.clock.advance(17 * MINUTE_MS);
        expect((await send(PRO, { headers: asBearer(token) })).status).toBe(401);
      },
    },
    {
      name: "a key in a URL, in a cookie or in a header that is not for keys opens nothing",
      attack: "Send a valid key where logs and other sites can see it",
      defence: "Credentials are read only from their own headers",
      async run({ send, victim }) {
        const { key } = victim.key;
        for (const target of [`${CPI}?api_key=${key}`, `${CPI}?key=${key}`, `${CPI}?x-service-key=${key}`]) {
          expect((await send(target)).status).toBe(401);
        }
        for (const headers of [{ cookie: `key=${key}` }, { referer: `http://x/?key=${key}` }, { "x-key": key }]) {
          expect((await send(CPI, { headers })).status).toBe(401);
        }
      },
    },
    {
      name: "sign-in attempts from one IP address are limited",
      attack: "Sign in with guessed keys",
      defence: "An IP address has 30 attempts a minute, whether the keys are right or wrong",
      async run({ send }) {
        const statuses: number[] = [];
        for (let attempts = 0; attempts < 31; attempts += 1) {
          const body = { key: newKey("vgl_demo_") };
          statuses.push((await send(`${ACCOUNT}/sign-in`, { body })).status);
        }
        expect(statuses).toEqual([...Array(30).fill(401), 429]);
      },
    },
    {
      name: "a session token chosen by the caller is not adopted at sign-in",
      attack: "Plant a session cookie in a browser before its user signs in",
      defence: "Every sign-in makes a new random session",
      async run({ send, victim }) {
        const planted = `vgs_${"A".repeat(43)}`;
        const headers = { cookie: `vigil_session=${planted}`, "sec-fetch-site": "same-origin" };
        const reply = await send(`${ACCOUNT}/sign-in`, { headers, body: { key: victim.key.key } });
        expect(reply.status).toBe(200);
        const [cookie = ""] = reply.headers["set-cookie"] ?? [];
        expect(cookie).toMatch(/^vigil_session=vgs_[\w-]{43}; .*HttpOnly; SameSite=/);
        expect(cookie).not.toContain(planted);
        expect((await send(CPI, { headers })).status).toBe(401);
      },
    },
    {
      name: "a page of another site cannot use a session",
      attack: "Send a write from a page of another site, with a visitor's cookie",
      defence: "A write by cookie must come from an allowed origin; other origins are refused before all else",
      async run({ stack, send, victim }) {
        const cookie = `vigil_session=${await openSession(stack, victim.key)}`;
        const body = { name: "planted" };
        for (const headers of [
          { cookie },
          { cookie, "sec-fetch-site": "cross-site" },
          { cookie, origin: "https://evil.example" },
          { cookie, origin: "null" },
        ]) {
          const { status } = await send(`${ACCOUNT}/create-key`, { headers, body });
          expect(status).toBe(403);
        }
      },
    },
  ],
};

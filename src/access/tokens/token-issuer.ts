import { randomUUID } from "node:crypto";
import { type CryptoKey, jwtVerify, SignJWT } from "jose";
import { type Static, Type } from "typebox";
import { Compile } from "typebox/compile";
import { type Clock, MINUTE_MS, SECOND_MS } from "../../kit/clock.js";
import { headerOf } from "./compact-jws.js";
import { CLOCK_SKEW_MS, TOKEN_ALGORITHM, type TokenKeys } from "./token-keys.js";

/** Type of access tokens (RFC 9068). No other token signed by the same keys is accepted as an access token. */
const TOKEN_TYPE = "at+jwt";

const CLOCK_SKEW_SECONDS = CLOCK_SKEW_MS / SECOND_MS;

/** The subject and rights of a token to issue. */
export interface TokenGrant {
  /** The account's id. */
  readonly subject: string;
  /** Id of the API key that the token is issued from. When the key becomes invalid, so does the token. */
  readonly keyId: string;
  readonly scopes: readonly string[];
}

export interface IssuedToken {
  readonly token: string;
  readonly expiresInSeconds: number;
}

/** The verified claims of a token that we issued. */
export interface OwnClaims extends TokenGrant {
  readonly tokenId: string;
  readonly issuedAt: number;
  readonly expiresAt: number;
}

export interface TokenIssuer {
  issue(grant: TokenGrant): Promise<IssuedToken>;
  /**
   * Returns the claims of a token that we issued and that is valid at `now` (default: the clock's time); undefined for
   * any other string. Throws only if the key store cannot be read.
   */
  verify(token: string, now?: number): Promise<OwnClaims | undefined>;
}

export interface TokenIssuerParts {
  readonly keys: TokenKeys;
  readonly clock: Clock;
  readonly issuer: string;
  readonly audience: string;
  /** Default: 15 minutes. Truncated to whole seconds. */
  readonly lifetimeMs?: number;
}

const Claims = Type.Object({
  sub: Type.String({ minLength: 1 }),
  key: Type.String({ minLength: 1 }),
  scope: Type.String(),
  jti: Type.String(),
  iat: Type.Number(),
  exp: Type.Number(),
});
const claims = Compile(Claims);

/** Access tokens of this service: signed JWTs that every node verifies using only the shared keys. */
export function tokenIssuer(parts: TokenIssuerParts): TokenIssuer {
  const { keys, clock, issuer, audience, lifetimeMs = 15 * MINUTE_MS } = parts;
  const lifetimeSeconds = Math.floor(lifetimeMs / SECOND_MS);
  if (!(lifetimeSeconds >= 1 && lifetimeMs <= keys.tokenLifetimeMsMax)) {
    throw new Error(`lifetimeMs must be ${SECOND_MS}–${keys.tokenLifetimeMsMax}, got ${lifetimeMs}`);
  }

  /** Returns the claims of a token that this key signed, if its header and all claims are valid; else undefined. */
  async function verifiedClaims(
    token: string,
    key: CryptoKey,
    now: number,
  ): Promise<Static<typeof Claims> | undefined> {
    try {
      const { payload } = await jwtVerify(token, key, {
        algorithms: [TOKEN_ALGORITHM],
        typ: TOKEN_TYPE,
        issuer,
        audience,
        clockTolerance: CLOCK_SKEW_SECONDS,
        currentDate: new Date(now),
      });
      return claims.Check(payload) ? payload : undefined;
    } catch {
      // An error here is caused by the token, because the key has already been imported.
      return undefined;
    }
  }

  return {
    async issue({ subject, keyId, scopes }) {
      if (!subject || !keyId) throw new Error("a token needs the ids of an account and of a key");
      const { kid, privateKey } = await keys.signing();
      const issuedAtSeconds = Math.floor(clock.now() / SECOND_MS);
      const token = await new SignJWT({ scope: scopeClaim(scopes), key: keyId })
        .setProtectedHeader({ alg: TOKEN_ALGORITHM, kid, typ: TOKEN_TYPE })
        .setIssuer(issuer)
        .setAudience(audience)
        .setSubject(subject)
        .setIssuedAt(issuedAtSeconds)
        .setExpirationTime(issuedAtSeconds + lifetimeSeconds)
        .setJti(randomUUID())
        .sign(privateKey);
      return { token, expiresInSeconds: lifetimeSeconds };
    },
    async verify(token, now = clock.now()) {
      const kid = headerOf(token)?.kid;
      const key = typeof kid === "string" ? await keys.verifying(kid) : undefined;
      const verified = key && (await verifiedClaims(token, key, now));
      // jose checks `iat` only if an age limit is set.
      if (!verified || verified.iat > Math.floor(now / SECOND_MS) + CLOCK_SKEW_SECONDS) return undefined;
      return {
        subject: verified.sub,
        keyId: verified.key,
        scopes: verified.scope.split(" ").filter((scope) => scope !== ""),
        tokenId: verified.jti,
        issuedAt: verified.iat * SECOND_MS,
        expiresAt: verified.exp * SECOND_MS,
      };
    },
  };
}

/** Characters of a scope (RFC 6749, section 3.3). A space would split it in two. */
const SCOPE = /^[\x21\x23-\x5b\x5d-\x7e]+$/;

function scopeClaim(scopes: readonly string[]): string {
  const bad = scopes.find((scope) => !SCOPE.test(scope));
  if (bad !== undefined) throw new Error(`a scope must be printable ASCII without spaces, got ${JSON.stringify(bad)}`);
  return scopes.join(" ");
}

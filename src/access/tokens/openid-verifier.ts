import { errors, type JWTPayload, type JWTVerifyGetKey, jwtVerify } from "jose";
import { type Clock, MINUTE_MS, SECOND_MS } from "../../kit/clock.js";
import { type AccountRule, type MatchedAccount, matchAccount } from "./account-rules.js";
import { headerOf } from "./compact-jws.js";
import { type FetchJson, providerKeys } from "./provider-keys.js";

/** The reason for refusing a token, for the log. */
export type OpenIdRefusal =
  | "malformed"
  | "algorithm"
  | "provider names another issuer"
  | "unknown key"
  /** More than one of the provider's keys could have signed the token, usually because the token names no key. */
  | "several keys match"
  | "signature"
  | "expired"
  | "claims"
  | "no account rule";

export type OpenIdResult =
  | ({ readonly kind: "verified"; readonly subject: string } & MatchedAccount)
  | { readonly kind: "refused"; readonly reason: OpenIdRefusal }
  /** The provider's keys could not be loaded, so the token cannot be verified. `cause` is for the log. */
  | { readonly kind: "unavailable"; readonly cause: unknown };

export interface OpenIdVerifier {
  /** Verifies a token and finds its account. Never throws. */
  verify(token: string): Promise<OpenIdResult>;
}

export interface OpenIdVerifierParts {
  /** Must equal the issuer in the provider's tokens. If that issuer ends with a slash, this one must too. */
  readonly issuer: string;
  readonly audience: string;
  /** Default: the address in the issuer's discovery document. */
  readonly jwksUrl?: string | undefined;
  /** Largest tolerated difference between the provider's clock and ours. Default: one minute. */
  readonly clockSkewMs?: number;
  readonly accountClaims: readonly AccountRule[];
  readonly clock: Clock;
  readonly fetchJson: FetchJson;
}

/** Only asymmetric algorithms, because with HMAC the provider's public key could be used to sign. */
const algorithms = ["RS256", "PS256", "ES256", "EdDSA"];

type Verified = { readonly kind: "payload"; readonly payload: JWTPayload } | Refused;
type Refused = Extract<OpenIdResult, { kind: "refused" }>;

const refused = (reason: OpenIdRefusal): Refused => ({ kind: "refused", reason });

/** Verifies the tokens of one OpenID provider and finds the account of each token. */
export function openIdVerifier(parts: OpenIdVerifierParts): OpenIdVerifier {
  const { issuer, audience, clockSkewMs = MINUTE_MS, accountClaims, clock } = parts;
  const keys = providerKeys(parts);
  const clockSkewSeconds = clockSkewMs / SECOND_MS;

  async function verifyWith(find: JWTVerifyGetKey, token: string): Promise<Verified> {
    const now = clock.now();
    try {
      const { payload } = await jwtVerify(token, find, {
        algorithms,
        issuer,
        audience,
        requiredClaims: ["sub", "exp"],
        clockTolerance: clockSkewSeconds,
        currentDate: new Date(now),
      });
      // jose checks `iat` only if an age limit is set.
      const isFromFuture = (payload.iat ?? 0) > Math.floor(now / SECOND_MS) + clockSkewSeconds;
      return isFromFuture ? refused("claims") : { kind: "payload", payload };
    } catch (error) {
      return refused(refusalOf(error));
    }
  }

  function accountOf(payload: JWTPayload): OpenIdResult {
    const { sub: subject } = payload;
    if (typeof subject !== "string" || subject === "") return refused("claims");
    const matched = matchAccount(accountClaims, payload);
    return matched ? { kind: "verified", ...matched, subject } : refused("no account rule");
  }

  return {
    async verify(token) {
      const header = headerOf(token);
      if (!header) return refused("malformed");
      // Checked before the keys are read, because a token with another algorithm must not cause a call to the provider.
      if (!algorithms.some((algorithm) => algorithm === header.alg)) return refused("algorithm");
      const current = await keys.read();
      if (current.kind === "unavailable") return current;
      if (current.kind === "other issuer") return refused("provider names another issuer");
      let verified = await verifyWith(current.find, token);
      if (verified.kind === "refused" && verified.reason === "unknown key") {
        const newer = await keys.readAgain();
        if (newer.kind === "keys" && newer !== current) verified = await verifyWith(newer.find, token);
      }
      return verified.kind === "refused" ? verified : accountOf(verified.payload);
    },
  };
}

function refusalOf(error: unknown): OpenIdRefusal {
  if (error instanceof errors.JWKSNoMatchingKey) return "unknown key";
  if (error instanceof errors.JWKSMultipleMatchingKeys) return "several keys match";
  if (error instanceof errors.JWTExpired) return "expired";
  if (error instanceof errors.JWTClaimValidationFailed || error instanceof errors.JWTInvalid) return "claims";
  return "signature";
}

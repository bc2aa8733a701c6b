import type { Principal } from "../contract/access/principal.js";
import { Failure, failure } from "../contract/failures.js";
import type { Clock } from "../kit/clock.js";
import type { Credential } from "./credential.js";
import type { CredentialStore } from "./credential-store.js";
import { type EnterpriseKey, enterprisePrincipal, findEnterpriseKey } from "./enterprise-keys.js";
import { isWellFormedKey, KEY_PREFIX } from "./key-format.js";
import { SESSION_PREFIX } from "./session-token.js";
import type { Assurance } from "./store-contact.js";

/** Reads one request header by its lower-case name. */
export type HeaderOf = (name: string) => string | undefined;

/**
 * Verifies a bearer token. Returns undefined if it is invalid; throws a `Failure` if it cannot be verified at present.
 */
export type VerifyBearer = (token: string, assurance: Assurance) => Promise<Principal | undefined>;

export interface Authenticator {
  /**
   * Identifies the caller, or returns the 401 that the contract defines for the credential. Synchronous for cached keys
   * and sessions. `takesBearer`: the route accepts an access token. Every route accepts a key, in X-Service-Key, in
   * X-Api-Key or, if neither is sent, as the bearer token. `assurance`: the check that the call requires; default
   * `confirmed`. Throws a `Failure` if the credential cannot be verified at present.
   */
  authenticate(
    header: HeaderOf,
    takesBearer: boolean,
    assurance?: Assurance,
  ): Principal | Failure | Promise<Principal | Failure>;
}

export const SESSION_COOKIE = "vigil_session";

export interface AuthenticatorParts {
  readonly enterpriseKeys: readonly EnterpriseKey[];
  readonly credentials: Pick<CredentialStore, "key" | "recalledKey" | "session" | "used">;
  readonly verifyBearer: VerifyBearer;
  readonly clock: Clock;
}

/** Creates the authenticator that all routes use. */
export function authenticator(parts: AuthenticatorParts): Authenticator {
  const enterprise = enterpriseCallers(parts.enterpriseKeys);

  /**
   * Identifies the caller by a key, or by a session token in place of the key. Both take precedence over all other
   * credentials.
   */
  function byKey(key: string, assurance: Assurance): Principal | Failure | Promise<Principal | Failure> {
    // A cached key is known to belong to an account, so it is neither compared with the operator-issued keys nor
    // checked by its checksum.
    const now = parts.clock.now();
    const recalled = parts.credentials.recalledKey(key, now);
    if (recalled) return inForceAt(now, recalled);
    if (key.startsWith(SESSION_PREFIX)) return bySession(key, assurance);
    // The key is compared with the operator-issued keys before its form is checked, because operators choose the form
    // of their own keys.
    const operators = enterprise(key);
    if (operators) return operators;
    if (!isWellFormedKey(key)) return failure("keyInvalid", null);
    const credential = parts.credentials.key(key, assurance);
    return credential instanceof Promise ? credential.then(inForce, unknowable) : inForce(credential);
  }

  function inForce(credential: Credential | undefined): Principal | Failure {
    return inForceAt(parts.clock.now(), credential);
  }

  /**
   * Returns the caller of a key that is valid at `now` and records the use of the key; else returns the failure. `now`
   * is passed in, because each reading of the clock costs time.
   */
  function inForceAt(now: number, credential: Credential | undefined): Principal | Failure {
    if (!credential || credential.endsAt <= now) return failure("keyInvalid", null);
    parts.credentials.used(credential.keyId, now);
    return credential.principal;
  }

  function bySession(token: string, assurance: Assurance): Principal | Failure | Promise<Principal | Failure> {
    const open = (session: Credential | undefined): Principal | Failure =>
      session && session.endsAt > parts.clock.now() ? session.principal : failure("sessionInvalid", null);
    if (!token.startsWith(SESSION_PREFIX)) return failure("sessionInvalid", null);
    const session = parts.credentials.session(token, assurance);
    return session instanceof Promise ? session.then(open, unknowable) : open(session);
  }

  /** Returns true if a bearer token is a key. Any other bearer token is treated as an access token. */
  function isKey(bearer: string): boolean {
    return bearer.startsWith(KEY_PREFIX) || enterprise(bearer) !== undefined;
  }

  return {
    authenticate(header, takesBearer, assurance = "confirmed") {
      const key = header("x-service-key") || header("x-api-key");
      if (key) return byKey(key, assurance);
      const bearer = bearerToken(header("authorization"));
      if (bearer !== undefined && isKey(bearer)) return byKey(bearer, assurance);
      const token = takesBearer ? bearer : undefined;
      if (token !== undefined) {
        const verified = token === "" ? Promise.resolve(undefined) : parts.verifyBearer(token, assurance);
        return verified.then((principal) => principal ?? failure("bearerInvalid", null), unknowable);
      }
      const session = sessionCookie(header("cookie"));
      return session === undefined ? failure("keyRequired", null) : bySession(session, assurance);
    },
  };
}

/** Throws the failure for a credential that cannot be verified at present, through no fault of the caller. */
function unknowable(error: unknown): never {
  throw error instanceof Failure ? error : failure("entitlementUnavailable", null, error);
}

/**
 * Extracts the token from `Authorization: Bearer`. Returns an empty string if the scheme is followed by no token or by
 * more than one, and undefined without the header or for another scheme.
 */
function bearerToken(authorization: string | undefined): string | undefined {
  const [scheme = "", ...sent] = (authorization ?? "").trim().split(" ");
  if (scheme.toLowerCase() !== "bearer") return undefined;
  const token = sent.join(" ").trim();
  return /\s/.test(token) ? "" : token;
}

/** Extracts the session token from a Cookie header. Returns undefined if there is none. */
export function sessionCookie(cookie: string | undefined): string | undefined {
  for (const pair of cookie?.split(";") ?? []) {
    const [name, value] = pair.trim().split("=");
    if (name === SESSION_COOKIE && value) return value;
  }
  return undefined;
}

/** Maximum number of accepted operator-issued keys that are cached, so that they are not compared again. */
const REMEMBERED_MAX = 1_000;

function enterpriseCallers(keys: readonly EnterpriseKey[]): (key: string) => Principal | undefined {
  const good = new Map<string, Principal>();
  return (key) => {
    const remembered = good.get(key);
    if (remembered) return remembered;
    const enterpriseKey = findEnterpriseKey(keys, key);
    if (!enterpriseKey) return undefined;
    const principal = enterprisePrincipal(enterpriseKey);
    if (good.size < REMEMBERED_MAX) good.set(key, principal);
    return principal;
  };
}

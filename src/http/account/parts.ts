import type { Accounts } from "../../access/accounts.js";
import type { HeaderOf } from "../../access/authenticator.js";
import type { CredentialStore } from "../../access/credential-store.js";
import type { PlanEvents } from "../../access/plan-events.js";
import type { IssuedToken } from "../../contract/access/accounts.js";
import type { Principal } from "../../contract/access/principal.js";
import { Failure, failure } from "../../contract/failures.js";
import type { OpenDatabase } from "../../database/open-database.js";
import type { Clock } from "../../kit/clock.js";
import type { CallLimits } from "../call-limits.js";
import type { Exchange } from "../exchange.js";

/** The functions for access tokens that the account paths use. */
export interface AccessTokens {
  /** Issues a token for the account of this key; undefined for an invalid key. */
  issue(key: string): Promise<(IssuedToken & { readonly principal: Principal }) | undefined>;
  /** Returns the public keys, with the time for which caches may keep them. */
  jwks(): Promise<{ readonly keys: readonly object[]; readonly maxAgeMs: number }>;
}

/** The parts that the account paths use. */
export interface AccountParts {
  readonly database: OpenDatabase;
  readonly accounts: Accounts;
  readonly credentials: CredentialStore;
  /** Identifies the caller by a key or a session; undefined without one. Access tokens are not accepted. */
  readonly callerOf: (header: HeaderOf) => Promise<Principal | undefined>;
  readonly tokens: AccessTokens;
  readonly limits: CallLimits;
  readonly planEvents: PlanEvents;
  readonly clock: Clock;
  readonly addressOf: (exchange: Exchange) => string;
}

/** Queries the store of accounts. Throws the contract's 503 if the store is unavailable. */
export async function fromStore<T>(ask: () => Promise<T>): Promise<T> {
  try {
    return await ask();
  } catch (error) {
    throw error instanceof Failure ? error : failure("entitlementUnavailable", null, error);
  }
}

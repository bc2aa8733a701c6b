import type { Accounts } from "../../access/accounts.js";
import type { HeaderOf } from "../../access/authenticator.js";
import type { CredentialStore } from "../../access/credential-store.js";
import type { IssuedToken } from "../../contract/access/accounts.js";
import type { Principal } from "../../contract/access/principal.js";
import { Failure, failure } from "../../contract/failures.js";
import type { IdempotencyStore } from "../../database/idempotency.js";
import type { OpenDatabase } from "../../database/open.js";
import type { Clock } from "../../kit/clock.js";
import type { CallLimits } from "../call-limits.js";
import type { Exchange } from "../exchange.js";

/** Access tokens as the account paths need them. */
export interface AccessTokens {
  /** A token for the account of this key; undefined when the key opens nothing. */
  issue(key: string): Promise<(IssuedToken & { readonly principal: Principal }) | undefined>;
  jwks(): Promise<object>;
}

/** What the account paths work with. */
export interface AccountParts {
  readonly database: OpenDatabase;
  readonly accounts: Accounts;
  readonly credentials: CredentialStore;
  /** The caller that a key alone would make. */
  readonly callerOf: (header: HeaderOf) => Promise<Principal | undefined>;
  readonly tokens: AccessTokens;
  readonly limits: CallLimits;
  readonly idempotency: IdempotencyStore;
  readonly clock: Clock;
  readonly addressOf: (exchange: Exchange) => string;
}

/** What the store of accounts says; the 503 of the contract when it cannot be asked. */
export async function fromStore<T>(ask: () => Promise<T>): Promise<T> {
  try {
    return await ask();
  } catch (error) {
    throw error instanceof Failure ? error : failure("entitlementUnavailable", null, error);
  }
}

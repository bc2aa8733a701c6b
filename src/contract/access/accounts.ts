import { type Port, port } from "../port.js";
import type { OpenedSession } from "../write.js";
import type { PlanKey, PlanState } from "./plans.js";
import type { Scope } from "./scopes.js";

export interface Account {
  readonly id: string;
  readonly name: string;
  readonly plan: PlanKey;
  readonly planState: PlanState;
  readonly createdAt: number;
}

/** A key as it may be shown; the key itself is not known any more. */
export interface KeyCard {
  readonly id: string;
  readonly accountId: string;
  readonly name: string;
  readonly hint: string;
  readonly scopes: readonly Scope[];
  readonly createdAt: number;
  readonly expiresAt: number | null;
  readonly revokedAt: number | null;
  readonly lastUsedAt: number | null;
}

export interface NewKey {
  readonly accountId: string;
  readonly name: string;
  readonly scopes: ReadonlySet<Scope>;
  /** Epoch ms; null for never. */
  readonly expiresAt: number | null;
}

export interface CreatedKey {
  readonly key: string;
  readonly card: KeyCard;
}

/** The reason why no key was made. */
export type KeyRefusal = "no such account" | "too many keys" | "reserved name";

export interface NewAccount {
  readonly id?: string;
  readonly name: string;
  readonly plan: PlanKey;
}

/** The accounts. Every change is logged with its caller. */
export interface AccountBook {
  /** At most `limit` of them in the order of their ids, those after `after`. */
  list(page: { readonly after?: string; readonly limit: number }): Promise<readonly Account[]>;
  find(id: string): Promise<Account | undefined>;
  /** Undefined when the id is taken. */
  create(account: NewAccount): Promise<Account | undefined>;
  /** Undefined when there is no such account. */
  setPlan(id: string, plan: PlanKey, state: PlanState): Promise<Account | undefined>;
}

/** The keys of accounts. Every change is logged with its caller. */
export interface KeyRing {
  /** Those in force and the newest of the others, newest first. */
  list(accountId: string): Promise<readonly KeyCard[]>;
  /** The key, shown this once. */
  create(key: NewKey): Promise<CreatedKey | KeyRefusal>;
  /** Revokes a key of this account; undefined when it has none of this id. Revoking twice is the same as once. */
  revoke(accountId: string, keyId: string): Promise<KeyCard | undefined>;
}

/** Browser sessions. */
export interface Sessions {
  /** A session for a key or for the secret of a one-time link; undefined, and a line in the log, for any other. */
  open(secret: { readonly key?: string; readonly link?: string }): Promise<OpenedSession | undefined>;
  /** Ends the session that the caller came with; false where it came with none. */
  end(): Promise<boolean>;
}

export interface IssuedToken {
  readonly token: string;
  readonly expiresInSeconds: number;
  readonly scopes: readonly string[];
}

/** Access tokens. */
export interface TokenDesk {
  /** A token for this key, or for the key in the headers of the call; undefined when the key opens nothing. */
  issue(key: string | undefined): Promise<IssuedToken | undefined>;
}

/** Events that are applied once each. */
export interface EventLedger {
  /**
   * The text that `apply` gives, or gave when this event came before. `other body`: it came with another body then.
   * `running`: its first call is not done yet. An event whose `apply` throws may come again.
   */
  once(eventId: string, apply: () => Promise<string>): Promise<{ readonly text: string } | "other body" | "running">;
}

export const accountBook: Port<AccountBook> = port("accounts");
export const keyRing: Port<KeyRing> = port("keys");
export const sessions: Port<Sessions> = port("sessions");
export const tokenDesk: Port<TokenDesk> = port("tokens");
export const planEventLedger: Port<EventLedger> = port("plan events");

/** One limit or quota of a caller. */
export interface LimitUse {
  readonly name: string;
  readonly limit: number;
  readonly windowSeconds: number;
  readonly used: number;
  readonly remaining: number;
  /** Epoch ms. */
  readonly resetAt: number;
}

/** The caller's use of its limits. Looking costs nothing. */
export interface Usage {
  limits(): Promise<readonly LimitUse[]>;
  quotas(): Promise<readonly LimitUse[]>;
}

/** One thing that was done, or refused. */
export interface AuditEntry {
  readonly id: number;
  /** Epoch ms. */
  readonly at: number;
  readonly action: string;
  readonly actor: string;
  readonly accountId?: string;
  readonly subject?: string;
  readonly address?: string;
  readonly detail?: Readonly<Record<string, string | number | readonly string[] | null>>;
}

export interface AuditQuery {
  /** Only events before this one: the id of the last of the page before. */
  readonly before?: number;
  readonly action?: string;
  readonly accountId?: string;
  readonly limit: number;
}

/** The log of changes to accounts and keys. */
export interface AuditTrail {
  /** Stored events, newest first. */
  events(query: AuditQuery): Promise<readonly AuditEntry[]>;
}

export const usage: Port<Usage> = port("usage");
export const auditTrail: Port<AuditTrail> = port("audit trail");

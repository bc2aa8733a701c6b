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

/** A key as it is shown after its creation, without its secret, which is not stored. */
export interface KeyCard {
  readonly id: string;
  readonly accountId: string;
  readonly name: string;
  /** The beginning of the key, by which people recognise the key. */
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

/** The reason why a key was not created. */
export type KeyRefusal = "no such account" | "too many keys" | "reserved name";

export interface NewAccount {
  readonly id?: string;
  readonly name: string;
  readonly plan: PlanKey;
}

/** The accounts. Every change is logged with the caller who made it. */
export interface AccountBook {
  /** Lists at most `limit` accounts in the order of their ids, starting after the id `after`. */
  list(page: { readonly after?: string; readonly limit: number }): Promise<readonly Account[]>;
  find(id: string): Promise<Account | undefined>;
  /** Creates an account; undefined if the id is taken. */
  create(account: NewAccount): Promise<Account | undefined>;
  /** Sets the plan of an account; undefined if there is no such account. */
  setPlan(id: string, plan: PlanKey, state: PlanState): Promise<Account | undefined>;
}

/** The keys of accounts. Every change is logged with the caller who made it. */
export interface KeyRing {
  /**
   * Lists the keys of the account, newest first. If there are too many for the list, revoked keys are left out first,
   * then expired keys. All active keys are listed.
   */
  list(accountId: string): Promise<readonly KeyCard[]>;
  /** Creates a key. Its secret is returned only here. */
  create(key: NewKey): Promise<CreatedKey | KeyRefusal>;
  /** Revokes a key of this account; undefined if the account has no key with this id. Revoking again has no effect. */
  revoke(accountId: string, keyId: string): Promise<KeyCard | undefined>;
}

/** An open browser session as it is shown, without its token. */
export interface SessionCard {
  readonly id: string;
  /** The key with which it was opened. */
  readonly keyId: string;
  readonly keyName: string;
  /** Address of the browser at sign-in; null for a session from before addresses were stored. */
  readonly address: string | null;
  readonly createdAt: number;
  readonly expiresAt: number;
  /** True for the session of the caller. */
  readonly isCurrent: boolean;
}

/** Browser sessions. */
export interface Sessions {
  /** Lists at most 200 open sessions of an account, newest first. */
  list(accountId: string): Promise<readonly SessionCard[]>;
  /** Ends a session of this account and logs the end; undefined if the account has no open session with this id. */
  endOne(accountId: string, sessionId: string): Promise<SessionCard | undefined>;
  /**
   * Opens a session for a key or for the secret of a one-time link. For any other secret, logs the refused attempt and
   * returns undefined.
   */
  open(secret: { readonly key?: string; readonly link?: string }): Promise<OpenedSession | undefined>;
  /** Ends the caller's session; false if the caller has none. */
  end(): Promise<boolean>;
}

export interface IssuedToken {
  readonly token: string;
  readonly expiresInSeconds: number;
  readonly scopes: readonly string[];
}

/** Issues access tokens. */
export interface TokenDesk {
  /** Issues a token for this key, or for the key in the headers of the call; undefined if the key is not valid. */
  issue(key: string | undefined): Promise<IssuedToken | undefined>;
}

/** A change of plan that a billing system reports. */
export interface PlanEvent {
  readonly eventId: string;
  readonly accountId: string;
  readonly plan: PlanKey;
  readonly state: PlanState;
}

/** Applies the plan events of a billing system, each once. */
export interface PlanEventLedger {
  /**
   * Sets the plan of the event's account. For an event that was applied before, changes nothing and returns the account
   * as it was after the first time, or `other body` if the event had a different body then. Returns undefined if the
   * account does not exist; the event can then be sent again.
   */
  apply(event: PlanEvent): Promise<Account | "other body" | undefined>;
}

export const accountBook: Port<AccountBook> = port("accounts");
export const keyRing: Port<KeyRing> = port("keys");
export const sessions: Port<Sessions> = port("sessions");
export const tokenDesk: Port<TokenDesk> = port("tokens");
export const planEventLedger: Port<PlanEventLedger> = port("plan events");

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

/** Reads how much of each limit the caller has used. This read is not charged. */
export interface Usage {
  limits(): Promise<readonly LimitUse[]>;
  quotas(): Promise<readonly LimitUse[]>;
}

/** One action that was performed or refused. */
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
  /** Id of the last event on the previous page; only older events are returned. */
  readonly before?: number;
  readonly action?: string;
  readonly accountId?: string;
  readonly limit: number;
}

/** The audit log: changes to accounts and keys, sign-ins, issued tokens and refused attempts. */
export interface AuditTrail {
  /** Lists stored events, newest first. */
  events(query: AuditQuery): Promise<readonly AuditEntry[]>;
}

export const usage: Port<Usage> = port("usage");
export const auditTrail: Port<AuditTrail> = port("audit trail");

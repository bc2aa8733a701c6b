import { audit, auditEvents } from "../../access/audit-log.js";
import { sessionCookie } from "../../access/authenticator.js";
import { type OpenSessions, openSessions } from "../../access/open-sessions.js";
import { SESSION_PREFIX } from "../../access/session-token.js";
import {
  type AccountBook,
  accountBook,
  auditTrail,
  type KeyRing,
  keyRing,
  type LimitUse,
  type PlanEventLedger,
  planEventLedger,
  type Sessions,
  sessions,
  type TokenDesk,
  tokenDesk,
  type Usage,
  usage,
} from "../../contract/access/accounts.js";
import { failure } from "../../contract/failures.js";
import { SECOND_MS } from "../../kit/clock.js";
import { type Standing, windowMsOf } from "../../limits/limiter.js";
import type { Exchange } from "../exchange.js";
import { type PortCall, type Provider, provide } from "../ports.js";
import { type AccountParts, fromStore } from "./parts.js";

/** The ports of the account service, backed by the stores of this process. */
export function accountPorts(parts: AccountParts): readonly Provider[] {
  const open = openSessions(parts.database, parts.clock.now);
  return [
    provide(accountBook, (call) => accountBookOf(parts, call)),
    provide(keyRing, (call) => keyRingOf(parts, call)),
    provide(sessions, (call) => sessionsOf(parts, open, call)),
    provide(tokenDesk, (call) => tokenDeskOf(parts, call)),
    provide(planEventLedger, (call) => planEventLedgerOf(parts, call)),
    provide(auditTrail, () => ({ events: (query) => fromStore(() => auditEvents(parts.database.db, query)) })),
    provide(usage, (call) => usageOf(parts, call)),
  ];
}

function usageOf({ limits }: AccountParts, { exchange: { principal }, address }: PortCall): Usage {
  const used = async (look: () => readonly Standing[] | Promise<readonly Standing[]>): Promise<readonly LimitUse[]> => {
    try {
      return (await look()).map(limitUse);
    } catch (error) {
      throw failure("limiterUnavailable", null, error);
    }
  };
  return {
    limits: () => used(() => limits.standings({ principal, address })),
    quotas: () => used(() => (principal ? limits.quotas(principal) : [])),
  };
}

function limitUse({ limit, remaining, resetAt }: Standing): LimitUse {
  return {
    name: limit.name,
    limit: limit.max,
    windowSeconds: windowMsOf(limit) / SECOND_MS,
    used: limit.max - remaining,
    remaining,
    resetAt,
  };
}

function accountBookOf({ accounts, credentials }: AccountParts, by: PortCall): AccountBook {
  return {
    list: (page) => fromStore(() => accounts.list(page)),
    find: (id) => fromStore(() => accounts.find(id)),
    create: (account) => fromStore(() => accounts.create(account, by)),
    setPlan: (id, plan, state) =>
      fromStore(async () => {
        const account = await accounts.setPlan(id, plan, state, by);
        if (account) await credentials.refresh();
        return account;
      }),
  };
}

function keyRingOf({ accounts, credentials }: AccountParts, by: PortCall): KeyRing {
  return {
    list: (accountId) => fromStore(() => accounts.keys(accountId)),
    create: (key) => fromStore(() => accounts.createKey(key, by)),
    revoke: (accountId, keyId) =>
      fromStore(async () => {
        const card = await accounts.revokeKey(accountId, keyId, by);
        if (card) await credentials.refresh();
        return card;
      }),
  };
}

function sessionsOf(
  { credentials, callerOf, clock, database }: AccountParts,
  stored: OpenSessions,
  call: PortCall,
): Sessions {
  const { address, actor, exchange } = call;
  const { principal } = exchange;
  /**
   * The token of the caller's own session, from a key header or else from the cookie; undefined for a caller without a
   * session.
   */
  const ownToken = (): string | undefined => (principal?.kind === "session" ? sessionTokenOf(exchange) : undefined);

  async function byKey(key: string) {
    if (key === "" || key.startsWith(SESSION_PREFIX)) return undefined;
    const caller = await callerOf((name) => (name === "x-service-key" ? key : undefined));
    return caller?.kind === "key" ? credentials.signIn(caller.actor, address) : undefined;
  }

  return {
    open: ({ key = "", link }) =>
      fromStore(async () => {
        const session = link === undefined ? await byKey(key) : await credentials.signInByLink(link, address);
        if (!session) await audit(database.db, { at: clock.now(), action: "sign-in.refused", actor, address });
        return session;
      }),
    end: () =>
      fromStore(async () => {
        if (principal?.kind !== "session") return false;
        const token = ownToken();
        if (token !== undefined) await credentials.signOut(token, address);
        return true;
      }),
    list: (accountId) => fromStore(() => stored.list(accountId, ownToken())),
    endOne: (accountId, sessionId) =>
      fromStore(async () => {
        const ended = await stored.end(accountId, sessionId, ownToken(), call);
        if (ended) await credentials.refresh();
        return ended;
      }),
  };
}

function sessionTokenOf({ call }: Exchange): string | undefined {
  return keyInHeader(call) ?? sessionCookie(call.header("cookie"));
}

function keyInHeader(call: Exchange["call"]): string | undefined {
  return call.header("x-service-key") ?? call.header("x-api-key");
}

function tokenDeskOf({ tokens, clock, database }: AccountParts, { exchange, address }: PortCall): TokenDesk {
  return {
    issue: (secret) =>
      fromStore(async () => {
        const key = secret ?? basicSecret(exchange) ?? keyInHeader(exchange.call);
        const issued = key === undefined ? undefined : await tokens.issue(key);
        if (!issued) return undefined;
        const { actor, accountId } = issued.principal;
        const event = { at: clock.now(), action: "token.issued", actor, address } as const;
        await audit(database.db, { ...event, ...(accountId !== undefined && { accountId }) });
        return issued;
      }),
  };
}

/** The secret of HTTP Basic credentials. */
function basicSecret({ call }: Exchange): string | undefined {
  const [, encoded] = /^Basic +([A-Za-z0-9+/=]+)$/i.exec(call.header("authorization") ?? "") ?? [];
  if (encoded === undefined) return undefined;
  const [, secret] = /^[^:]*:(.*)$/s.exec(Buffer.from(encoded, "base64").toString("utf8")) ?? [];
  return secret;
}

function planEventLedgerOf({ planEvents, credentials }: AccountParts, { bytes, ...by }: PortCall): PlanEventLedger {
  return {
    apply: (event) =>
      fromStore(async () => {
        const outcome = await planEvents.apply({ ...event, bytes }, by);
        if (typeof outcome !== "object") return outcome;
        if (!outcome.isRepeat) await credentials.refresh();
        return outcome.account;
      }),
  };
}

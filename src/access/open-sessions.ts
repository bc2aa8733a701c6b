import type { SessionCard } from "../contract/access/accounts.js";
import type { OpenDatabase } from "../database/open-database.js";
import { accessChange } from "./access-change.js";
import type { Actor } from "./accounts.js";
import { audit } from "./audit-log.js";
import { hashOfSession, hashPrefixOf, sessionIdOf } from "./session-token.js";

/** Maximum number of sessions in a list. */
const SESSIONS_SHOWN_MAX = 200;

/**
 * The open browser sessions of accounts. `token` is the token of the caller's own session, if the caller has one; the
 * card of that session is marked as the caller's.
 */
export interface OpenSessions {
  /** Lists the most recent valid sessions, newest first. */
  list(accountId: string, token: string | undefined): Promise<readonly SessionCard[]>;
  /**
   * Ends a session of this account and records the audit event. Returns undefined if the account has no session with
   * this id.
   */
  end(accountId: string, sessionId: string, token: string | undefined, by: Actor): Promise<SessionCard | undefined>;
}

export function openSessions({ db }: OpenDatabase, now: () => number): OpenSessions {
  const ofAccount = (accountId: string, on = db) =>
    on
      .selectFrom("session")
      .innerJoin("api_key", "api_key.id", "session.key_id")
      .select(["session_hash", "key_id", "name", "address", "session.created_at", "session.expires_at"])
      .where("account_id", "=", accountId)
      .where("revoked_at", "is", null)
      .where("session.expires_at", ">", now());

  return {
    async list(accountId, token) {
      const rows = await ofAccount(accountId)
        .orderBy("session.created_at", "desc")
        .orderBy("session_hash")
        .limit(SESSIONS_SHOWN_MAX)
        .execute();
      return rows.map((row) => cardOf(row, token));
    },
    end: (accountId, sessionId, token, { actor, address }) =>
      accessChange(db, async (transaction) => {
        const prefix = hashPrefixOf(sessionId);
        if (prefix === undefined) return undefined;
        const row = await ofAccount(accountId, transaction)
          .where("session_hash", "like", `${prefix}%`)
          .executeTakeFirst();
        if (!row) return undefined;
        await transaction.deleteFrom("session").where("session_hash", "=", row.session_hash).execute();
        const event = { at: now(), action: "session.ended", actor, accountId, subject: sessionId } as const;
        await audit(transaction, { ...event, ...(address !== undefined && { address }) });
        return cardOf(row, token);
      }),
  };
}

interface SessionOfKey {
  readonly session_hash: string;
  readonly key_id: string;
  readonly name: string;
  readonly address: string | null;
  readonly created_at: number;
  readonly expires_at: number;
}

function cardOf(row: SessionOfKey, token: string | undefined): SessionCard {
  return {
    id: sessionIdOf(row.session_hash),
    keyId: row.key_id,
    keyName: row.name,
    address: row.address,
    createdAt: row.created_at,
    expiresAt: row.expires_at,
    isCurrent: token !== undefined && hashOfSession(token) === row.session_hash,
  };
}

import type { Kysely, Transaction } from "kysely";
import type { AuditEventRow, Database } from "../database/schema.js";

export type AuditAction =
  | "account.created"
  | "key.created"
  | "key.revoked"
  | "plan.changed"
  | "signed-in"
  | "sign-in.refused"
  | "signed-out"
  | "token.issued"
  | "write.denied";

/** One thing that was done, or refused. Never holds a key, a token or a cookie. */
export interface AuditEvent {
  readonly at: number;
  readonly action: AuditAction;
  /** Who did it: the id of a key, `command line`, `plan events`, or `anonymous`. */
  readonly actor: string;
  /** The account it was done to. */
  readonly accountId?: string;
  /** The id of what it was done to. */
  readonly subject?: string;
  /** Where the call came from. */
  readonly address?: string;
  readonly detail?: Readonly<Record<string, string | number | readonly string[] | null>>;
}

/** Writes an event; with the transaction of the change that it tells of, the two commit together. */
export async function audit(on: Kysely<Database> | Transaction<Database>, event: AuditEvent): Promise<void> {
  const { at, action, actor, accountId, subject, address, detail } = event;
  const row = { at, action, actor, account_id: accountId ?? null, subject: subject ?? null, address: address ?? null };
  await on
    .insertInto("audit_event")
    .values({ ...row, detail: JSON.stringify(detail ?? {}) })
    .execute();
}

export interface AuditQuery {
  /** Only events before this one: the id of the last of the page before. */
  readonly before?: number;
  readonly action?: string;
  readonly accountId?: string;
  readonly limit: number;
}

/** Stored events, newest first. */
export async function auditEvents(
  db: Kysely<Database>,
  { before, action, accountId, limit }: AuditQuery,
): Promise<readonly (AuditEvent & { readonly id: number })[]> {
  let query = db.selectFrom("audit_event").selectAll().orderBy("id", "desc").limit(limit);
  if (before !== undefined) query = query.where("id", "<", before);
  if (action !== undefined) query = query.where("action", "=", action);
  if (accountId !== undefined) query = query.where("account_id", "=", accountId);
  return (await query.execute()).map(eventOf);
}

function eventOf(row: AuditEventRow): AuditEvent & { readonly id: number } {
  return {
    id: row.id,
    at: row.at,
    // Written by `audit`.
    action: row.action as AuditAction,
    actor: row.actor,
    ...(row.account_id !== null && { accountId: row.account_id }),
    ...(row.subject !== null && { subject: row.subject }),
    ...(row.address !== null && { address: row.address }),
    detail: JSON.parse(row.detail),
  };
}

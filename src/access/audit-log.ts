import type { Kysely, Transaction } from "kysely";
import type { AuditEventRow, Database } from "../database/schema.js";
import { DAY_MS } from "../kit/clock.js";

export type AuditAction =
  | "account.created"
  | "key.created"
  | "key.revoked"
  | "plan.changed"
  | "signed-in"
  | "sign-in.refused"
  | "signed-out"
  | "session.ended"
  | "token.issued"
  | "write.denied";

/** A change, a sign-in, an issued token or a refused attempt. Never contains a key, a token or a cookie. */
export interface AuditEvent {
  readonly at: number;
  readonly action: AuditAction;
  /**
   * The author: the id of a key, `openid <account>` for a token of the OpenID provider, `command line`, `plan events`,
   * or `anonymous`.
   */
  readonly actor: string;
  /** The account that the event concerns. */
  readonly accountId?: string;
  /** The id of the object that the event concerns. */
  readonly subject?: string;
  /** The caller's IP address. */
  readonly address?: string;
  readonly detail?: Readonly<Record<string, string | number | readonly string[] | null>>;
}

/**
 * Writes an event. Inside the transaction of a change, the event is committed or rolled back together with the change.
 */
export async function audit(on: Kysely<Database> | Transaction<Database>, event: AuditEvent): Promise<void> {
  const { at, action, actor, accountId, subject, address, detail } = event;
  const row = { at, action, actor, account_id: accountId ?? null, subject: subject ?? null, address: address ?? null };
  await on
    .insertInto("audit_event")
    .values({ ...row, detail: JSON.stringify(detail ?? {}) })
    .execute();
}

export interface AuditQuery {
  /** Returns only events written before the event with this id. To get the next page, pass the last id of a page. */
  readonly before?: number;
  readonly action?: string;
  readonly accountId?: string;
  readonly limit: number;
}

/** Lists stored events, newest first. */
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

/** Retention limits for a set of events: the longest age and the largest count. */
interface Keeping {
  readonly keptMs: number;
  readonly eventsMax: number;
}

/**
 * Actions that any caller can cause at will. Their share of the log is smaller, so that a flood of them cannot push
 * real changes out of the log.
 */
const frequent: readonly AuditAction[] = ["sign-in.refused", "token.issued", "write.denied"];

export interface AuditKeeping {
  readonly frequent: Keeping;
  readonly all: Keeping;
}

const KEEPING: AuditKeeping = {
  frequent: { keptMs: 30 * DAY_MS, eventsMax: 20_000 },
  all: { keptMs: 400 * DAY_MS, eventsMax: 200_000 },
};

/**
 * Removes the oldest events. First removes events of frequent actions beyond the limits for frequent actions, then
 * events of all actions beyond the limits for all.
 */
export async function thinAuditLog(db: Kysely<Database>, now: number, keeping: AuditKeeping = KEEPING): Promise<void> {
  await thin(db, now, keeping.frequent, frequent);
  await thin(db, now, keeping.all);
}

async function thin(
  db: Kysely<Database>,
  now: number,
  { keptMs, eventsMax }: Keeping,
  actions?: readonly AuditAction[],
): Promise<void> {
  let first = db.selectFrom("audit_event").select("id").orderBy("id", "desc").offset(eventsMax).limit(1);
  let removal = db.deleteFrom("audit_event");
  if (actions) {
    first = first.where("action", "in", actions);
    removal = removal.where("action", "in", actions);
  }
  const surplus = await first.executeTakeFirst();
  const oldest = now - keptMs;
  await removal
    .where((where) => where.or([where("at", "<", oldest), ...(surplus ? [where("id", "<=", surplus.id)] : [])]))
    .execute();
}

function eventOf(row: AuditEventRow): AuditEvent & { readonly id: number } {
  return {
    id: row.id,
    at: row.at,
    // The cast is safe, because `audit` wrote this value.
    action: row.action as AuditAction,
    actor: row.actor,
    ...(row.account_id !== null && { accountId: row.account_id }),
    ...(row.subject !== null && { subject: row.subject }),
    ...(row.address !== null && { address: row.address }),
    detail: detailOf(row),
  };
}

/**
 * Parses the detail of an event. An unreadable detail is replaced by a marker, so that the other events stay readable.
 */
function detailOf({ detail }: AuditEventRow): NonNullable<AuditEvent["detail"]> {
  try {
    return JSON.parse(detail);
  } catch {
    return { unreadable: "the stored detail is not JSON" };
  }
}

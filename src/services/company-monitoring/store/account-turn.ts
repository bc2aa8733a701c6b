import { sql } from "kysely";
import type { CompanyAccountRow, CompanyDatabase } from "./tables.js";

/** Returns the counters of an account before its first write. */
export function newAccount(accountId: string): CompanyAccountRow {
  return {
    account_id: accountId,
    position: 0,
    generation: 0,
    company_count: 0,
    oldest_position: 1,
    lists_from: 0,
    feed_revision: 0,
    updated_at: 0,
  };
}

/** Returns the counters of an account. */
export async function accountRow(db: CompanyDatabase, accountId: string): Promise<CompanyAccountRow> {
  const row = await db.selectFrom("company_account").selectAll().where("account_id", "=", accountId).executeTakeFirst();
  return row ?? newAccount(accountId);
}

/**
 * Locks the account until the transaction ends and returns its counters. Every write of an account starts with this
 * call; a write to several accounts locks them in sorted order.
 */
export async function takeTurn(db: CompanyDatabase, accountId: string): Promise<CompanyAccountRow> {
  return db
    .insertInto("company_account")
    .values(newAccount(accountId))
    .onConflict((conflict) => conflict.column("account_id").doUpdateSet({ account_id: accountId }))
    .returningAll()
    .executeTakeFirstOrThrow();
}

/** The amounts added to the account's other counters at each new position. */
export interface Increments {
  /** 1 for a change to the portfolio, else 0. */
  readonly generation: 0 | 1;
  readonly companies: -1 | 0 | 1;
}

/** Assigns the next position of the account. The caller writes the change at that position in the same transaction. */
export async function nextPosition(
  db: CompanyDatabase,
  accountId: string,
  increments: Increments,
  now: number,
): Promise<number> {
  const [position = 0] = await nextPositions(db, accountId, { ...increments, count: 1 }, now);
  return position;
}

/**
 * Assigns the next positions of the account, in order. The caller writes the change at each position in the same
 * transaction.
 */
export async function nextPositions(
  db: CompanyDatabase,
  accountId: string,
  { count, ...each }: Increments & { readonly count: number },
  now: number,
): Promise<readonly number[]> {
  const [generation, companies] = [count * each.generation, count * each.companies];
  const { position } = await db
    .updateTable("company_account")
    .set({
      position: sql<number>`position + ${count}`,
      generation: sql<number>`generation + ${generation}`,
      company_count: sql<number>`company_count + ${companies}`,
      updated_at: now,
    })
    .where("account_id", "=", accountId)
    .returning("position")
    .executeTakeFirstOrThrow();
  return Array.from({ length: count }, (_, at) => position - count + 1 + at);
}

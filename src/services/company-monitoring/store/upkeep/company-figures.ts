import { sql } from "kysely";
import type { StoreParts } from "../../../../database/service-store.js";
import { companiesIn } from "../tables.js";

/**
 * Accounts, companies that are not removed, changes in the logs of all accounts, the oldest position in any log and the
 * newest one. Reads one row for each account.
 */
export async function companyFigures({
  database,
}: Pick<StoreParts, "database">): Promise<Readonly<Record<string, number>>> {
  const row = await companiesIn(database.db)
    .selectFrom("company_account")
    .select((account) => [
      account.fn.countAll<number | string>().as("accounts"),
      account.fn.sum<number | string | null>("company_count").as("companies"),
      sql<number | string | null>`sum(position - oldest_position + 1)`.as("changes"),
      account.fn.min<number | null>("oldest_position").as("oldest"),
      account.fn.max<number | null>("position").as("newest"),
    ])
    .executeTakeFirstOrThrow();
  // PostgreSQL sums integers as text.
  return {
    accounts: Number(row.accounts),
    companies: Number(row.companies ?? 0),
    changesInLog: Number(row.changes ?? 0),
    oldestPosition: row.oldest ?? 0,
    newestPosition: row.newest ?? 0,
  };
}

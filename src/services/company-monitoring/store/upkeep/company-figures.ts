import { sql } from "kysely";
import type { StoreParts } from "../../../../database/service-store.js";
import { MINUTE_MS } from "../../../../kit/clock.js";
import { companiesIn } from "../tables.js";

/** A scan is overdue this long after its due time. */
const OVERDUE_MS = 5 * MINUTE_MS;

/**
 * Counts, over all accounts, the accounts, the companies that are not removed, the changes in the logs, the open scans,
 * the overdue scans, and the findings awaiting assessment. An open scan is a scheduled scan of one company with one
 * provider; paused companies have none. Also returns the lowest and the highest position in the logs.
 */
export async function companyFigures({
  database,
  clock,
}: Pick<StoreParts, "database" | "clock">): Promise<Readonly<Record<string, number>>> {
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
  const scans = await companiesIn(database.db)
    .selectFrom("company_window")
    .select(({ fn }) => [
      fn.countAll<number | string>().as("open"),
      sql<number | string | null>`sum(case when due_at <= ${clock.now() - OVERDUE_MS} then 1 else 0 end)`.as("overdue"),
    ])
    .where("due_at", "is not", null)
    .executeTakeFirstOrThrow();
  const findings = await companiesIn(database.db)
    .selectFrom("company_finding")
    .select(({ fn }) => fn.countAll<number | string>().as("waiting"))
    .where("judged", "=", 0)
    .executeTakeFirstOrThrow();
  // On PostgreSQL, counts and sums are returned as text.
  return {
    accounts: Number(row.accounts),
    companies: Number(row.companies ?? 0),
    changesInLog: Number(row.changes ?? 0),
    oldestPosition: row.oldest ?? 0,
    newestPosition: row.newest ?? 0,
    scansOpen: Number(scans.open),
    scansOverdue: Number(scans.overdue ?? 0),
    findingsWaiting: Number(findings.waiting),
  };
}

import { sql } from "kysely";
import type { StoreParts } from "../../../../database/service-store.js";
import { MINUTE_MS } from "../../../../kit/clock.js";
import type { MonitoringProvider } from "../../records.js";
import { newObligation, outdated } from "../../scan/advanced.js";
import type { CompanyDatabase } from "../tables.js";
import { columnsOf, obligationOf, providerColumn } from "./window-row.js";

/**
 * Duration of a lease. A round leases the rows of `company_window` that it is about to scan, so that no other round
 * scans them. If the process of a round dies, its scans can be repeated once the leases have ended.
 */
export const LEASE_MS = 2 * MINUTE_MS;

export interface CompanyPlace {
  readonly accountId: string;
  readonly companyId: string;
}

/**
 * Makes the obligations (see `Obligation`) of each company match its required providers: adds missing obligations,
 * which are due now, and removes those of other providers.
 */
export async function keepObligations(
  db: CompanyDatabase,
  accountId: string,
  required: ReadonlyMap<string, readonly MonitoringProvider[]>,
  now: number,
): Promise<void> {
  const companyIds = [...required.keys()];
  if (companyIds.length === 0) return;
  const rows = await db
    .selectFrom("company_window")
    .select(["company_id", "provider"])
    .where("account_id", "=", accountId)
    .where("company_id", "in", companyIds)
    .execute();
  const present = new Set(rows.map(({ company_id, provider }) => `${company_id} ${provider}`));
  const requiredRows = new Map(
    [...required].flatMap(([company_id, providers]) =>
      providers.map((name) => {
        const provider = providerColumn(name);
        return [`${company_id} ${provider}`, { company_id, provider }] as const;
      }),
    ),
  );
  const added = [...requiredRows].flatMap(([key, columns]) => (present.has(key) ? [] : [columns]));
  const fresh = { ...columnsOf(newObligation(now)), content: null, lease: null, lease_until: null };
  for (const chunk of chunksOf(added, ROWS_MAX)) {
    await db
      .insertInto("company_window")
      .values(chunk.map((columns) => ({ account_id: accountId, ...columns, ...fresh })))
      .execute();
  }
  for (const { company_id, provider } of rows) {
    if (requiredRows.has(`${company_id} ${provider}`)) continue;
    await db
      .deleteFrom("company_window")
      .where("account_id", "=", accountId)
      .where("company_id", "=", company_id)
      .where("provider", "=", provider)
      .execute();
  }
}

/** Rows per statement, within PostgreSQL's limit on parameters. */
export const ROWS_MAX = 500;

export function chunksOf<T>(items: readonly T[], most: number): readonly (readonly T[])[] {
  return Array.from({ length: Math.ceil(items.length / most) }, (_, at) => items.slice(at * most, (at + 1) * most));
}

/** Makes the companies' scans due now, and revokes the lease of a round that may be scanning these companies. */
export async function makeDue(
  db: CompanyDatabase,
  accountId: string,
  companyIds: readonly string[],
  now: number,
): Promise<void> {
  await db
    .updateTable("company_window")
    .set({ due_at: now, failure_count: 0, lease: null, lease_until: null })
    .where("account_id", "=", accountId)
    .where("company_id", "in", companyIds)
    .execute();
}

/**
 * Stops the scans of a company until `makeDue` is called. From now on, the company's windows are treated as too old.
 */
export async function stopScans(db: CompanyDatabase, { accountId, companyId }: CompanyPlace, now: number) {
  await db
    .updateTable("company_window")
    .set({
      due_at: null,
      lease: null,
      lease_until: null,
      fresh_until: sql<number>`case when fresh_until < ${now} then fresh_until else ${now} end`,
    })
    .where("account_id", "=", accountId)
    .where("company_id", "=", companyId)
    .execute();
}

/**
 * Ends the company's runs of complete windows, and deletes the stored result of its identity lookup. Must be called
 * after a change of the terms by which providers search for the company, because the runs and the result describe the
 * company as it was before the change.
 */
export async function outdateWindows(db: CompanyDatabase, { accountId, companyId }: CompanyPlace, now: number) {
  const rows = await db
    .selectFrom("company_window")
    .selectAll()
    .where("account_id", "=", accountId)
    .where("company_id", "=", companyId)
    .execute();
  await db
    .deleteFrom("company_identity")
    .where("account_id", "=", accountId)
    .where("company_id", "=", companyId)
    .execute();
  for (const row of rows) {
    const { due_at: _, ...columns } = columnsOf(outdated(obligationOf(row), now));
    await db
      .updateTable("company_window")
      .set({ ...columns, content: null, lease: null, lease_until: null })
      .where("account_id", "=", accountId)
      .where("company_id", "=", companyId)
      .where("provider", "=", row.provider)
      .execute();
  }
}

/** Requests that the stored findings of a company are matched with the company again. */
export async function requestRematch(db: CompanyDatabase, { accountId, companyId }: CompanyPlace, now: number) {
  await db
    .insertInto("company_rematch")
    .values({ account_id: accountId, company_id: companyId, requested_at: now })
    .onConflict((conflict) => conflict.columns(["account_id", "company_id"]).doUpdateSet({ requested_at: now }))
    .execute();
}

/** Removes the obligations, findings and identity of a company. */
export async function purgeScans(db: CompanyDatabase, { accountId, companyId }: CompanyPlace): Promise<void> {
  for (const table of ["company_window", "company_finding", "company_identity", "company_rematch"] as const) {
    await db.deleteFrom(table).where("account_id", "=", accountId).where("company_id", "=", companyId).execute();
  }
}

const LEASE_BYTES = 16;

/** Returns a new lease id. */
export function newLease({ randomBytes }: Pick<StoreParts, "randomBytes">): string {
  return randomBytes(LEASE_BYTES).toString("hex");
}

export interface DueBounds {
  /** The stored names of the providers whose obligations are selected. */
  readonly providers: readonly string[];
  readonly now: number;
  readonly lease: string;
  readonly companiesMax: number;
}

/**
 * Finds the accounts that have due obligations, in the order of the account ids, starting after the id `after`.
 * Obligations that a round has leased do not count.
 */
export async function dueAccounts(
  db: CompanyDatabase,
  {
    after,
    providers,
    now,
    accountsMax,
  }: Pick<DueBounds, "providers" | "now"> & {
    readonly after: string;
    readonly accountsMax: number;
  },
): Promise<readonly string[]> {
  if (providers.length === 0) return [];
  const rows = await db
    .selectFrom("company_window")
    .select("account_id")
    .distinct()
    .where("account_id", ">", after)
    .where("provider", "in", providers)
    .where("due_at", "<=", now)
    .where((is) => is.or([is("lease_until", "is", null), is("lease_until", "<=", now)]))
    .orderBy("account_id")
    .limit(accountsMax)
    .execute();
  return rows.map(({ account_id }) => account_id);
}

/** Leases all due obligations of an account's longest-waiting companies in one statement. */
export async function leaseDue(
  db: CompanyDatabase,
  accountId: string,
  { providers, now, lease, companiesMax }: DueBounds,
) {
  return db
    .updateTable("company_window")
    .set({ lease, lease_until: now + LEASE_MS })
    .where("account_id", "=", accountId)
    .where("provider", "in", providers)
    .where("due_at", "<=", now)
    .where((is) => is.or([is("lease_until", "is", null), is("lease_until", "<=", now)]))
    .where("company_id", "in", (companies) =>
      companies
        .selectFrom("company_window")
        .select("company_id")
        .where("account_id", "=", accountId)
        .where("provider", "in", providers)
        .where("due_at", "<=", now)
        .where((is) => is.or([is("lease_until", "is", null), is("lease_until", "<=", now)]))
        .groupBy("company_id")
        .orderBy((row) => row.fn.min("due_at"))
        .orderBy("company_id")
        .limit(companiesMax),
    )
    .returning(["company_id", "provider", "content", "complete_until", "due_at"])
    .execute();
}

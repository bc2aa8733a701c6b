import type { CompanyChangeRow, CompanyDatabase } from "./tables.js";

/** A change with its position in the log. `impactId` is absent if the change is about the company itself. */
export interface LoggedChange {
  readonly accountId: string;
  readonly position: number;
  readonly kind: CompanyChangeRow["kind"];
  readonly companyId: string;
  readonly impactId?: string;
  /** Epoch ms. */
  readonly changedAt: number;
}

/** Adds a change to the log. Call it in the transaction that has assigned the position. */
export async function logChange(db: CompanyDatabase, change: LoggedChange): Promise<void> {
  await logChanges(db, [change]);
}

/** Adds one or more changes to the log. Call it in the transaction that has assigned their positions. */
export async function logChanges(db: CompanyDatabase, changes: readonly LoggedChange[]): Promise<void> {
  const rows = changes.map(({ accountId, position, kind, companyId, impactId = null, changedAt }) => ({
    account_id: accountId,
    position,
    kind,
    company_id: companyId,
    impact_id: impactId,
    changed_at: changedAt,
  }));
  await db.insertInto("company_change").values(rows).execute();
}

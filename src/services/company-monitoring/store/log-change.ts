import type { CompanyChangeRow, CompanyDatabase } from "./tables.js";

/** A change at its position. `impactId` is left out for changes of a company. */
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
  const { accountId, position, kind, companyId, impactId = null, changedAt } = change;
  await db
    .insertInto("company_change")
    .values({
      account_id: accountId,
      position,
      kind,
      company_id: companyId,
      impact_id: impactId,
      changed_at: changedAt,
    })
    .execute();
}

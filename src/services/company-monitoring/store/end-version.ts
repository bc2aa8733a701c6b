import type { CompanyDatabase } from "./tables.js";

/** Ends the current version of a company at a position. From that position on, lists no longer show the version. */
export async function endVersion(
  db: CompanyDatabase,
  { accountId, companyId }: { readonly accountId: string; readonly companyId: string },
  position: number,
  now: number,
): Promise<void> {
  await db
    .updateTable("company_version")
    .set({ visible_to: position, superseded_at: now })
    .where("account_id", "=", accountId)
    .where("company_id", "=", companyId)
    .where("visible_to", "is", null)
    .execute();
}

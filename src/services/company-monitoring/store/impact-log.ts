import { facetsOf } from "../changes/impact-facets.js";
import type { CompanyMaterialImpact } from "../event-records.js";
import { nextPosition } from "./account-turn.js";
import { logChange } from "./log-change.js";
import type { CompanyDatabase } from "./tables.js";

/**
 * Appends a revision of an impact to the log of an account and returns its position. The new revision replaces the
 * impact's current one. Must be called in a transaction that has locked the account.
 */
export async function appendImpact(
  db: CompanyDatabase,
  accountId: string,
  impact: CompanyMaterialImpact,
  now: number,
): Promise<number> {
  const { impactId, companyId, eventId } = impact;
  const position = await nextPosition(db, accountId, { generation: 0, companies: 0 }, now);
  await db
    .updateTable("company_impact")
    .set({ visible_to: position, superseded_at: now })
    .where("account_id", "=", accountId)
    .where("impact_id", "=", impactId)
    .where("visible_to", "is", null)
    .execute();
  await db
    .insertInto("company_impact")
    .values({
      account_id: accountId,
      impact_id: impactId,
      visible_from: position,
      visible_to: null,
      company_id: companyId,
      event_id: eventId,
      ...facetsOf(impact),
      body: JSON.stringify(impact),
      superseded_at: null,
    })
    .execute();
  await logChange(db, { accountId, position, kind: "impact", companyId, impactId, changedAt: now });
  return position;
}

import { inTransaction } from "../../../../database/transaction.js";
import { advanced } from "../../scan/advanced.js";
import { takeTurn } from "../account-turn.js";
import { refreshCoverage } from "../scan/refresh-coverage.js";
import { columnsOf, obligationOf } from "../scan/window-row.js";
import type { CompanyDatabase } from "../tables.js";
import { GAP_MS } from "./demo-script.js";

const PROVIDER = "search";

/**
 * Records a failed web search for a company, so that a demo shows a failure. The next search is due after `GAP_MS` and
 * succeeds. Does nothing until the company's first search has ended.
 */
export async function openGap(db: CompanyDatabase, accountId: string, companyId: string, now: number): Promise<void> {
  await inTransaction(db, async (on) => {
    await takeTurn(on, accountId);
    const row = await on
      .selectFrom("company_window")
      .selectAll()
      .where("account_id", "=", accountId)
      .where("company_id", "=", companyId)
      .where("provider", "=", PROVIDER)
      .where("window_end", "is not", null)
      .where("due_at", "is not", null)
      .executeTakeFirst();
    if (!row) return;
    const failed = { state: "PROVIDER_COVERAGE_STATE_FAILED", reasonCode: "provider_unavailable" } as const;
    const failure = advanced(obligationOf(row), failed, { everyMs: GAP_MS, freshMs: 0 }, now);
    await on
      .updateTable("company_window")
      .set({ ...columnsOf({ ...failure, dueAt: now + GAP_MS }), lease: null, lease_until: null })
      .where("account_id", "=", accountId)
      .where("company_id", "=", companyId)
      .where("provider", "=", PROVIDER)
      .execute();
    await refreshCoverage(on, accountId, [companyId], now);
  });
}

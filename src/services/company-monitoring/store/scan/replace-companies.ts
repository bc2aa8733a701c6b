import type { Company } from "../../portfolio/company.js";
import { nextPositions } from "../account-turn.js";
import { versionOf } from "../company-row.js";
import { endVersion } from "../end-version.js";
import { logChanges } from "../log-change.js";
import type { CompanyDatabase } from "../tables.js";
import { chunksOf, ROWS_MAX } from "./obligations.js";

/**
 * Replaces the current versions of companies and logs a change of kind `coverage` for each. Must be called in a
 * transaction that has locked the account.
 */
export async function replaceCompanies(
  db: CompanyDatabase,
  accountId: string,
  changed: readonly Company[],
  now: number,
): Promise<void> {
  const positions = await nextPositions(db, accountId, { count: changed.length, generation: 0, companies: 0 }, now);
  const placed = changed.flatMap((company, at) => {
    const position = positions[at];
    return position === undefined ? [] : [{ company, position }];
  });
  for (const { company, position } of placed) {
    await endVersion(db, { accountId, companyId: company.companyId }, position, now);
  }
  for (const chunk of chunksOf(placed, ROWS_MAX)) {
    const versions = chunk.map(({ company, position }) => versionOf(company, accountId, position));
    await db.insertInto("company_version").values(versions).execute();
    const changes = chunk.map(({ company: { companyId }, position }) => ({
      accountId,
      position,
      kind: "coverage",
      companyId,
      changedAt: now,
    }));
    await logChanges(db, changes);
  }
}

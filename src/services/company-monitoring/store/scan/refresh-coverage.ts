import { identityOf } from "../../identity/identity-of.js";
import type { Company } from "../../portfolio/company.js";
import { type Coverage, coverageOf } from "../../scan/coverage.js";
import { nextPositions } from "../account-turn.js";
import { companyOf, versionOf } from "../company-row.js";
import { endVersion } from "../end-version.js";
import { logChanges } from "../log-change.js";
import type { CompanyDatabase } from "../tables.js";
import { coverageFacts } from "./coverage-facts.js";
import { chunksOf, ROWS_MAX } from "./obligations.js";

/**
 * Computes the coverage of active companies, and logs a change for each whose state or observation differs. Call it in a
 * transaction that has taken the account's turn, after a change of windows, findings, impacts or claims. Returns the
 * number of changes.
 */
export async function refreshCoverage(
  db: CompanyDatabase,
  accountId: string,
  companyIds: readonly string[],
  now: number,
): Promise<number> {
  if (companyIds.length === 0) return 0;
  const rows = await db
    .selectFrom("company_version")
    .selectAll()
    .where("account_id", "=", accountId)
    .where("company_id", "in", companyIds)
    .where("visible_to", "is", null)
    .where("lifecycle", "=", "active")
    .orderBy("company_id")
    .execute();
  const factsOf = await coverageFacts(db, accountId, companyIds);
  const requested = await requestedAmong(db, accountId, companyIds);
  const changed = rows.flatMap((row) => {
    const company = companyOf(row);
    const facts = factsOf(company.companyId);
    // Its obligations are not known yet.
    if (facts.required.length === 0 && requested.has(company.companyId)) return [];
    const coverage = coverageOf({ ...facts, identity: identityOf(company.claims, now), now });
    return isServed(company, coverage) ? [] : [{ ...company, ...servedPart(coverage), coverageChangedAt: now }];
  });
  if (changed.length === 0) return 0;
  await replaceAll(db, accountId, changed, now);
  return changed.length;
}

async function requestedAmong(
  db: CompanyDatabase,
  accountId: string,
  companyIds: readonly string[],
): Promise<ReadonlySet<string>> {
  const rows = await db
    .selectFrom("company_scan")
    .select("company_id")
    .where("account_id", "=", accountId)
    .where("company_id", "in", companyIds)
    .execute();
  return new Set(rows.map(({ company_id }) => company_id));
}

function isServed(company: Company, { state, observation }: Coverage): boolean {
  return company.coverage === state && company.observation === observation;
}

function servedPart({ state, observation }: Coverage): Pick<Company, "coverage" | "observation"> {
  return { coverage: state, observation };
}

/** Ends the current versions of the companies, and adds the changed ones in the same order. */
async function replaceAll(db: CompanyDatabase, accountId: string, changed: readonly Company[], now: number) {
  const positions = await nextPositions(db, accountId, { count: changed.length, generation: 0, companies: 0 }, now);
  const placed = changed.flatMap((company, at) => {
    const position = positions[at];
    return position === undefined ? [] : [{ company, position }];
  });
  for (const { company, position } of placed) {
    await endVersion(db, { accountId, companyId: company.companyId }, position, now);
  }
  for (const chunk of chunksOf(placed, ROWS_MAX)) {
    await db
      .insertInto("company_version")
      .values(chunk.map(({ company, position }) => versionOf(company, accountId, position)))
      .execute();
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

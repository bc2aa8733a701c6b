import type { StoreParts } from "../../../../database/service-store.js";
import { inTransaction } from "../../../../database/transaction.js";
import { ClockPace, type LoopTurns, type Steps } from "../../../../kit/loop-turns.js";
import { type CompanyMatcher, matcherOf } from "../../matching/company-matcher.js";
import type { Finding } from "../../scan/finding.js";
import type { ScannedCompany } from "../../scan/provider.js";
import { rematched } from "../../scan/rematched.js";
import { accountRow, takeTurn } from "../account-turn.js";
import { portfolioIndexes } from "../scan/portfolio-indexes.js";
import { scannedCompanies } from "../scan/scanned-companies.js";
import { type CompanyDatabase, companiesIn } from "../tables.js";
import { type FindingKey, replaceFinding, withdrawFindings } from "./withdraw-findings.js";

/** Maximum number of companies in a round, over all accounts. The others wait for the next round. */
const COMPANIES_MAX = 500;
/**
 * Maximum number of a company's findings that are matched again, the newest first, so that a transaction does not run
 * for long. Sanctions come before all others, because they are in force whatever their age.
 */
const FINDINGS_MAX = 1_000;

/**
 * Matches the stored findings of changed companies again. The texts are matched before the transaction that stores the
 * result. If the account's companies change in between, the result is dropped, and the next round repeats the work. A
 * paused company waits until it is active. Returns one fault for each account that failed; the other accounts are not
 * delayed.
 */
export async function rematchRound(
  parts: StoreParts,
  turns: LoopTurns,
  signal: AbortSignal,
): Promise<readonly unknown[]> {
  const requests = await companiesIn(parts.database.db)
    .selectFrom("company_rematch as r")
    .innerJoin("company_version as v", (join) =>
      join.onRef("v.account_id", "=", "r.account_id").onRef("v.company_id", "=", "r.company_id"),
    )
    .select(["r.account_id", "r.company_id"])
    .where("v.visible_to", "is", null)
    .where("v.lifecycle", "=", "active")
    .orderBy("r.requested_at")
    .limit(COMPANIES_MAX)
    .execute();
  const failed = new Map<string, unknown>();
  for (const { account_id, company_id } of requests) {
    signal.throwIfAborted();
    if (failed.has(account_id)) continue;
    await rematchCompany(parts, account_id, company_id, turns, signal).catch((fault: unknown) =>
      failed.set(account_id, fault),
    );
  }
  return [...failed.values()];
}

async function rematchCompany(
  parts: StoreParts,
  accountId: string,
  companyId: string,
  turns: LoopTurns,
  signal: AbortSignal,
): Promise<void> {
  const db = companiesIn(parts.database.db);
  const { generation } = await accountRow(db, accountId);
  const company = (await scannedCompanies(db, accountId, [companyId])).get(companyId);
  if (company === undefined) return;
  const findings = await findingsOf(db, accountId, companyId);
  const matcher = matcherOf(findings.length === 0 ? [] : await portfolioIndexes(parts, [accountId], turns, signal));
  const pace = new ClockPace();
  const results = await turns.run(rematchSteps(findings, company, matcher, pace), pace, signal);
  await inTransaction(parts.database.db, async (on) => {
    const locked = companiesIn(on);
    if ((await takeTurn(locked, accountId)).generation !== generation) return;
    await locked
      .deleteFrom("company_rematch")
      .where("account_id", "=", accountId)
      .where("company_id", "=", companyId)
      .execute();
    const place = { accountId, companyId };
    await withdrawFindings(
      locked,
      place,
      results.filter(({ after }) => after === undefined).map(({ key }) => key),
    );
    for (const { key, after } of results) if (after !== undefined) await replaceFinding(locked, place, key, after);
  });
}

interface KeyedFinding {
  readonly key: FindingKey;
  readonly finding: Finding;
}

/** Reads the company's findings, withdrawn ones included: they may match again. */
async function findingsOf(db: CompanyDatabase, accountId: string, companyId: string): Promise<readonly KeyedFinding[]> {
  const rows = await db
    .selectFrom("company_finding")
    .select(["provider", "source_id", "withdrawn", "body"])
    .where("account_id", "=", accountId)
    .where("company_id", "=", companyId)
    .where("provider", "in", ["news", "search", "social", "sanctions"])
    .orderBy(({ eb }) => eb.case().when("provider", "=", "sanctions").then(0).else(1).end())
    .orderBy("published_at", "desc")
    .limit(FINDINGS_MAX)
    .execute();
  return rows.map(({ provider, source_id, withdrawn, body }) => ({
    key: { provider, sourceId: source_id, isWithdrawn: withdrawn === 1 },
    // The cast is safe, because `storeFindings` writes the column from a value of this type.
    finding: JSON.parse(body) as Finding,
  }));
}

/** A finding that has to be written; `after` is undefined if it does not match any more. */
interface Rematch {
  readonly key: FindingKey;
  readonly after: Finding | undefined;
}

/** Matches findings in slices, and returns those whose match has changed. */
function* rematchSteps(
  findings: readonly KeyedFinding[],
  company: ScannedCompany,
  matcher: CompanyMatcher,
  pace: ClockPace,
): Steps<readonly Rematch[]> {
  const changed: Rematch[] = [];
  for (const { key, finding } of findings) {
    const after = rematched(finding, company, matcher);
    const isSame = after?.attribution === finding.attribution && after.matchedBy === finding.matchedBy;
    if (after === undefined ? !key.isWithdrawn : key.isWithdrawn || !isSame) changed.push({ key, after });
    if (pace.isOver) yield;
  }
  return changed;
}

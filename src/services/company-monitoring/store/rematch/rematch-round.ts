import { type SqlBool, sql } from "kysely";
import type { StoreParts } from "../../../../database/service-store.js";
import { inTransaction } from "../../../../database/transaction.js";
import { ClockPace, type LoopTurns, type Steps } from "../../../../kit/loop-turns.js";
import { type CompanyMatcher, matcherOf } from "../../matching/company-matcher.js";
import type { Finding } from "../../scan/finding.js";
import type { ScannedCompany } from "../../scan/provider.js";
import { rematched } from "../../scan/rematched.js";
import { accountRow, takeTurn } from "../account-turn.js";
import type { CompanyPlace } from "../scan/obligations.js";
import { portfolioIndexes } from "../scan/portfolio-indexes.js";
import { scannedCompanies } from "../scan/scanned-companies.js";
import { type CompanyDatabase, companiesIn } from "../tables.js";
import { type FindingKey, replaceFinding, withdrawFindings } from "./withdraw-findings.js";

/** Maximum number of companies in a round, over all accounts. The others wait for the next round. */
const COMPANIES_MAX = 500;
/** Maximum number of findings that are matched and stored in one transaction, so that it does not run for long. */
const FINDINGS_MAX = 1_000;
/** The providers whose findings are matched. The others depend on register records, whose lookup withdraws findings. */
const MATCHED_PROVIDERS = ["news", "sanctions", "search", "social"];

/**
 * Matches the stored findings of changed companies again. The texts are matched before the transaction that stores the
 * result. If the account's companies change in between, the result is dropped, and the next round repeats the work. A
 * paused company waits until it is active. After a failure, the account's other companies wait for the next round, and
 * the failed one moves to the end of the queue, so that it delays no others. Returns one fault for each failure.
 */
export async function rematchRound(
  parts: StoreParts,
  turns: LoopTurns,
  signal: AbortSignal,
): Promise<readonly unknown[]> {
  const db = companiesIn(parts.database.db);
  const requests = await db
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
  const failed = new Map<string, CompanyPlace>();
  const faults: unknown[] = [];
  for (const { account_id: accountId, company_id: companyId } of requests) {
    signal.throwIfAborted();
    if (failed.has(accountId)) continue;
    await rematchCompany(parts, accountId, companyId, turns, signal).catch((fault: unknown) => {
      failed.set(accountId, { accountId, companyId });
      faults.push(fault);
    });
  }
  for (const place of failed.values())
    await postpone(db, place, parts.clock.now()).catch((fault: unknown) => faults.push(fault));
  return faults;
}

/** Moves a request to the end of the queue. Does nothing if the request has ended. */
async function postpone(db: CompanyDatabase, { accountId, companyId }: CompanyPlace, now: number): Promise<void> {
  await db
    .updateTable("company_rematch")
    .set({ requested_at: now })
    .where("account_id", "=", accountId)
    .where("company_id", "=", companyId)
    .execute();
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
  const place = { accountId, companyId };
  let page = await findingsAfter(db, place, undefined);
  const matcher = matcherOf(page.length === 0 ? [] : await portfolioIndexes(parts, [accountId], turns, signal));
  for (;;) {
    const pace = new ClockPace();
    const results = await turns.run(rematchSteps(page, company, matcher, pace), pace, signal);
    const last = page.length === FINDINGS_MAX ? page.at(-1) : undefined;
    const isStored = await inTransaction(parts.database.db, async (on) => {
      const locked = companiesIn(on);
      if ((await takeTurn(locked, accountId)).generation !== generation) return false;
      await storeResults(locked, place, results);
      if (last === undefined) await endRequest(locked, place);
      return true;
    });
    if (!isStored || last === undefined) return;
    page = await findingsAfter(db, place, last.key);
  }
}

async function storeResults(db: CompanyDatabase, place: CompanyPlace, results: readonly Rematch[]): Promise<void> {
  const withdrawn = results.filter(({ after }) => after === undefined).map(({ key }) => key);
  await withdrawFindings(db, place, withdrawn);
  for (const { key, after } of results) if (after !== undefined) await replaceFinding(db, place, key, after);
}

async function endRequest(db: CompanyDatabase, { accountId, companyId }: CompanyPlace): Promise<void> {
  await db
    .deleteFrom("company_rematch")
    .where("account_id", "=", accountId)
    .where("company_id", "=", companyId)
    .execute();
}

interface KeyedFinding {
  readonly key: FindingKey;
  readonly finding: Finding;
}

/**
 * Reads the company's findings after a key, in the order of the keys. Withdrawn findings are included, because they may
 * match again.
 */
async function findingsAfter(
  db: CompanyDatabase,
  { accountId, companyId }: CompanyPlace,
  after: FindingKey | undefined,
): Promise<readonly KeyedFinding[]> {
  const { provider: lastProvider = "", sourceId = "" } = after ?? {};
  const rows = await db
    .selectFrom("company_finding")
    .select(["provider", "source_id", "withdrawn", "body"])
    .where("account_id", "=", accountId)
    .where("company_id", "=", companyId)
    .where("provider", "in", MATCHED_PROVIDERS)
    .where(sql<SqlBool>`(provider, source_id) > (${lastProvider}, ${sourceId})`)
    .orderBy("provider")
    .orderBy("source_id")
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

import type { OpenDatabase } from "../../../../database/open-database.js";
import type { StoreParts } from "../../../../database/service-store.js";
import { ClockPace, type LoopTurns } from "../../../../kit/loop-turns.js";
import { type CompanyIndex, companyIndexSteps } from "../../matching/company-index.js";
import { searchedCompany } from "../../scan/providers/searched-company.js";
import { type CompanyDatabase, companiesIn } from "../tables.js";
import { scannedCompanies } from "./scanned-companies.js";

/** Maximum number of companies in the kept indexes; each company takes about 5 KB. */
const COMPANIES_MAX = 20_000;

interface KeptIndex {
  readonly generation: number;
  readonly index: CompanyIndex;
}

/** Indexes by account, the most recently used last. */
const keptIn = new WeakMap<OpenDatabase, Map<string, KeptIndex>>();

/**
 * Returns an index of the active companies for each account. An index is kept until the account's companies change, or
 * until all kept indexes together become too large.
 */
export async function portfolioIndexes(
  { database }: Pick<StoreParts, "database">,
  accountIds: readonly string[],
  turns: LoopTurns,
  signal: AbortSignal,
): Promise<readonly CompanyIndex[]> {
  const db = companiesIn(database.db);
  const kept = keptIn.get(database) ?? new Map<string, KeptIndex>();
  keptIn.set(database, kept);
  const generations = await generationsOf(db, accountIds);
  const indexes: CompanyIndex[] = [];
  for (const accountId of accountIds) {
    const generation = generations.get(accountId) ?? 0;
    const earlier = kept.get(accountId);
    const index = earlier?.generation === generation ? earlier.index : await build(db, accountId, turns, signal);
    kept.delete(accountId);
    kept.set(accountId, { generation, index });
    indexes.push(index);
  }
  evict(kept);
  return indexes;
}

async function generationsOf(db: CompanyDatabase, accountIds: readonly string[]): Promise<ReadonlyMap<string, number>> {
  if (accountIds.length === 0) return new Map();
  const rows = await db
    .selectFrom("company_account")
    .select(["account_id", "generation"])
    .where("account_id", "in", accountIds)
    .execute();
  return new Map(rows.map(({ account_id, generation }) => [account_id, generation]));
}

async function build(
  db: CompanyDatabase,
  accountId: string,
  turns: LoopTurns,
  signal: AbortSignal,
): Promise<CompanyIndex> {
  const companies = await scannedCompanies(db, accountId);
  const pace = new ClockPace();
  return turns.run(companyIndexSteps([...companies.values()].map(searchedCompany), pace), pace, signal);
}

/** Drops the least recently used indexes until at most `COMPANIES_MAX` companies are left. */
function evict(kept: Map<string, KeptIndex>): void {
  let count = [...kept.values()].reduce((sum, { index }) => sum + index.companyCount, 0);
  for (const [accountId, { index }] of kept) {
    if (count <= COMPANIES_MAX) return;
    kept.delete(accountId);
    count -= index.companyCount;
  }
}

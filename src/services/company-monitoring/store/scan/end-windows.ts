import { inTransaction } from "../../../../database/transaction.js";
import { SECOND_MS } from "../../../../kit/clock.js";
import { advanced, type Obligation, type ObservedWindow, type ScanTiming } from "../../scan/advanced.js";
import type { Finding } from "../../scan/finding.js";
import type { StoredFinding } from "../../scan/provider.js";
import { takeTurn } from "../account-turn.js";
import type { CompanyDatabase } from "../tables.js";
import { keepObligations } from "./obligations.js";
import { refreshCoverage } from "./refresh-coverage.js";
import type { RequiredProviders } from "./requested-scans.js";
import type { CompanyWindowRow } from "./scan-tables.js";
import { scannedCompanies } from "./scanned-companies.js";
import { storedFindings, storeFindings } from "./store-findings.js";
import { columnsOf, obligationOf } from "./window-row.js";

/** Delay after a scan without an outcome, for example because the provider's dataset has never been built. */
const UNBUILT_MS = 10 * SECOND_MS;

/** The outcome of a scan of one company with one provider. */
export interface ScanOutcome {
  readonly window: ObservedWindow;
  readonly timing: ScanTiming;
  /** Identifies the searched content; null makes the next round search again. */
  readonly content: string | null;
  readonly findings: readonly Finding[];
  /**
   * Returns further findings that result from the stored ones. `stored` has the company's findings by this provider,
   * oldest first.
   */
  followUps?(stored: readonly StoredFinding[]): readonly Finding[];
}

export interface EndedScan {
  readonly accountId: string;
  /** Identifies the scans to end. A row of `company_window` has this lease while its company is being scanned. */
  readonly lease: string;
  /**
   * Determines the required providers of a company, and thus its obligations. If absent, the obligations stay as they
   * are.
   */
  readonly required?: RequiredProviders;
  readonly now: number;
  /**
   * Returns undefined if the scan has no outcome: no build of the provider's dataset has been attempted, no register
   * applies to the company, or a round of searches did not reach the company in the account's turn. The scan is then
   * due again ten seconds later.
   */
  outcomeOf(row: Pick<CompanyWindowRow, "company_id" | "provider">): ScanOutcome | undefined;
  /**
   * Stores further results before coverage is computed. `companyIds` has only companies that the round still leases.
   */
  alsoStore?(on: CompanyDatabase, companyIds: readonly string[]): Promise<void>;
}

/**
 * Ends those windows of an account that still have the lease, and stores their findings and the resulting coverage in
 * the same transaction. A company that was changed, paused or removed after it was leased has lost its lease, and
 * nothing of its scan is stored.
 */
export async function endWindows(db: CompanyDatabase, ended: EndedScan): Promise<void> {
  const { accountId, lease, required, now } = ended;
  await inTransaction(db, async (on) => {
    await takeTurn(on, accountId);
    const rows = await on
      .selectFrom("company_window")
      .selectAll()
      .where("account_id", "=", accountId)
      .where("lease", "=", lease)
      .execute();
    if (rows.length === 0) return;
    const held = rows.map((row) => ({ row, outcome: ended.outcomeOf(row) }));
    for (const group of groupsOf(held, now)) await update(on, ended, group);
    const findings = held.flatMap(({ row, outcome }) =>
      (outcome?.findings ?? []).map((finding) => ({ companyId: row.company_id, finding })),
    );
    await storeFindings(on, accountId, [...findings, ...(await followUpsOf(on, accountId, held))], now);
    const companyIds = [...new Set(rows.map(({ company_id }) => company_id))];
    await ended.alsoStore?.(on, companyIds);
    if (required) {
      const companies = await scannedCompanies(on, accountId, companyIds);
      const providersOf = new Map([...companies].map(([id, company]) => [id, required(company)]));
      await keepObligations(on, accountId, providersOf, now);
    }
    await refreshCoverage(on, accountId, companyIds, now);
  });
}

interface RowGroup {
  readonly provider: string;
  readonly companyIds: string[];
  readonly columns: ReturnType<typeof columnsOf> & Pick<CompanyWindowRow, "content">;
}

async function update(
  on: CompanyDatabase,
  { accountId, lease }: EndedScan,
  { provider, companyIds, columns }: RowGroup,
) {
  await on
    .updateTable("company_window")
    .set({ ...columns, lease: null, lease_until: null })
    .where("account_id", "=", accountId)
    .where("provider", "=", provider)
    .where("lease", "=", lease)
    .where("company_id", "in", companyIds)
    .execute();
}

/** Returns the further findings that result from stored ones. */
async function followUpsOf(on: CompanyDatabase, accountId: string, held: readonly HeldRow[]) {
  const followed = held.filter(({ outcome }) => outcome?.followUps);
  const providers = new Set(followed.map(({ row }) => row.provider));
  const followUpFindings: { readonly companyId: string; readonly finding: Finding }[] = [];
  for (const provider of providers) {
    const own = followed.filter(({ row }) => row.provider === provider);
    const companyIds = own.map(({ row }) => row.company_id);
    const stored = await storedFindings(on, accountId, provider, companyIds);
    for (const { row, outcome } of own) {
      const companyId = row.company_id;
      const earlier = stored.get(companyId) ?? [];
      for (const finding of outcome?.followUps?.(earlier) ?? []) followUpFindings.push({ companyId, finding });
    }
  }
  return followUpFindings;
}

interface HeldRow {
  readonly row: CompanyWindowRow;
  readonly outcome: ScanOutcome | undefined;
}

/** Groups the rows by their new columns, so that companies with the same outcome are updated in one statement. */
function groupsOf(held: readonly HeldRow[], now: number): Iterable<RowGroup> {
  const groups = new Map<string, RowGroup>();
  for (const { row, outcome } of held) {
    const { provider, company_id } = row;
    const content = outcome ? outcome.content : row.content;
    const columns = { ...columnsOf(obligationAfter(obligationOf(row), outcome, now)), content };
    const key = JSON.stringify([provider, columns]);
    const group = groups.get(key);
    if (group) group.companyIds.push(company_id);
    else groups.set(key, { provider, companyIds: [company_id], columns });
  }
  return groups.values();
}

function obligationAfter(obligation: Obligation, outcome: ScanOutcome | undefined, now: number): Obligation {
  if (!outcome) return { ...obligation, dueAt: now + UNBUILT_MS };
  return advanced(obligation, outcome.window, outcome.timing, now);
}

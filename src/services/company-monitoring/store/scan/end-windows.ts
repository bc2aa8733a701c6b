import { SECOND_MS } from "../../../../kit/clock.js";
import { advanced, type Obligation, type ObservedWindow } from "../../scan/advanced.js";
import type { ProviderScan } from "../../scan/scan-companies.js";
import { takeTurn } from "../account-turn.js";
import type { CompanyDatabase } from "../tables.js";
import { keepObligations } from "./obligations.js";
import { refreshCoverage } from "./refresh-coverage.js";
import type { RequiredProviders } from "./requested-scans.js";
import type { CompanyWindowRow } from "./scan-tables.js";
import { scannedCompanies } from "./scanned-companies.js";
import { storeFindings } from "./store-findings.js";
import { columnsOf, obligationOf, providerColumn } from "./window-row.js";

/** Wait for a dataset that was never built. */
const UNBUILT_MS = 10 * SECOND_MS;

export interface EndedScan {
  readonly accountId: string;
  readonly lease: string;
  /** By the stored name of the provider. */
  readonly scans: ReadonlyMap<string, ProviderScan>;
  readonly required: RequiredProviders;
  readonly now: number;
}

/**
 * Ends the windows of an account that a round still holds, with their findings and the coverage that follows, in one
 * transaction. A company that was changed, paused or removed since it was leased has lost its lease, and nothing of its
 * scan is stored.
 */
export async function endWindows(db: CompanyDatabase, ended: EndedScan): Promise<void> {
  const { accountId, lease, scans, required, now } = ended;
  await db.transaction().execute(async (on) => {
    await takeTurn(on, accountId);
    const held = await on
      .selectFrom("company_window")
      .selectAll()
      .where("account_id", "=", accountId)
      .where("lease", "=", lease)
      .execute();
    if (held.length === 0) return;
    for (const { rows, columns } of groupsOf(held, accountId, scans, now)) {
      const [first] = rows;
      if (!first) continue;
      await on
        .updateTable("company_window")
        .set({ ...columns, lease: null, lease_until: null })
        .where("account_id", "=", accountId)
        .where("provider", "=", first.provider)
        .where("lease", "=", lease)
        .where(
          "company_id",
          "in",
          rows.map(({ company_id }) => company_id),
        )
        .execute();
    }
    const findings = held.flatMap(({ company_id: companyId, provider }) =>
      (scans.get(provider)?.findings.get(keyOf(accountId, companyId)) ?? []).map((finding) => ({ companyId, finding })),
    );
    await storeFindings(on, accountId, findings, now);
    const companyIds = [...new Set(held.map(({ company_id }) => company_id))];
    const companies = await scannedCompanies(on, accountId, companyIds);
    await keepObligations(on, accountId, new Map([...companies].map(([id, company]) => [id, required(company)])), now);
    await refreshCoverage(on, accountId, companyIds, now);
  });
}

/** Names a company among those of all accounts. */
export function keyOf(accountId: string, companyId: string): string {
  return `${accountId} ${companyId}`;
}

interface RowGroup {
  readonly rows: CompanyWindowRow[];
  readonly columns: ReturnType<typeof columnsOf> & Pick<CompanyWindowRow, "content">;
}

/** The rows by their new columns: companies that were scanned alike are updated in one statement. */
function groupsOf(
  held: readonly CompanyWindowRow[],
  accountId: string,
  scans: EndedScan["scans"],
  now: number,
): Iterable<RowGroup> {
  const groups = new Map<string, RowGroup>();
  for (const row of held) {
    const scan = scans.get(row.provider);
    const isCapped = scan?.capped.has(keyOf(accountId, row.company_id)) === true;
    const columns = {
      ...columnsOf(obligationAfter(obligationOf(row), scan, isCapped, now)),
      // A capped company is searched for again in the same content.
      content: isCapped ? null : (scan?.provider.content ?? row.content),
    };
    const key = JSON.stringify([row.provider, columns]);
    const group = groups.get(key);
    if (group) group.rows.push(row);
    else groups.set(key, { rows: [row], columns });
  }
  return groups.values();
}

function obligationAfter(
  obligation: Obligation,
  scan: ProviderScan | undefined,
  isCapped: boolean,
  now: number,
): Obligation {
  const window = scan?.provider.window;
  if (!scan || !window) return { ...obligation, dueAt: now + UNBUILT_MS };
  return advanced(obligation, isCapped ? cappedWindow(window) : window, scan.provider, now);
}

function cappedWindow(window: ObservedWindow): ObservedWindow {
  return window.state === "PROVIDER_COVERAGE_STATE_FAILED" ? window : { ...window, capped: true };
}

/** The scans by the stored names of their providers. */
export function byProvider(scans: readonly ProviderScan[]): ReadonlyMap<string, ProviderScan> {
  return new Map(scans.map((scan) => [providerColumn(scan.provider.provider), scan]));
}

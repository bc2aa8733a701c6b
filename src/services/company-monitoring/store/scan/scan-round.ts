import type { StoreParts } from "../../../../database/service-store.js";
import type { LoopTurns } from "../../../../kit/loop-turns.js";
import type { CompanyIndex } from "../../matching/company-index.js";
import type { ScannedCompany, StoredFinding } from "../../scan/provider.js";
import type { ReadyProvider } from "../../scan/ready-provider.js";
import { type ProviderScan, scanCompanies } from "../../scan/scan-companies.js";
import { rematchRound } from "../rematch/rematch-round.js";
import { type CompanyDatabase, companiesIn } from "../tables.js";
import { endWindows, type ScanOutcome } from "./end-windows.js";
import { type DueBounds, dueAccounts, leaseDue, newLease } from "./obligations.js";
import { portfolioIndexes } from "./portfolio-indexes.js";
import { type RequiredProviders, takeRequests } from "./requested-scans.js";
import type { CompanyWindowRow } from "./scan-tables.js";
import { companyKeyOf, scannedCompanies } from "./scanned-companies.js";
import { providerColumn } from "./window-row.js";

/** One pass scans at most this many accounts, and at most this many companies of each account. */
const [ACCOUNTS_MAX, COMPANIES_MAX] = [20, 250];
const PASSES_MAX = 40;

export interface ScanInputs {
  readonly providers: readonly ReadyProvider[];
  readonly required: RequiredProviders;
  readonly turns: LoopTurns;
  readonly signal: AbortSignal;
}

/**
 * Scans due companies. Accounts take turns. Leases keep two nodes from scanning a company at the same time; the lease
 * of a dead process ends after two minutes. An account that fails does not delay the others.
 */
export async function scanRound(parts: StoreParts, { providers, required, turns, signal }: ScanInputs): Promise<void> {
  const db = companiesIn(parts.database.db);
  const names = providers.map(({ provider }) => providerColumn(provider));
  // Findings are matched again before the scans, so that a scan restores a withdrawn finding that it finds again.
  const faults = [...(await rematchRound(parts, turns, signal))];
  await takeRequests(db, required, parts.clock.now());
  let after = "";
  for (let pass = 0; pass < PASSES_MAX; pass += 1) {
    signal.throwIfAborted();
    const accounts = await dueAccounts(db, {
      after,
      providers: names,
      now: parts.clock.now(),
      accountsMax: ACCOUNTS_MAX,
    });
    if (accounts.length === 0 && after === "") break;
    after = accounts.length < ACCOUNTS_MAX ? "" : (accounts.at(-1) ?? "");
    const bounds = {
      providers: names,
      now: parts.clock.now(),
      lease: newLease(parts),
      companiesMax: COMPANIES_MAX,
    };
    const due = await leaseAll(db, accounts, bounds);
    const portfolios = await portfolioIndexes(parts, accountsOf(due), turns, signal);
    const scans = await scanAll({ providers, due, portfolios, turns, signal });
    for (const accountId of accounts) {
      const { lease } = bounds;
      const ended = { accountId, lease, required, now: parts.clock.now(), outcomeOf: outcomesIn(scans, accountId) };
      await endWindows(db, ended).catch((fault: unknown) => faults.push(fault));
    }
  }
  if (faults.length > 0) throw new AggregateError(faults, `number of accounts whose scans failed: ${faults.length}`);
}

/** Returns a function for one account. Given a company and a provider, the function finds the outcome of the scan. */
function outcomesIn(scans: readonly ProviderScan[], accountId: string) {
  const byName = new Map(scans.map((scan) => [providerColumn(scan.provider.provider), scan]));
  return ({ company_id, provider }: Pick<CompanyWindowRow, "company_id" | "provider">): ScanOutcome | undefined => {
    const scan = byName.get(provider);
    const window = scan?.provider.window;
    if (!scan || !window) return undefined;
    const key = companyKeyOf(accountId, company_id);
    const isCapped = scan.capped.has(key) && window.state !== "PROVIDER_COVERAGE_STATE_FAILED";
    const { followUps } = scan.provider;
    const findings = scan.findings.get(key) ?? [];
    return {
      window: isCapped ? { ...window, capped: true } : window,
      timing: scan.provider,
      content: isCapped ? null : (scan.provider.content ?? null),
      findings,
      ...(followUps && { followUps: (stored: readonly StoredFinding[]) => followUps(stored, findings) }),
    };
  };
}

interface DueCompany {
  readonly company: ScannedCompany;
  /** For each provider, by its stored name: the id of the content that was last searched for findings. */
  readonly contents: ReadonlyMap<string, string | null>;
}

async function leaseAll(
  db: CompanyDatabase,
  accounts: readonly string[],
  bounds: DueBounds,
): Promise<readonly DueCompany[]> {
  const due: DueCompany[] = [];
  for (const accountId of accounts) {
    const rows = await leaseDue(db, accountId, bounds);
    const contents = new Map<string, Map<string, string | null>>();
    for (const { company_id, provider, content } of rows) {
      const own = contents.get(company_id) ?? new Map<string, string | null>();
      contents.set(company_id, own.set(provider, content));
    }
    if (contents.size === 0) continue;
    for (const [companyId, company] of await scannedCompanies(db, accountId, [...contents.keys()])) {
      due.push({ company, contents: contents.get(companyId) ?? new Map() });
    }
  }
  return due;
}

interface ScanBatch extends Omit<ScanInputs, "required"> {
  readonly due: readonly DueCompany[];
  readonly portfolios: readonly CompanyIndex[];
}

function accountsOf(due: readonly DueCompany[]): readonly string[] {
  return [...new Set(due.map(({ company }) => company.accountId))];
}

/**
 * Scans with one provider at a time. A company is skipped if the provider's content has not changed since the company's
 * last scan.
 */
async function scanAll({ providers, due, portfolios, turns, signal }: ScanBatch): Promise<readonly ProviderScan[]> {
  const scans: ProviderScan[] = [];
  for (const provider of providers) {
    const name = providerColumn(provider.provider);
    const companies = due.flatMap(({ company, contents }) => {
      const content = contents.get(name);
      return content !== undefined && content !== provider.content ? [company] : [];
    });
    scans.push(await scanCompanies(provider, { companies, portfolios }, turns, signal));
  }
  return scans;
}

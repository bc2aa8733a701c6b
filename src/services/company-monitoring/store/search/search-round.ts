import type { StoreParts } from "../../../../database/service-store.js";
import { MINUTE_MS } from "../../../../kit/clock.js";
import type { LoopTurns } from "../../../../kit/loop-turns.js";
import { matcherOf } from "../../matching/company-matcher.js";
import type { ReasonCode } from "../../scan/reason-code.js";
import { searchCompanies } from "../../scan/search/search-companies.js";
import type { SearchProvider } from "../../scan/search/search-provider.js";
import { endWindows } from "../scan/end-windows.js";
import { dueAccounts, leaseDue, newLease } from "../scan/obligations.js";
import { portfolioIndexes } from "../scan/portfolio-indexes.js";
import { companyKeyOf, scannedCompanies } from "../scan/scanned-companies.js";
import { providerColumn } from "../scan/window-row.js";
import { companiesIn } from "../tables.js";

/** Maximum number of companies of an account per turn, and of turns per round. */
const [COMPANIES_MAX, TURNS_MAX] = [25, 20];
/**
 * A turn starts no query after this time. The last query takes up to 20 s, so a turn ends within its lease of two
 * minutes.
 */
const TURN_MS = MINUTE_MS;

export interface SearchInputs {
  readonly provider: SearchProvider;
  readonly turns: LoopTurns;
  readonly signal: AbortSignal;
}

/**
 * Runs the provider's searches for the companies that are due. Accounts take turns. A turn starts with the companies of
 * the account that have waited longest. Companies that a turn does not reach are due again ten seconds later.
 */
export async function searchRound(parts: StoreParts, { provider, turns, signal }: SearchInputs): Promise<void> {
  const db = companiesIn(parts.database.db);
  const providers = [providerColumn(provider.provider)];
  let after = "";
  let refusal: ReasonCode | undefined;
  for (let turn = 0; turn < TURNS_MAX; turn += 1) {
    signal.throwIfAborted();
    const now = parts.clock.now();
    const [accountId] = await dueAccounts(db, { after, providers, now, accountsMax: 1 });
    if (accountId === undefined && after === "") break;
    after = accountId ?? "";
    if (accountId === undefined) continue;
    const lease = newLease(parts);
    const due = await leaseDue(db, accountId, { providers, now, lease, companiesMax: COMPANIES_MAX });
    if (due.length === 0) continue;
    const companies = await scannedCompanies(
      db,
      accountId,
      due.map(({ company_id }) => company_id),
    );
    const byWaiting = due.toSorted((a, b) => (a.due_at ?? 0) - (b.due_at ?? 0));
    const targets = byWaiting.flatMap(({ company_id, complete_until }) => {
      const company = companies.get(company_id);
      return company ? [{ company, completeUntil: complete_until }] : [];
    });
    const result = await searchCompanies(targets, {
      provider,
      matcher: matcherOf(await portfolioIndexes(parts, [accountId], turns, signal)),
      now: parts.clock.now,
      deadline: now + TURN_MS,
      refusal,
    });
    refusal = result.refusal;
    await endWindows(db, {
      accountId,
      lease,
      now: parts.clock.now(),
      outcomeOf: ({ company_id }) => {
        const outcome = result.outcomes.get(companyKeyOf(accountId, company_id));
        return outcome && { ...outcome, timing: provider, content: null };
      },
    });
  }
}

import type { StoreParts } from "../../../../database/service-store.js";
import { DAY_MS, HOUR_MS } from "../../../../kit/clock.js";
import { type LookUp, lookUp } from "../../identity/look-up.js";
import type { CompanyRegister } from "../../identity/register.js";
import { companiesIn } from "../tables.js";
import { endWindows } from "./end-windows.js";
import { dueAccounts, leaseDue, newLease } from "./obligations.js";
import { companyKeyOf, scannedCompanies } from "./scanned-companies.js";
import { storeResolutions } from "./store-resolutions.js";
import { providerColumn } from "./window-row.js";

const REGISTER = "MONITORING_PROVIDER_REGISTER";
const TIMING = { everyMs: HOUR_MS, freshMs: 3 * DAY_MS };

/**
 * Maximum number of companies that are looked up in one turn of an account, and maximum number of turns in a round.
 * Both are limited because lookups may send requests, and registers limit the number of requests.
 */
const [COMPANIES_MAX, TURNS_MAX] = [25, 20];

export interface IdentityInputs {
  readonly registers: readonly CompanyRegister[];
  readonly signal: AbortSignal;
}

/** Looks up due companies in public registers, and records the claims that a register confirms. Accounts take turns. */
export async function identityRound(parts: StoreParts, { registers, signal }: IdentityInputs): Promise<void> {
  const db = companiesIn(parts.database.db);
  const providers = [providerColumn(REGISTER)];
  let after = "";
  for (let turn = 0; turn < TURNS_MAX; turn += 1) {
    signal.throwIfAborted();
    const now = parts.clock.now();
    const [accountId] = await dueAccounts(db, { after, providers, now, accountsMax: 1 });
    if (accountId === undefined && after === "") break;
    after = accountId ?? "";
    if (accountId === undefined) continue;
    const lease = newLease(parts);
    const due = await leaseDue(db, accountId, { providers, now, lease, companiesMax: COMPANIES_MAX });
    const companyIds = due.map(({ company_id }) => company_id);
    if (companyIds.length === 0) continue;
    const lookUps = new Map<string, LookUp>();
    for (const company of (await scannedCompanies(db, accountId, companyIds)).values()) {
      const result = await lookUp(company, registers);
      if (result) lookUps.set(company.companyKey, result);
    }
    await endWindows(db, {
      accountId,
      lease,
      now: parts.clock.now(),
      outcomeOf: ({ company_id }) => {
        const result = lookUps.get(companyKeyOf(accountId, company_id));
        return result && { window: result.window, timing: TIMING, content: null, findings: result.findings };
      },
      alsoStore: async (on, held) => {
        const resolutions = held.flatMap((companyId) => {
          const resolution = lookUps.get(companyKeyOf(accountId, companyId))?.resolution;
          return resolution ? [[companyId, resolution] as const] : [];
        });
        await storeResolutions(on, accountId, new Map(resolutions), parts.clock.now());
      },
    });
  }
}

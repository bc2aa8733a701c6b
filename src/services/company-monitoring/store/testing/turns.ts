import type { OpenDatabase } from "../../../../database/open-database.js";
import type { StoreParts } from "../../../../database/service-store.js";
import { principalOf, testStoreParts } from "../../../../database/testing/store-parts.js";
import { type ManualClock, manualClock } from "../../../../kit/manual-clock.js";
import type { Company } from "../../portfolio/company.js";
import { createCompany } from "../../portfolio/create-company.js";
import type { PortfolioTurn } from "../../ports.js";
import { portfolioOf } from "../portfolio-store.js";
import { companyStore } from "../store.js";

const NOW = Date.UTC(2026, 10, 22);

/** Creates the parts of an empty company store, with a manual clock. */
export async function prepared({
  database,
}: {
  readonly database: OpenDatabase;
}): Promise<{ readonly parts: StoreParts; readonly clock: ManualClock }> {
  const clock = manualClock(NOW);
  const store = { service: "company-monitoring", store: companyStore };
  return { clock, parts: await testStoreParts(database, store, { clock }) };
}

/** Runs one write of an account in a transaction. */
export function inTurn<T>(
  parts: StoreParts,
  accountId: string,
  work: (turn: PortfolioTurn) => Promise<T>,
  { db }: Pick<OpenDatabase, "db"> = parts.database,
): Promise<T> {
  const principal = principalOf(accountId);
  return db.transaction().execute(async (on) => {
    const call = { principal, actor: "key_1", address: "127.0.0.1", db: on };
    return work(await portfolioOf(parts, call).turn());
  });
}

const draft = (name: string, customerReference?: string) => ({
  name,
  domicileCountry: "US",
  customerReference,
  claims: [{ type: "COMPANY_CLAIM_TYPE_ALIAS", value: name } as const],
});

/** Creates a company of this name. */
export async function add(turn: PortfolioTurn, name: string, requestId?: string, reference?: string) {
  const request = requestId === undefined ? undefined : ({ kind: "create", requestId } as const);
  return createCompany(turn, draft(name, reference), request);
}

/** Returns the company in another state. */
export function inState(company: Company, lifecycle: Company["lifecycle"], now: number): Company {
  const changed = { ...company, lifecycle, updatedAt: now };
  return lifecycle === "removed" ? { ...changed, claims: [], customerReference: undefined } : changed;
}

/** Returns the company with all its claims verified by a register. */
export function verified(company: Company): Company {
  const evidence = {
    register: "SEC",
    recordId: "1",
    recordName: company.name,
    checkedAt: 0,
    validUntil: Number.MAX_SAFE_INTEGER,
  } as const;
  const trustState = "COMPANY_CLAIM_TRUST_STATE_VERIFIED";
  return { ...company, claims: company.claims.map((claim) => ({ ...claim, trustState, evidence }) as const) };
}

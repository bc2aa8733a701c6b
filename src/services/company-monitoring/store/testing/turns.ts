import { createHash } from "node:crypto";
import type { Principal } from "../../../../contract/access/principal.js";
import { settingReader } from "../../../../contract/setting.js";
import { migrateServices } from "../../../../database/open.js";
import type { OpenDatabase } from "../../../../database/open-database.js";
import type { StoreParts } from "../../../../database/service-store.js";
import { type ManualClock, manualClock } from "../../../../kit/manual-clock.js";
import { tokenSigner } from "../../../../kit/signed-token.js";
import type { Company } from "../../portfolio/company.js";
import { createCompany } from "../../portfolio/create-company.js";
import type { PortfolioTurn } from "../../ports.js";
import { portfolioOf } from "../portfolio-store.js";
import { companyStore } from "../store.js";

const NOW = Date.UTC(2026, 10, 22);

/** A store of companies with its clock. Ids are counted, so that they differ. */
export async function prepared({
  database,
}: {
  readonly database: OpenDatabase;
}): Promise<{ readonly parts: StoreParts; readonly clock: ManualClock }> {
  await migrateServices(database, [{ service: "company-monitoring", store: companyStore }]);
  const clock = manualClock(NOW);
  let calls = 0;
  const randomBytes = (count: number): Buffer => {
    calls += 1;
    return createHash("sha256").update(String(calls)).digest().subarray(0, count);
  };
  return {
    clock,
    parts: {
      database,
      clock,
      randomBytes,
      settingOf: settingReader({}),
      vault: undefined,
      signer: tokenSigner(Buffer.alloc(32)),
      count: () => undefined,
      isSimulated: false,
    },
  };
}

export function principalOf(accountId: string): Principal {
  return {
    kind: "key",
    actor: "key_1",
    accountId,
    scopes: new Set(),
    plan: "business",
    planState: "active",
    isOperator: false,
  };
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

/** The company in another state. */
export function inState(company: Company, lifecycle: Company["lifecycle"], now: number): Company {
  const changed = { ...company, lifecycle, updatedAt: now };
  return lifecycle === "removed" ? { ...changed, claims: [], customerReference: undefined } : changed;
}

/** The company with claims that a register has verified. */
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

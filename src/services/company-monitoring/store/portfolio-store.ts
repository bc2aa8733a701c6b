import type { StoreCall, StoreParts } from "../../../database/service-store.js";
import type { Company } from "../portfolio/company.js";
import type { NewCompany, Portfolio, PortfolioTurn, RequestKey } from "../ports.js";
import { newId } from "../rules/ids.js";
import { accountOf } from "./account-of.js";
import { nextPosition, takeTurn } from "./account-turn.js";
import { companyOf, versionOf } from "./company-row.js";
import { endVersion } from "./end-version.js";
import { logChange } from "./log-change.js";
import { type CompanyDatabase, companiesIn } from "./tables.js";

/** Opens the companies of the caller's account for writing. */
export function portfolioOf(
  { clock, randomBytes }: Pick<StoreParts, "clock" | "randomBytes">,
  call: StoreCall,
): Portfolio {
  const db = companiesIn(call.db);
  const accountId = accountOf(call);
  return {
    async turn() {
      const { company_count } = await takeTurn(db, accountId);
      const now = clock.now();
      const newIdOf = (kind: "company" | "claim") => (): string => newId(kind, now, randomBytes);
      return {
        ...turnOf(db, accountId, company_count, now),
        newCompanyId: newIdOf("company"),
        newClaimId: newIdOf("claim"),
      };
    },
  };
}

function turnOf(
  db: CompanyDatabase,
  accountId: string,
  companyCount: number,
  now: number,
): Omit<PortfolioTurn, "newCompanyId" | "newClaimId"> {
  let count = companyCount;
  const current = () =>
    db.selectFrom("company_version").selectAll().where("account_id", "=", accountId).where("visible_to", "is", null);

  /** Ends the current version if there is one, adds the next one and logs the change. */
  async function write(company: Company, companies: -1 | 0 | 1): Promise<void> {
    const position = await nextPosition(db, accountId, { generation: 1, companies }, now);
    if (companies !== 1) await endVersion(db, { accountId, companyId: company.companyId }, position, now);
    await db
      .insertInto("company_version")
      .values(versionOf(company, accountId, position))
      .execute();
    await logChange(db, { accountId, position, kind: "company", companyId: company.companyId, changedAt: now });
    count += companies;
  }

  async function queueScan(companyId: string): Promise<void> {
    await db
      .insertInto("company_scan")
      .values({ account_id: accountId, company_id: companyId, requested_at: now })
      .onConflict((conflict) => conflict.columns(["account_id", "company_id"]).doUpdateSet({ requested_at: now }))
      .execute();
  }

  async function cancelScan(companyId: string): Promise<void> {
    await db
      .deleteFrom("company_scan")
      .where("account_id", "=", accountId)
      .where("company_id", "=", companyId)
      .execute();
  }

  return {
    now,
    companyCount: () => count,
    async find(companyId) {
      const row = await current().where("company_id", "=", companyId).executeTakeFirst();
      return row && companyOf(row);
    },
    async findByReference(customerReference) {
      const row = await current().where("customer_reference", "=", customerReference).executeTakeFirst();
      return row && companyOf(row);
    },
    async findRequest({ kind, requestId, ordinal }: RequestKey) {
      const row = await db
        .selectFrom("company_request")
        .select(["fingerprint", "company_id"])
        .where("account_id", "=", accountId)
        .where("kind", "=", kind)
        .where("request_id", "=", requestId)
        .where("ordinal", "=", ordinal)
        .executeTakeFirst();
      return row && { fingerprint: row.fingerprint, companyId: row.company_id };
    },
    async add({ company, request }: NewCompany) {
      await write(company, 1);
      if (request) {
        const { kind, requestId, ordinal, fingerprint } = request;
        await db
          .insertInto("company_request")
          .values({
            account_id: accountId,
            company_id: company.companyId,
            kind,
            request_id: requestId,
            ordinal,
            fingerprint,
            created_at: now,
          })
          .execute();
      }
      await queueScan(company.companyId);
    },
    async replace(before, after) {
      const isRemoval = before.lifecycle !== "removed" && after.lifecycle === "removed";
      await write(after, isRemoval ? -1 : 0);
      if (after.lifecycle === "active") await queueScan(after.companyId);
      else await cancelScan(after.companyId);
      if (!isRemoval) return;
      await db
        .deleteFrom("company_coverage")
        .where("account_id", "=", accountId)
        .where("company_id", "=", after.companyId)
        .execute();
    },
  };
}

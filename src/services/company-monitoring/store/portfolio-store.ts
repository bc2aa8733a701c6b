import type { StoreCall, StoreParts } from "../../../database/service-store.js";
import type { Company } from "../portfolio/company.js";
import { isSearchedAlike } from "../portfolio/searched-alike.js";
import type { NewCompany, Portfolio, PortfolioTurn, RequestKey } from "../ports.js";
import { newId } from "../rules/ids.js";
import { accountOf } from "./account-of.js";
import { nextPosition, nextPositions, takeTurn } from "./account-turn.js";
import { companyOf, versionOf } from "./company-row.js";
import { endVersion } from "./end-version.js";
import { logChanges } from "./log-change.js";
import { outdateWindows, purgeScans, requestRematch, stopScans } from "./scan/obligations.js";
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

/** A company with the position of its change in the change log. */
interface PlacedCompany {
  readonly company: Company;
  readonly position: number;
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

  /** Adds the current version of each company and logs the change. */
  async function insertVersions(placed: readonly PlacedCompany[]): Promise<void> {
    const versions = placed.map(({ company, position }) => versionOf(company, accountId, position));
    await db.insertInto("company_version").values(versions).execute();
    const changes = placed.map(({ company: { companyId }, position }) => ({
      accountId,
      position,
      kind: "company",
      companyId,
      changedAt: now,
    }));
    await logChanges(db, changes);
  }

  function requestRow(request: NonNullable<NewCompany["request"]>, companyId: string) {
    const { kind, requestId, ordinal, fingerprint } = request;
    return {
      account_id: accountId,
      company_id: companyId,
      kind,
      request_id: requestId,
      ordinal,
      fingerprint,
      created_at: now,
    };
  }

  async function queueScans(companyIds: readonly string[]): Promise<void> {
    await db
      .insertInto("company_scan")
      .values(companyIds.map((company_id) => ({ account_id: accountId, company_id, requested_at: now })))
      .onConflict((conflict) => conflict.columns(["account_id", "company_id"]).doUpdateSet({ requested_at: now }))
      .execute();
  }

  async function cancelScan(companyId: string): Promise<void> {
    await db
      .deleteFrom("company_scan")
      .where("account_id", "=", accountId)
      .where("company_id", "=", companyId)
      .execute();
    await stopScans(db, { accountId, companyId }, now);
  }

  return {
    now,
    companyCount: () => count,
    async find(companyId) {
      const row = await current().where("company_id", "=", companyId).executeTakeFirst();
      return row && companyOf(row);
    },
    async findAll(companyIds) {
      if (companyIds.length === 0) return new Map();
      const rows = await current().where("company_id", "in", companyIds).execute();
      return new Map(rows.map((row) => [row.company_id, companyOf(row)]));
    },
    async findByReferences(references) {
      if (references.length === 0) return new Map();
      const rows = await current().where("customer_reference", "in", references).execute();
      return new Map(rows.map((row) => [row.customer_reference ?? "", companyOf(row)]));
    },
    async findRequest({ kind, requestId }: RequestKey) {
      const rows = await db
        .selectFrom("company_request")
        .select(["ordinal", "fingerprint", "company_id"])
        .where("account_id", "=", accountId)
        .where("kind", "=", kind)
        .where("request_id", "=", requestId)
        .execute();
      return new Map(
        rows.map(({ ordinal, fingerprint, company_id }) => [ordinal, { fingerprint, companyId: company_id }]),
      );
    },
    async add(added: readonly NewCompany[]) {
      if (added.length === 0) return;
      const increments = { count: added.length, generation: 1, companies: 1 } as const;
      const positions = await nextPositions(db, accountId, increments, now);
      const placed = positions.flatMap((position, at) => {
        const company = added[at]?.company;
        return company ? [{ position, company }] : [];
      });
      await insertVersions(placed);
      const requests = added.flatMap(({ company, request }) =>
        request ? [requestRow(request, company.companyId)] : [],
      );
      if (requests.length > 0) await db.insertInto("company_request").values(requests).execute();
      await queueScans(added.map(({ company }) => company.companyId));
      count += added.length;
    },
    async replace(before, after) {
      const { companyId } = after;
      const isRemoval = before.lifecycle !== "removed" && after.lifecycle === "removed";
      const companies = isRemoval ? -1 : 0;
      const position = await nextPosition(db, accountId, { generation: 1, companies }, now);
      await endVersion(db, { accountId, companyId }, position, now);
      await insertVersions([{ position, company: after }]);
      count += companies;
      if (!isSearchedAlike(before, after)) {
        await outdateWindows(db, { accountId, companyId }, now);
        await requestRematch(db, { accountId, companyId }, now);
      }
      if (after.lifecycle === "active") await queueScans([companyId]);
      else await cancelScan(companyId);
      if (isRemoval) await purgeScans(db, { accountId, companyId });
    },
  };
}

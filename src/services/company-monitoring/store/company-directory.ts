import type { StoreCall, StoreParts } from "../../../database/service-store.js";
import type { CompanyDirectory } from "../ports.js";
import type { CompanyCoverage } from "../records.js";
import { companyMonitoringSwitch } from "../settings.js";
import { accountOf } from "./account-of.js";
import { accountRow } from "./account-turn.js";
import { companiesIn } from "./tables.js";

/** Opens the companies of the caller's account for reading. */
export function companyDirectoryOf({ settingOf }: StoreParts, call: StoreCall): CompanyDirectory {
  const db = companiesIn(call.db);
  const accountId = accountOf(call);
  return {
    isEnabled: settingOf(companyMonitoringSwitch),
    async counts() {
      const { company_count: companyCount, generation } = await accountRow(db, accountId);
      return { companyCount, generation };
    },
    async coverage(companyId) {
      const company = await db
        .selectFrom("company_version")
        .leftJoin("company_coverage", (join) =>
          join
            .onRef("company_coverage.account_id", "=", "company_version.account_id")
            .onRef("company_coverage.company_id", "=", "company_version.company_id"),
        )
        .select(["company_version.created_at", "company_coverage.body"])
        .where("company_version.account_id", "=", accountId)
        .where("company_version.company_id", "=", companyId)
        .where("visible_to", "is", null)
        .where("lifecycle", "!=", "removed")
        .executeTakeFirst();
      if (!company) return undefined;
      // Written from a value of this type.
      return company.body === null
        ? awaitingFirstScan(company.created_at)
        : (JSON.parse(company.body) as CompanyCoverage);
    },
  };
}

/** Coverage of a company that was never scanned. */
function awaitingFirstScan(createdAt: number): CompanyCoverage {
  return {
    state: "COMPANY_COVERAGE_STATE_AWAITING_FIRST_SCAN",
    observation: "COMPANY_OBSERVATION_STATE_UNKNOWN",
    assessmentReady: false,
    changedAt: new Date(createdAt).toISOString(),
    providers: [],
  };
}

import type { StoreCall, StoreParts } from "../../../database/service-store.js";
import type { CompanyDirectory } from "../ports.js";
import { companyMonitoringSwitch } from "../settings.js";
import { newsSearch } from "../sources/brave-news.js";
import { recentPosts } from "../sources/x-posts.js";
import { accountOf } from "./account-of.js";
import { accountRow } from "./account-turn.js";
import { companyOf } from "./company-row.js";
import { coverageFacts } from "./scan/coverage-facts.js";
import { servedCoverage } from "./scan/served-coverage.js";
import { companiesIn } from "./tables.js";

/** Opens the companies of the caller's account for reading. */
export function companyDirectoryOf({ settingOf, isConfigured, clock }: StoreParts, call: StoreCall): CompanyDirectory {
  const db = companiesIn(call.db);
  const accountId = accountOf(call);
  const isEnabled = settingOf(companyMonitoringSwitch);
  return {
    isEnabled,
    searchesWeb: isEnabled && isConfigured(newsSearch),
    searchesPosts: isEnabled && isConfigured(recentPosts),
    async counts() {
      const { company_count: companyCount, generation } = await accountRow(db, accountId);
      return { companyCount, generation };
    },
    async coverage(companyId) {
      const row = await db
        .selectFrom("company_version")
        .selectAll()
        .where("account_id", "=", accountId)
        .where("company_id", "=", companyId)
        .where("visible_to", "is", null)
        .where("lifecycle", "!=", "removed")
        .executeTakeFirst();
      if (!row) return undefined;
      const factsOf = await coverageFacts(db, accountId, [companyId]);
      return servedCoverage(companyOf(row), factsOf(companyId), clock.now());
    },
  };
}

import type { CompanyFilters, EventDetail, ImpactFilters, PageBounds } from "../changes/company-reading.js";
import type { CompanyMaterialImpact } from "../event-records.js";
import { servedCompany } from "../portfolio/served-company.js";
import type { MonitoredCompany } from "../records.js";
import { impactOf } from "./change-log.js";
import { companyOf } from "./company-row.js";
import type { CompanyDatabase } from "./tables.js";

/** Reads one page of the companies as of `watermark`, a position in the change log. Companies are sorted by id. */
export async function listedCompanies(
  db: CompanyDatabase,
  accountId: string,
  { lifecycle, coverage }: CompanyFilters,
  { watermark, snapshotAsOf, after, rowsMax }: PageBounds,
): Promise<readonly MonitoredCompany[]> {
  const versions = await db
    .selectFrom("company_version")
    .selectAll()
    .where("account_id", "=", accountId)
    .where("visible_from", "<=", watermark)
    .where((is) => is.or([is("visible_to", "is", null), is("visible_to", ">", watermark)]))
    .$if(after !== undefined, (rows) => rows.where("company_id", ">", after ?? ""))
    .$if(lifecycle.length > 0, (rows) => rows.where("lifecycle", "in", lifecycle))
    .$if(coverage.length > 0, (rows) => rows.where("coverage", "in", coverage))
    .orderBy("company_id")
    .limit(rowsMax)
    .execute();
  return versions.map((version) => servedCompany(companyOf(version), snapshotAsOf));
}

/** Reads one page of the impacts as of `watermark`, a position in the change log. The newest impact comes first. */
export async function listedImpacts(
  db: CompanyDatabase,
  accountId: string,
  { companyId, direction, lifecycle }: ImpactFilters,
  { watermark, after, rowsMax }: PageBounds,
): Promise<readonly CompanyMaterialImpact[]> {
  const versions = await db
    .selectFrom("company_impact")
    .select("body")
    .where("account_id", "=", accountId)
    .where("visible_from", "<=", watermark)
    .where((is) => is.or([is("visible_to", "is", null), is("visible_to", ">", watermark)]))
    .$if(after !== undefined, (rows) => rows.where("impact_id", "<", after ?? ""))
    .$if(companyId.length > 0, (rows) => rows.where("company_id", "in", companyId))
    .$if(direction.length > 0, (rows) => rows.where("direction", "in", direction))
    .$if(lifecycle.length > 0, (rows) => rows.where("lifecycle", "in", lifecycle))
    .orderBy("impact_id", "desc")
    .limit(rowsMax)
    .execute();
  // Each of these versions was the current one at `watermark`.
  return versions.map(({ body }) => impactOf(body, true));
}

/**
 * Returns the current revision of an impact with its event and evidence; undefined if the account has no such impact.
 */
export async function eventOf(
  db: CompanyDatabase,
  accountId: string,
  impactId: string,
  evidenceMax: number,
): Promise<EventDetail | undefined> {
  const impact = await db
    .selectFrom("company_impact")
    .innerJoin("company_event", (join) =>
      join
        .onRef("company_event.account_id", "=", "company_impact.account_id")
        .onRef("company_event.event_id", "=", "company_impact.event_id"),
    )
    .select(["company_impact.body as impact", "company_event.body as event", "company_impact.event_id"])
    .where("company_impact.account_id", "=", accountId)
    .where("company_impact.impact_id", "=", impactId)
    .where("company_impact.visible_to", "is", null)
    .executeTakeFirst();
  if (!impact) return undefined;
  const evidence = db
    .selectFrom("company_evidence")
    .where("account_id", "=", accountId)
    .where("event_id", "=", impact.event_id);
  const references = await evidence.select("body").orderBy("ordinal").limit(evidenceMax).execute();
  const { count } = await evidence.select(({ fn }) => fn.countAll<number>().as("count")).executeTakeFirstOrThrow();
  return {
    event: JSON.parse(impact.event),
    impact: impactOf(impact.impact, true),
    evidence: references.map(({ body }) => JSON.parse(body)),
    evidenceTotalCount: Number(count),
  };
}

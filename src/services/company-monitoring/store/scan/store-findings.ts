import { createHash } from "node:crypto";
import type { CompanyFinding, StoredFinding } from "../../scan/provider.js";
import type { CompanyDatabase } from "../tables.js";
import { chunksOf, ROWS_MAX } from "./obligations.js";
import { providerColumn } from "./window-row.js";

/**
 * Stores findings on an account's companies. Findings that are already stored are skipped, except that a withdrawn
 * finding is replaced and waits for its assessment again.
 */
export async function storeFindings(
  db: CompanyDatabase,
  accountId: string,
  findings: readonly { readonly companyId: string; readonly finding: CompanyFinding["finding"] }[],
  now: number,
): Promise<void> {
  const rows = findings.map(({ companyId, finding }) => ({
    account_id: accountId,
    company_id: companyId,
    provider: providerColumn(finding.provider),
    source_id: sourceColumn(finding.sourceId),
    published_at: finding.publishedAt,
    body: JSON.stringify(finding),
    found_at: now,
    judged: 0,
  }));
  // PostgreSQL refuses a statement that would write the same row twice.
  const unique = new Map(
    rows.toReversed().map((row) => [JSON.stringify([row.company_id, row.provider, row.source_id]), row]),
  );
  for (const chunk of chunksOf([...unique.values()].reverse(), ROWS_MAX)) {
    await db
      .insertInto("company_finding")
      .values(chunk)
      .onConflict((conflict) =>
        conflict
          .columns(["account_id", "company_id", "provider", "source_id"])
          .doUpdateSet(({ ref }) => ({
            published_at: ref("excluded.published_at"),
            body: ref("excluded.body"),
            found_at: ref("excluded.found_at"),
            judged: 0,
            withdrawn: 0,
          }))
          .where("company_finding.withdrawn", "=", 1),
      )
      .execute();
  }
}

/**
 * Reads a provider's findings on companies of an account, without withdrawn ones. Each company's findings are in the
 * order in which they were stored.
 */
export async function storedFindings(
  db: CompanyDatabase,
  accountId: string,
  provider: string,
  companyIds: readonly string[],
): Promise<ReadonlyMap<string, readonly StoredFinding[]>> {
  const rows = await db
    .selectFrom("company_finding")
    .select(["company_id", "body", "found_at"])
    .where("account_id", "=", accountId)
    .where("company_id", "in", companyIds)
    .where("provider", "=", provider)
    .where("withdrawn", "=", 0)
    .orderBy("found_at")
    .execute();
  const stored = new Map<string, StoredFinding[]>();
  for (const { company_id, body, found_at } of rows) {
    const own = stored.get(company_id) ?? [];
    // The cast is safe, because `storeFindings` writes the column from a value of this type.
    own.push({ finding: JSON.parse(body) as StoredFinding["finding"], foundAt: found_at });
    stored.set(company_id, own);
  }
  return stored;
}

/**
 * Maximum length of a source id that is stored unchanged. The id is part of the primary key, and PostgreSQL indexes
 * only keys of at most 2,704 bytes.
 */
const SOURCE_CHARACTERS_MAX = 500;

/**
 * Returns the source id under which a finding is stored. An id that is too long, empty or not printable ASCII is
 * replaced by its digest. The result is the same in every scan.
 */
export function sourceColumn(sourceId: string): string {
  if (sourceId.length <= SOURCE_CHARACTERS_MAX && /^[\x20-\x7e]+$/.test(sourceId)) return sourceId;
  return createHash("sha256").update(sourceId).digest("hex");
}

import { expect } from "vitest";
import type { OpenDatabase } from "../../../src/database/open-database.js";
import { companiesIn } from "../../../src/services/company-monitoring/store/tables.js";

/** Expects the rows of an account to be consistent: its change log has no gap and contains every company version. */
export async function expectConsistent({ db }: OpenDatabase, accountId: string): Promise<void> {
  const rows = companiesIn(db);
  const account = await rows
    .selectFrom("company_account")
    .selectAll()
    .where("account_id", "=", accountId)
    .executeTakeFirst();
  const changes = await rows
    .selectFrom("company_change")
    .selectAll()
    .where("account_id", "=", accountId)
    .orderBy("position")
    .execute();
  const versions = await rows
    .selectFrom("company_version")
    .selectAll()
    .where("account_id", "=", accountId)
    .orderBy("visible_from")
    .execute();
  const positions = changes.map(({ position }) => position);
  expect(positions).toEqual(positions.map((_, at) => at + 1));
  expect(account?.position ?? 0).toBe(changes.length);
  expect(account?.generation ?? 0).toBe(changes.filter(({ kind }) => kind === "company").length);
  // Every change of kind `company` wrote one version of its company, and every version has its change.
  expect(versions.map(({ visible_from, company_id }) => [visible_from, company_id])).toEqual(
    changes.filter(({ kind }) => kind === "company").map(({ position, company_id }) => [position, company_id]),
  );
  const current = versions.filter(({ visible_to }) => visible_to === null);
  expect(account?.company_count ?? 0).toBe(current.filter(({ lifecycle }) => lifecycle !== "removed").length);
  for (const companyId of new Set(versions.map(({ company_id }) => company_id))) {
    const own = versions.filter(({ company_id }) => company_id === companyId);
    expect(own.map(({ visible_to }) => visible_to)).toEqual([...own.slice(1).map((next) => next.visible_from), null]);
  }
}

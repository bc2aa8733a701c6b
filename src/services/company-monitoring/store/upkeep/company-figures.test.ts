import { expect, test } from "vitest";
import { describeEachStore } from "../../../../../test/support/stores.js";
import { MINUTE_MS } from "../../../../kit/clock.js";
import { takeRequests } from "../scan/requested-scans.js";
import { companiesIn } from "../tables.js";
import { add, inState, inTurn, prepared } from "../testing/turns.js";
import { companyFigures } from "./company-figures.js";

await describeEachStore((open) => {
  test("figures count accounts, companies, changes in logs, open and overdue scans, and waiting findings", async () => {
    const store = await open();
    const { parts, clock } = await prepared(store);
    expect(await companyFigures(parts)).toEqual({
      accounts: 0,
      companies: 0,
      changesInLog: 0,
      oldestPosition: 0,
      newestPosition: 0,
      scansOpen: 0,
      scansOverdue: 0,
      findingsWaiting: 0,
    });
    await inTurn(parts, "acc_a", (turn) => add(turn, "A"));
    const creation = await inTurn(parts, "acc_b", (turn) => add(turn, "B"));
    if (!("company" in creation)) throw new Error("not created");
    const { company } = creation;
    await inTurn(parts, "acc_b", (turn) => turn.replace(company, inState(company, "removed", turn.now)));
    expect(await companyFigures(parts)).toEqual({
      accounts: 2,
      companies: 1,
      changesInLog: 3,
      oldestPosition: 1,
      newestPosition: 2,
      scansOpen: 0,
      scansOverdue: 0,
      findingsWaiting: 0,
    });
    const db = companiesIn(store.database.db);
    await takeRequests(db, () => ["MONITORING_PROVIDER_NEWS"], clock.now());
    const finding = { provider: "news", source_id: "1", published_at: 0, body: "{}", found_at: 0, judged: 0 };
    await db
      .insertInto("company_finding")
      .values({ account_id: "acc_a", company_id: "1", ...finding })
      .execute();
    expect(await companyFigures(parts)).toMatchObject({ scansOpen: 1, scansOverdue: 0, findingsWaiting: 1 });
    clock.advance(5 * MINUTE_MS);
    expect(await companyFigures(parts)).toMatchObject({ scansOpen: 1, scansOverdue: 1 });
  });
});

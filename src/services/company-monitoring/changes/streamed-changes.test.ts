import { expect, test } from "vitest";
import { companyNode } from "../../../../test/support/companies/company-node.js";
import { createCompanyTables } from "../../../../test/support/companies/company-tables.js";
import { impactOf, revised } from "../../../../test/support/companies/impacts.js";
import { describeEachStore } from "../../../../test/support/stores.js";
import { manualClock } from "../../../kit/manual-clock.js";
import type { CompanyMaterialImpact } from "../event-records.js";
import { listCompanyEventChanges } from "../operations/list-company-event-changes.js";
import { takeTurn } from "../store/account-turn.js";
import { companyLog } from "../store/company-log.js";
import { appendImpact } from "../store/impact-log.js";
import { companiesIn } from "../store/tables.js";
import { createMonitoredCompany } from "../writes/create-monitored-company.js";

const ACCOUNT = "acc_one";

await describeEachStore((open) => {
  async function openRoom() {
    const store = await open();
    await createCompanyTables(store.database);
    const clock = manualClock(Date.UTC(2026, 10, 23));
    const { db } = store.database;
    const parts = { database: store.database, clock, vault: undefined, count: () => undefined };
    const reader = companyLog(parts as never).open(db);
    const append = (impacts: readonly CompanyMaterialImpact[], accountId = ACCOUNT): Promise<void> =>
      db.transaction().execute(async (transaction) => {
        const account = companiesIn(transaction);
        await takeTurn(account, accountId);
        for (const impact of impacts) await appendImpact(account, accountId, impact, clock.now());
      });
    return { clock, reader, append, node: companyNode(store.database, clock) };
  }

  test("the log has an entry for each change of an impact, with the position, facets and content of the change", async () => {
    const { reader, append, clock } = await openRoom();
    const impact = impactOf(clock.now());
    const correction = revised(impact, clock.now());
    await append([impact, correction]);
    const { log, entries } = await reader.read(ACCOUNT, 0, 10);
    expect(log).toEqual({ oldest: 1, newest: 2, snapshotGeneration: 0 });
    expect(entries.map(({ text: _, ...about }) => about)).toEqual([
      { position: 1, subject: impact.companyId, facets: facets("admitted") },
      { position: 2, subject: impact.companyId, facets: facets("corrected") },
    ]);
    expect(entries.map(({ text }) => JSON.parse(text))).toEqual([
      { position: 1, impact: { ...impact, isCurrent: false } },
      { position: 2, impact: { ...correction, isCurrent: true } },
    ]);
    function facets(lifecycle: string) {
      return { companyId: impact.companyId, direction: "negative", lifecycle };
    }
  });

  test("the log names the position of the newest change of the portfolio", async () => {
    const { reader, append, clock, node } = await openRoom();
    const addCompany = (name: string) =>
      node.write(ACCOUNT, (context) =>
        createMonitoredCompany.run({ company: { name, domicileCountry: "DOMICILE_COUNTRY_GB" } }, context),
      );
    await append([impactOf(clock.now())]);
    await addCompany("Acme");
    await addCompany("Bolt");
    await append([impactOf(clock.now())]);
    const log = { oldest: 1, newest: 4, snapshotGeneration: 2, snapshotPosition: 3 };
    expect((await reader.read(ACCOUNT, 0, 10)).log).toEqual(log);
    expect((await reader.read(ACCOUNT, 4, 10)).log).toEqual(log);
  });

  test("the newest positions of several accounts are read with one call, and an account without changes has none", async () => {
    const { reader, append, clock } = await openRoom();
    await append([impactOf(clock.now())]);
    await append([impactOf(clock.now()), impactOf(clock.now())], "acc_two");
    const newest = await reader.newest([ACCOUNT, "acc_two", "acc_three"]);
    expect([...newest].sort()).toEqual([
      [ACCOUNT, 1],
      ["acc_two", 2],
    ]);
    expect(await reader.newest([])).toEqual(new Map());
  });

  test("a client may switch between polls and the stream, which accept the same cursors", async () => {
    const { reader, append, clock, node } = await openRoom();
    const impacts = Array.from({ length: 5 }, (_, at) => impactOf(clock.now() + at));
    await append(impacts);
    const cursors = reader.cursors(ACCOUNT);
    const polled = (cursor: string, pageSize = 50) =>
      listCompanyEventChanges.run({ cursor, pageSize }, node.contextOf(ACCOUNT));
    const first = await polled(await cursors.sign({ position: 1, snapshotGeneration: 0 }), 2);
    expect(first.impacts.map(({ impactId }) => impactId)).toEqual(impacts.slice(1, 3).map(({ impactId }) => impactId));
    expect(await cursors.open(first.nextCursor)).toEqual({ position: 3, snapshotGeneration: 0 });
    await node.write(ACCOUNT, (context) =>
      createMonitoredCompany.run({ company: { name: "Acme", domicileCountry: "DOMICILE_COUNTRY_GB" } }, context),
    );
    const { log } = await reader.read(ACCOUNT, 5, 10);
    const current = await polled(await cursors.sign({ position: 5, snapshotGeneration: log.snapshotGeneration }));
    expect([current.pollState, current.impacts]).toEqual(["COMPANY_EVENT_POLL_STATE_CURRENT", []]);
    await expect(reader.cursors("acc_other").open(first.nextCursor)).rejects.toThrow("validation");
  });
});

import { describe, expect, test } from "vitest";
import { type CompanyNode, companyNode } from "../../../../test/support/companies/company-node.js";
import { createCompanyTables } from "../../../../test/support/companies/company-tables.js";
import { impactOf, revised } from "../../../../test/support/companies/impacts.js";
import { describeEachStore, type OpenStore } from "../../../../test/support/stores.js";
import { DAY_MS } from "../../../kit/clock.js";
import { type ManualClock, manualClock } from "../../../kit/manual-clock.js";
import type { CompanyMaterialImpact } from "../event-records.js";
import { getCompanyMaterialEvent } from "../operations/get-company-material-event.js";
import { listCompanyEventChanges } from "../operations/list-company-event-changes.js";
import { listCompanyEventImpacts } from "../operations/list-company-event-impacts.js";
import { takeTurn } from "../store/account-turn.js";
import { appendImpact } from "../store/impact-log.js";
import { companiesIn } from "../store/tables.js";
import { createMonitoredCompany } from "../writes/create-monitored-company.js";

const ACCOUNT = "acc_one";
const CURRENT = "COMPANY_EVENT_POLL_STATE_CURRENT";
const REQUIRED = "COMPANY_EVENT_POLL_STATE_SNAPSHOT_REQUIRED";
const everything = { companyId: [], direction: [], lifecycle: [], pageSize: 50, cursor: "" } as const;

interface Room {
  readonly store: OpenStore;
  readonly clock: ManualClock;
  readonly node: CompanyNode;
}

const idsOf = (impacts: readonly CompanyMaterialImpact[]): string[] => impacts.map(({ impactId }) => impactId);

async function append({ store, clock }: Room, impacts: readonly CompanyMaterialImpact[], accountId = ACCOUNT) {
  await store.database.db.transaction().execute(async (transaction) => {
    const db = companiesIn(transaction);
    await takeTurn(db, accountId);
    for (const impact of impacts) await appendImpact(db, accountId, impact, clock.now());
  });
}

function newImpacts({ clock }: Room, count: number): CompanyMaterialImpact[] {
  return Array.from({ length: count }, (_, at) => impactOf(clock.now() + at));
}

const poll = ({ node }: Room, cursor: string, pageSize = 50, accountId = ACCOUNT) =>
  listCompanyEventChanges.run({ cursor, pageSize }, node.contextOf(accountId));

const list = ({ node }: Room, query: Partial<Parameters<typeof listCompanyEventImpacts.run>[0]> = {}) =>
  listCompanyEventImpacts.run({ ...everything, ...query }, node.contextOf(ACCOUNT));

const addCompany = ({ node }: Room, name: string) =>
  node.write(ACCOUNT, (context) =>
    createMonitoredCompany.run({ company: { name, domicileCountry: "DOMICILE_COUNTRY_GB" } }, context),
  );

await describeEachStore((open) => {
  async function openRoom(): Promise<Room> {
    const store = await open();
    await createCompanyTables(store.database);
    const clock = manualClock(Date.UTC(2026, 10, 22));
    return { store, clock, node: companyNode(store.database, clock) };
  }

  describe("polls", () => {
    test("a poll of an account without changes is current and has a cursor", async () => {
      const room = await openRoom();
      const { snapshot, impacts } = await list(room);
      expect([impacts, snapshot.snapshotGeneration]).toEqual([[], "0"]);
      const page = await poll(room, snapshot.pollCursor);
      expect(page).toMatchObject({ impacts: [], pollState: CURRENT });
      expect((await poll(room, page.nextCursor)).pollState).toBe(CURRENT);
    });

    test("a poll delivers the changes after its cursor in pages and in order", async () => {
      const room = await openRoom();
      const before = newImpacts(room, 3);
      await append(room, before);
      const { snapshot } = await list(room);
      const later = newImpacts(room, 5);
      await append(room, later);
      const first = await poll(room, snapshot.pollCursor, 2);
      const second = await poll(room, first.nextCursor, 2);
      const third = await poll(room, second.nextCursor, 2);
      expect([first, second, third].map(({ impacts }) => idsOf(impacts))).toEqual([
        idsOf(later.slice(0, 2)),
        idsOf(later.slice(2, 4)),
        idsOf(later.slice(4)),
      ]);
      expect((await poll(room, third.nextCursor)).impacts).toEqual([]);
    });

    test("polls deliver every revision of an impact, and mark the latest as current", async () => {
      const room = await openRoom();
      const { snapshot } = await list(room);
      const [impact] = newImpacts(room, 1) as [CompanyMaterialImpact];
      const correction = revised(impact, room.clock.now());
      await append(room, [impact, correction]);
      const { impacts } = await poll(room, snapshot.pollCursor);
      expect(impacts).toEqual([
        { ...impact, isCurrent: false },
        { ...correction, isCurrent: true },
      ]);
    });

    test("after a change of the portfolio, a poll requires a snapshot and still delivers changes, and the next poll is current", async () => {
      const room = await openRoom();
      const { snapshot } = await list(room);
      const first = newImpacts(room, 1);
      await append(room, first);
      await addCompany(room, "Acme");
      const second = newImpacts(room, 1);
      await append(room, second);
      const page = await poll(room, snapshot.pollCursor, 1);
      expect([page.pollState, idsOf(page.impacts)]).toEqual([REQUIRED, idsOf(first)]);
      const next = await poll(room, page.nextCursor, 1);
      expect([next.pollState, idsOf(next.impacts)]).toEqual([CURRENT, idsOf(second)]);
    });

    test("a poll requires a snapshot and has no next cursor if the position of its cursor is no longer in the log", async () => {
      const room = await openRoom();
      const { snapshot } = await list(room);
      await append(room, newImpacts(room, 3));
      const db = companiesIn(room.store.database.db);
      await db.deleteFrom("company_change").where("position", "<", 3).execute();
      await db.updateTable("company_account").set({ oldest_position: 3 }).execute();
      expect(await poll(room, snapshot.pollCursor)).toEqual({ impacts: [], nextCursor: "", pollState: REQUIRED });
    });

    test("a poll requires a snapshot and has no next cursor if the position of its cursor is beyond the end of the log, as after a restored backup", async () => {
      const room = await openRoom();
      await append(room, newImpacts(room, 3));
      const { snapshot } = await list(room);
      await companiesIn(room.store.database.db).updateTable("company_account").set({ position: 2 }).execute();
      expect(await poll(room, snapshot.pollCursor)).toEqual({ impacts: [], nextCursor: "", pollState: REQUIRED });
    });

    test("a poll fails, and skips no position, if an impact is missing from the log", async () => {
      const room = await openRoom();
      const { snapshot } = await list(room);
      await append(room, newImpacts(room, 2));
      await companiesIn(room.store.database.db).deleteFrom("company_impact").where("visible_from", "=", 1).execute();
      await expect(poll(room, snapshot.pollCursor)).rejects.toThrow("no impact at position 1");
    });

    test("a poll never delivers the changes of another account", async () => {
      const room = await openRoom();
      await append(room, newImpacts(room, 2), "acc_other");
      const { snapshot, impacts } = await list(room);
      await append(room, newImpacts(room, 2), "acc_other");
      expect(impacts).toEqual([]);
      expect((await poll(room, snapshot.pollCursor)).impacts).toEqual([]);
      await expect(poll(room, snapshot.pollCursor, 50, "acc_other")).rejects.toThrow("validation");
      expect(room.node.refused).toEqual(["account"]);
    });
  });

  describe("lists of impacts", () => {
    test("a list of impacts shows the revisions as of its first page, newest impact first, even if revisions and impacts are added between pages", async () => {
      const room = await openRoom();
      const impacts = newImpacts(room, 5);
      await append(room, impacts);
      const first = await list(room, { pageSize: 2 });
      await append(room, [...impacts.map((impact) => revised(impact, room.clock.now())), ...newImpacts(room, 3)]);
      const second = await list(room, { pageSize: 2, cursor: first.nextCursor });
      const third = await list(room, { pageSize: 2, cursor: second.nextCursor });
      expect([...first.impacts, ...second.impacts, ...third.impacts]).toEqual(impacts.toReversed());
      expect(third.nextCursor).toBe("");
      expect((await list(room)).impacts).toHaveLength(8);
    });

    test("the list of impacts can be filtered by company, direction and lifecycle", async () => {
      const room = await openRoom();
      const [first, second, third] = newImpacts(room, 3) as [
        CompanyMaterialImpact,
        CompanyMaterialImpact,
        CompanyMaterialImpact,
      ];
      const positive = { ...second, direction: "MATERIAL_IMPACT_DIRECTION_POSITIVE" } as const;
      await append(room, [first, positive, third, revised(third, room.clock.now())]);
      const filtered = async (query: Parameters<typeof list>[1]) => idsOf((await list(room, query)).impacts);
      expect(await filtered({ companyId: [first.companyId, third.companyId] })).toEqual(idsOf([third, first]));
      expect(await filtered({ direction: ["positive"] })).toEqual(idsOf([second]));
      expect(await filtered({ lifecycle: ["admitted"] })).toEqual(idsOf([second, first]));
      expect(await filtered({ lifecycle: ["corrected"], direction: ["negative"] })).toEqual(idsOf([third]));
      expect(await filtered({ lifecycle: ["retracted"] })).toEqual([]);
    });

    test("the list of impacts refuses a cursor with other filters, and refuses every cursor a day after the first page, even if later pages were read", async () => {
      const room = await openRoom();
      await append(room, newImpacts(room, 4));
      const first = await list(room, { pageSize: 1 });
      room.clock.advance(DAY_MS);
      const second = await list(room, { pageSize: 1, cursor: first.nextCursor });
      await expect(list(room, { cursor: second.nextCursor, direction: ["negative"] })).rejects.toThrow("validation");
      room.clock.advance(61_000);
      await expect(list(room, { cursor: second.nextCursor })).rejects.toThrow("validation");
      expect(room.node.refused).toEqual(["filters", "expired"]);
    });

    test("the list of impacts refuses a cursor if revisions of its list may have been removed, or if its position is beyond the end of the log", async () => {
      const room = await openRoom();
      await append(room, newImpacts(room, 4));
      const { nextCursor: cursor } = await list(room, { pageSize: 1 });
      const accounts = companiesIn(room.store.database.db).updateTable("company_account");
      await accounts.set({ lists_from: 5, position: 5 }).execute();
      await expect(list(room, { cursor })).rejects.toThrow("validation");
      await accounts.set({ lists_from: 0, position: 3 }).execute();
      await expect(list(room, { cursor })).rejects.toThrow("validation");
      expect(room.node.refused).toEqual(["gone", "gone"]);
    });
  });

  describe("events", () => {
    test("an event is served with the latest revision of its impact and at most 20 references, and only to its account", async () => {
      const room = await openRoom();
      const [impact] = newImpacts(room, 1) as [CompanyMaterialImpact];
      const correction = revised(impact, room.clock.now());
      await append(room, [impact, correction]);
      const of = { account_id: ACCOUNT, event_id: impact.eventId };
      const db = companiesIn(room.store.database.db);
      const event = { eventId: impact.eventId, title: "Recall" };
      await db
        .insertInto("company_event")
        .values({ ...of, body: JSON.stringify(event) })
        .execute();
      const references = Array.from({ length: 25 }, (_, at) => ({ evidenceId: `evidence ${at}` }));
      for (const [ordinal, reference] of references.entries()) {
        const row = { ...of, ordinal, evidence_id: reference.evidenceId, body: JSON.stringify(reference) };
        await db.insertInto("company_evidence").values(row).execute();
      }
      expect(await getCompanyMaterialEvent.run({ impactId: impact.impactId }, room.node.contextOf(ACCOUNT))).toEqual({
        event,
        impact: correction,
        evidence: references.slice(0, 20),
        evidenceTotalCount: 25,
        evidenceTruncated: true,
      });
      const foreign = getCompanyMaterialEvent.run({ impactId: impact.impactId }, room.node.contextOf("acc_other"));
      await expect(foreign).rejects.toMatchObject({ status: 404, body: { code: "NOT_FOUND" } });
    });
  });
});

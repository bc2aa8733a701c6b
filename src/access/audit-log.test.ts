import { describe, expect, test } from "vitest";
import { describeEachStore } from "../../test/support/stores.js";
import type { OpenDatabase } from "../database/open-database.js";
import { DAY_MS } from "../kit/clock.js";
import { type AuditEvent, type AuditQuery, audit, auditEvents, thinAuditLog } from "./audit-log.js";

const NOW = Date.UTC(2026, 10, 18, 12);

const refused = (at: number): AuditEvent => ({ at, action: "sign-in.refused", actor: "anonymous" });
const planChanged = (at: number, accountId: string): AuditEvent => ({
  at,
  action: "plan.changed",
  actor: "command line",
  accountId,
});

await describeEachStore((open) => {
  async function opened(events: readonly AuditEvent[]): Promise<OpenDatabase> {
    const { database } = await open();
    for (const event of events) await audit(database.db, event);
    return database;
  }

  async function timesOf({ db }: OpenDatabase, query: AuditQuery): Promise<readonly number[]> {
    return (await auditEvents(db, query)).map(({ at }) => at - NOW);
  }

  test("a stored event is read back unchanged", async () => {
    const event: AuditEvent = {
      at: NOW,
      action: "key.created",
      actor: "key_1",
      accountId: "acc_1",
      subject: "key_2",
      address: "2001:db8::1",
      detail: { name: `"quoted" ✓`, scopes: ["read"], expiresAt: null, count: 3 },
    };
    const { db } = await opened([event]);
    expect(await auditEvents(db, { limit: 10 })).toEqual([{ ...event, id: expect.any(Number) }]);
  });

  test("members left out of a written event are absent when it is read, except the detail, which is empty", async () => {
    const { db } = await opened([refused(NOW)]);
    const [read] = await auditEvents(db, { limit: 10 });
    expect(Object.keys(read ?? {}).sort()).toEqual(["action", "actor", "at", "detail", "id"]);
    expect(read?.detail).toEqual({});
  });

  test("events are listed from the last written to the first, whatever the clock says", async () => {
    const database = await opened([2, 1, 3].map((ms) => refused(NOW + ms)));
    expect(await timesOf(database, { limit: 10 })).toEqual([3, 1, 2]);
  });

  test("a query with a limit returns only the newest events", async () => {
    const database = await opened([1, 2, 3].map((ms) => refused(NOW + ms)));
    expect(await timesOf(database, { limit: 2 })).toEqual([3, 2]);
  });

  test("paging by the last id neither skips nor repeats events, even while events are added", async () => {
    const database = await opened([1, 2, 3, 4, 5].map((ms) => refused(NOW + ms)));
    const times: number[] = [];
    let before: number | undefined;
    for (;;) {
      const page = await auditEvents(database.db, { limit: 2, ...(before !== undefined && { before }) });
      const last = page.at(-1);
      if (!last) break;
      times.push(...page.map(({ at }) => at - NOW));
      before = last.id;
      await audit(database.db, refused(NOW + 100));
    }
    expect(times).toEqual([5, 4, 3, 2, 1]);
  });

  test("events are filtered by action, by account, or by both", async () => {
    const events = [planChanged(NOW + 1, "acc_a"), refused(NOW + 2), planChanged(NOW + 3, "acc_b")];
    const database = await opened([...events, { ...refused(NOW + 4), accountId: "acc_a" }]);
    expect(await timesOf(database, { limit: 10, action: "plan.changed" })).toEqual([3, 1]);
    expect(await timesOf(database, { limit: 10, accountId: "acc_a" })).toEqual([4, 1]);
    expect(await timesOf(database, { limit: 10, accountId: "acc_a", action: "plan.changed" })).toEqual([1]);
    expect(await timesOf(database, { limit: 10, action: "no such" })).toEqual([]);
  });

  test("an event with unreadable details is marked, and the others stay readable", async () => {
    const database = await opened([planChanged(NOW + 1, "acc_a"), planChanged(NOW + 2, "acc_a")]);
    await database.db
      .updateTable("audit_event")
      .set({ detail: '{"plan":' })
      .where("at", "=", NOW + 1)
      .execute();
    expect((await auditEvents(database.db, { limit: 10 })).map(({ at, detail }) => [at - NOW, detail])).toEqual([
      [2, {}],
      [1, { unreadable: "the stored detail is not JSON" }],
    ]);
  });

  test("an event in a failed transaction is not stored", async () => {
    const database = await opened([]);
    const failing = database.db.transaction().execute(async (transaction) => {
      await audit(transaction, refused(NOW));
      throw new Error("the change failed");
    });
    await expect(failing).rejects.toThrow("the change failed");
    expect(await auditEvents(database.db, { limit: 10 })).toEqual([]);
  });

  describe("thinning", () => {
    const keeping = { frequent: { keptMs: 100, eventsMax: 2 }, all: { keptMs: 1_000, eventsMax: 4 } };

    test("thinning removes events older than the limit of their kind, but keeps events exactly at the limit", async () => {
      const database = await opened([
        planChanged(NOW - 1_001, "a"),
        planChanged(NOW - 1_000, "a"),
        refused(NOW - 101),
        refused(NOW - 100),
      ]);
      await thinAuditLog(database.db, NOW, keeping);
      expect(await timesOf(database, { limit: 10 })).toEqual([-100, -1_000]);
    });

    test("if frequent events exceed their own limit, thinning removes only the oldest frequent events", async () => {
      const database = await opened([planChanged(NOW, "a"), ...[1, 2, 3, 4, 5].map((ms) => refused(NOW + ms))]);
      await thinAuditLog(database.db, NOW, keeping);
      expect(await timesOf(database, { limit: 10 })).toEqual([5, 4, 0]);
    });

    test("if all events together exceed their limit, thinning keeps only the newest", async () => {
      const database = await opened([1, 2, 3, 4, 5].map((ms) => planChanged(NOW + ms, "a")));
      await thinAuditLog(database.db, NOW, keeping);
      expect(await timesOf(database, { limit: 10 })).toEqual([5, 4, 3, 2]);
    });

    test("with the default limits, thinning keeps 29-day-old events of every kind", async () => {
      const database = await opened([refused(NOW), planChanged(NOW, "a")]);
      await thinAuditLog(database.db, NOW + 29 * DAY_MS);
      expect(await timesOf(database, { limit: 10 })).toHaveLength(2);
    });
  });
});

import { createHash } from "node:crypto";
import { sql } from "kysely";
import { expect, test } from "vitest";
import { describeEachStore } from "../../test/support/stores.js";
import type { PlanEvent } from "../contract/access/accounts.js";
import { idempotencyStore } from "../database/idempotency.js";
import { leases, newHolder } from "../database/leases.js";
import { DAY_MS } from "../kit/clock.js";
import { manualClock } from "../kit/manual-clock.js";
import { accessVersion } from "./access-change.js";
import { accountsOf } from "./accounts.js";
import { auditEvents } from "./audit-log.js";
import { type AppliedPlanEvent, EVENTS_KEPT_MAX, planEventsOf, type ReceivedPlanEvent } from "./plan-events.js";

const NOW = Date.UTC(2026, 10, 18, 12);
const by = { actor: "plan events", address: "192.0.2.1" };
const lapse: PlanEvent = { eventId: "evt_1", accountId: "acc_a", plan: "starter", state: "lapsed" };
const renew: PlanEvent = { eventId: "evt_2", accountId: "acc_a", plan: "business", state: "active" };

function received(event: PlanEvent): ReceivedPlanEvent {
  return { ...event, bytes: Buffer.from(JSON.stringify(event)) };
}

function sha256(content: string | Buffer): string {
  return createHash("sha256").update(content).digest("hex");
}

await describeEachStore((openStore) => {
  async function ready() {
    const store = await openStore();
    const clock = manualClock(NOW);
    const { db } = store.database;
    const accounts = accountsOf(store.database, "vgl_", clock.now);
    await accounts.create({ id: "acc_a", name: "A", plan: "starter" }, by);
    const events = planEventsOf(store.database, clock.now);
    const planChanges = async () =>
      (await auditEvents(db, { limit: 100 })).filter(({ action }) => action === "plan.changed").length;
    const storedCount = async () => (await db.selectFrom("plan_event").select("event_hash").execute()).length;
    return { ...store, db, clock, accounts, events, planChanges, storedCount };
  }

  test("an event repeated a year later changes nothing and returns the account as it was after the first time", async () => {
    const { clock, accounts, events, planChanges } = await ready();
    const first = await events.apply(received(lapse), by);
    const lapsed = { id: "acc_a", plan: "starter", planState: "lapsed" };
    expect(first).toMatchObject({ account: lapsed, isRepeat: false });
    await events.apply(received(renew), by);
    clock.advance(365 * DAY_MS);
    expect(await events.apply(received(lapse), by)).toEqual({ ...(first as object), isRepeat: true });
    expect(await accounts.find("acc_a")).toMatchObject({ plan: "business", planState: "active" });
    expect(await planChanges()).toBe(2);
  });

  test("an event that changes nothing is no access change", async () => {
    const { db, events } = await ready();
    await events.apply(received(lapse), by);
    const version = await accessVersion(db);
    await events.apply(received(lapse), by);
    await events.apply(received({ ...lapse, state: "active" }), by);
    await events.apply(received({ ...renew, accountId: "acc_soon" }), by);
    expect(await accessVersion(db)).toBe(version);
    await events.apply(received(renew), by);
    expect(await accessVersion(db)).not.toBe(version);
  });

  test("an event sent several times at once is applied once", async () => {
    const { events, openAgain, clock, planChanges } = await ready();
    const nodes = [events, planEventsOf(await openAgain(), clock.now)];
    const outcomes = await Promise.all([...nodes, ...nodes].map((node) => node.apply(received(lapse), by)));
    expect(outcomes).toMatchObject(Array.from({ length: 4 }, () => ({ account: { planState: "lapsed" } })));
    expect(outcomes.filter((outcome) => (outcome as AppliedPlanEvent).isRepeat)).toHaveLength(3);
    expect(await planChanges()).toBe(1);
  });

  test("an event with the id of an applied event and another body is refused", async () => {
    const { accounts, events } = await ready();
    await events.apply(received(lapse), by);
    expect(await events.apply(received({ ...lapse, state: "active" }), by)).toBe("other body");
    expect(await accounts.find("acc_a")).toMatchObject({ planState: "lapsed" });
  });

  test("an event of an unknown account is not stored, so it can be sent again", async () => {
    const { accounts, events } = await ready();
    const soon = received({ ...lapse, accountId: "acc_soon" });
    expect(await events.apply(soon, by)).toBeUndefined();
    await accounts.create({ id: "acc_soon", name: "Soon", plan: "starter" }, by);
    expect(await events.apply(soon, by)).toMatchObject({ account: { planState: "lapsed" } });
  });

  test("a plan stays as it was if its event cannot be stored", async () => {
    const { db, accounts, events, planChanges } = await ready();
    await db.schema.alterTable("plan_event").renameColumn("applied_at", "renamed_at").execute();
    try {
      await expect(events.apply(received(lapse), by)).rejects.toThrow("applied_at");
    } finally {
      // Other tests use the same PostgreSQL database.
      await db.schema.alterTable("plan_event").renameColumn("renamed_at", "applied_at").execute();
    }
    expect(await accounts.find("acc_a")).toMatchObject({ planState: "active" });
    expect(await planChanges()).toBe(0);
  });

  test("the newest events of each account are kept, and the oldest are forgotten", async () => {
    const { db, clock, events, storedCount } = await ready();
    const earlier = Array.from({ length: EVENTS_KEPT_MAX }, (_, at) => ({
      event_hash: `hash ${at}`,
      body_hash: "",
      account_id: "acc_a",
      account: "{}",
      applied_at: NOW + at,
    }));
    await db.insertInto("plan_event").values(earlier).execute();
    await db
      .insertInto("plan_event")
      .values({ event_hash: "hash of b", body_hash: "", account_id: "acc_b", account: "{}", applied_at: 0 })
      .execute();
    clock.advance(DAY_MS);
    await events.apply(received(lapse), by);
    expect(await storedCount()).toBe(EVENTS_KEPT_MAX + 1);
    const [oldest] = await db
      .selectFrom("plan_event")
      .select("event_hash")
      .where("account_id", "=", "acc_a")
      .orderBy("applied_at")
      .execute();
    expect(oldest).toEqual({ event_hash: "hash 1" });
  });

  /** A node of a build that keeps applied events among the idempotency claims. */
  function earlierBuild({ database, accounts, clock }: Awaited<ReturnType<typeof ready>>) {
    const holder = newHolder();
    const claims = idempotencyStore(database, leases(database, clock), holder, clock);
    const take = ({ eventId, bytes }: ReceivedPlanEvent) =>
      claims.take(sha256(`plan event ${eventId}`), sha256(bytes), by.actor);
    return {
      take,
      /** Begins to apply an event, and returns the function that ends it. */
      async begin(event: ReceivedPlanEvent) {
        const claim = await take(event);
        if (claim.kind !== "taken") throw new Error(`the claim is ${claim.kind}`);
        return async () => {
          const account = await accounts.setPlan(event.accountId, event.plan, event.state, by);
          const body = JSON.stringify({ account });
          await claims.finish(database.db, claim.token, { status: 200, contentType: "application/json", body });
          return account;
        };
      },
    };
  }

  test("an event that an earlier build applied on the same store is not applied again", async () => {
    const room = await ready();
    const { accounts, clock, events, planChanges } = room;
    const end = await earlierBuild(room).begin(received(lapse));
    const lapsed = await end();
    await events.apply(received(renew), by);
    expect(await events.apply(received({ ...lapse, state: "active" }), by)).toBe("other body");
    expect(await events.apply(received(lapse), by)).toEqual({ account: lapsed, isRepeat: true });
    clock.advance(365 * DAY_MS);
    await room.db.deleteFrom("idempotency_claim").execute();
    expect(await events.apply(received(lapse), by)).toEqual({ account: lapsed, isRepeat: true });
    expect(await accounts.find("acc_a")).toMatchObject({ plan: "business", planState: "active" });
    expect(await planChanges()).toBe(2);
  });

  test("an event that an earlier build was applying during the migration is not applied again", async () => {
    const room = await ready();
    const { db, accounts, openAgain, clock } = room;
    await db.schema.dropTable("plan_event").execute();
    await sql`delete from kysely_migration where name >= '015'`.execute(db);
    const end = await earlierBuild(room).begin(received(lapse));
    const events = planEventsOf(await openAgain(), clock.now);
    const lapsed = await end();
    await events.apply(received(renew), by);
    expect(await events.apply(received(lapse), by)).toEqual({ account: lapsed, isRepeat: true });
    expect(await accounts.find("acc_a")).toMatchObject({ plan: "business", planState: "active" });
  });

  test("an earlier build on the same store does not apply an event again", async () => {
    const room = await ready();
    const outcome = (await room.events.apply(received(lapse), by)) as AppliedPlanEvent;
    const { take } = earlierBuild(room);
    const answer = { status: 200, contentType: "application/json", body: JSON.stringify({ account: outcome.account }) };
    expect(await take(received(lapse))).toEqual({ kind: "done", answer });
    expect(await take(received({ ...lapse, state: "active" }))).toEqual({ kind: "other-body" });
  });
});

import fc from "fast-check";
import { expect, test } from "vitest";
import { randomRuns } from "../../../../test/support/effort.js";
import { describeEachStore } from "../../../../test/support/stores.js";
import type { OpenDatabase } from "../../../database/open-database.js";
import type { PortfolioTurn } from "../ports.js";
import { companyOf } from "./company-row.js";
import { companiesIn } from "./tables.js";
import { add, inState, inTurn, prepared } from "./testing/turns.js";

const ACCOUNTS = ["acc_a", "acc_b"] as const;

/** Returns all stored rows of an account. */
async function rowsOf(database: OpenDatabase, accountId: string) {
  const db = companiesIn(database.db);
  const account = await db
    .selectFrom("company_account")
    .selectAll()
    .where("account_id", "=", accountId)
    .executeTakeFirst();
  const versions = await db
    .selectFrom("company_version")
    .selectAll()
    .where("account_id", "=", accountId)
    .orderBy("visible_from")
    .execute();
  const changes = await db
    .selectFrom("company_change")
    .selectAll()
    .where("account_id", "=", accountId)
    .orderBy("position")
    .execute();
  const scans = await db.selectFrom("company_scan").selectAll().where("account_id", "=", accountId).execute();
  return { account, versions, changes, scans };
}

/** Checks the invariants of an account, and returns its current companies. */
async function expectConsistent(database: OpenDatabase, accountId: string, effectiveWrites: number) {
  const { account, versions, changes, scans } = await rowsOf(database, accountId);
  const positions = Array.from({ length: effectiveWrites }, (_, at) => at + 1);
  expect([account?.position ?? 0, account?.generation ?? 0]).toEqual([effectiveWrites, effectiveWrites]);
  expect(changes.map(({ position }) => position)).toEqual(positions);
  expect(versions.map(({ visible_from }) => visible_from)).toEqual(positions);
  const current = versions.filter(({ visible_to }) => visible_to === null);
  const companyIds = new Set(versions.map(({ company_id }) => company_id));
  expect(new Set(current.map(({ company_id }) => company_id))).toEqual(companyIds);
  expect(current).toHaveLength(companyIds.size);
  expect(account?.company_count ?? 0).toBe(current.filter(({ lifecycle }) => lifecycle !== "removed").length);
  const active = current.filter(({ lifecycle }) => lifecycle === "active").map(({ company_id }) => company_id);
  expect(new Set(scans.map(({ company_id }) => company_id))).toEqual(new Set(active));
  return current.map(companyOf);
}

const command = fc.oneof(
  fc.record({
    kind: fc.constant("create" as const),
    name: fc.constantFrom("A", "B"),
    requestId: fc.constantFrom("1", "2", "3"),
  }),
  fc.record({
    kind: fc.constant("state" as const),
    at: fc.nat({ max: 3 }),
    target: fc.constantFrom("active" as const, "paused" as const, "removed" as const),
  }),
);
const schedule = fc.array(fc.record({ account: fc.constantFrom(...ACCOUNTS), command, crashes: fc.boolean() }), {
  maxLength: 12,
});

await describeEachStore((open) => {
  test("positions have no gaps and the generation counts effective writes, even after rollbacks", async () => {
    const store = await open();
    const { parts, clock } = await prepared(store);
    let run = 0;
    await fc.assert(
      fc.asyncProperty(schedule, async (steps) => {
        run += 1;
        const effective = new Map<string, number>(ACCOUNTS.map((account) => [`${account}_${run}`, 0]));
        for (const { account, command: step, crashes } of steps) {
          clock.advance(1);
          const accountId = `${account}_${run}`;
          const isEffective = inTurn(parts, accountId, async (turn) => {
            const changed = await perform(turn, step);
            if (crashes) throw new Error("crash");
            return changed;
          }).catch((error: unknown) => {
            if ((error as Error).message !== "crash") throw error;
            return false;
          });
          if (await isEffective) effective.set(accountId, (effective.get(accountId) ?? 0) + 1);
        }
        for (const [accountId, writes] of effective) await expectConsistent(store.database, accountId, writes);
      }),
      { numRuns: randomRuns(200) },
    );

    /** Performs a step. Returns true if the step changes the portfolio. */
    async function perform(turn: PortfolioTurn, step: typeof command extends fc.Arbitrary<infer C> ? C : never) {
      if (step.kind === "create") return (await add(turn, step.name, step.requestId)).outcome === "created";
      const earlier = (await turn.findRequest({ kind: "create", requestId: String(step.at) })).get(0);
      const company = earlier && (await turn.find(earlier.companyId));
      if (!company || company.lifecycle === "removed" || company.lifecycle === step.target) return false;
      await turn.replace(company, inState(company, step.target, turn.now));
      return true;
    }
  });

  test("16 concurrent writers on two connections leave positions without gaps and one company for each request", async () => {
    const store = await open();
    const { parts } = await prepared(store);
    const other = await store.openAgain();
    const writers = Array.from({ length: 16 }, (_, writer) => async () => {
      for (let turnNumber = 0; turnNumber < 5; turnNumber += 1) {
        const requestId = String((writer * 5 + turnNumber) % 20);
        const database = writer % 2 === 0 ? store.database : other;
        await inTurn(parts, "acc_a", (turn) => add(turn, "A", requestId, `ref-${requestId}`), database);
      }
    });
    await Promise.all(writers.map((write) => write()));
    const companies = await expectConsistent(store.database, "acc_a", 20);
    expect(new Set(companies.map(({ customerReference }) => customerReference)).size).toBe(20);
  }, 60_000);

  test("a version is visible from its own position until the position of the next version", async () => {
    const store = await open();
    const { parts } = await prepared(store);
    const creation = await inTurn(parts, "acc_a", (turn) => add(turn, "A"));
    if (!("company" in creation)) throw new Error("not created");
    await inTurn(parts, "acc_a", (turn) =>
      turn.replace(creation.company, inState(creation.company, "removed", turn.now)),
    );
    const { versions } = await rowsOf(store.database, "acc_a");
    expect(versions.map(({ visible_from, visible_to, lifecycle }) => [visible_from, visible_to, lifecycle])).toEqual([
      [1, 2, "active"],
      [2, null, "removed"],
    ]);
  });
});

import { expect, test } from "vitest";
import { describeEachStore } from "../../../../../test/support/stores.js";
import { MINUTE_MS } from "../../../../kit/clock.js";
import { companiesIn } from "../tables.js";
import { prepared } from "../testing/turns.js";
import { playStep } from "./scripted-writer.js";

await describeEachStore((open) => {
  test("a demo has companies and a change after its first step, and one more change with every further step", async () => {
    const store = await open();
    const { parts, clock } = await prepared(store);
    const db = companiesIn(store.database.db);
    const counters = () =>
      db.selectFrom("company_account").select(["position", "generation", "company_count"]).executeTakeFirstOrThrow();
    await playStep(parts);
    expect(await counters()).toEqual({ position: 6, generation: 5, company_count: 5 });
    for (let step = 2; step <= 20; step += 1) {
      clock.advance(MINUTE_MS);
      await playStep(parts);
    }
    expect(await counters()).toEqual({ position: 25, generation: 5, company_count: 5 });
    const impacts = await db.selectFrom("company_impact").select("visible_to").execute();
    expect([impacts.length, impacts.filter(({ visible_to }) => visible_to === null).length]).toEqual([20, 8]);
    const changes = await db.selectFrom("company_change").select("position").orderBy("position").execute();
    expect(changes.map(({ position }) => position)).toEqual(Array.from({ length: 25 }, (_, at) => at + 1));
  });
});

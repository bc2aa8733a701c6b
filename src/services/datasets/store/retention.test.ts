import { sql } from "kysely";
import { expect, test } from "vitest";
import { describeEachStore } from "../../../../test/support/stores.js";
import { DAY_MS } from "../../../kit/clock.js";
import { manualClock } from "../../../kit/manual-clock.js";
import { logExtent, statesNow } from "./change-log.js";
import { logWriter } from "./log-writer.js";
import { POSITIONS_MAX, thinLog } from "./retention.js";
import { datasetsIn } from "./tables.js";
import { logParts, standingOf } from "./testing/log-node.js";

const NOW = Date.UTC(2026, 10, 23);

await describeEachStore((open) => {
  async function opened() {
    const { database } = await open();
    const clock = manualClock(NOW);
    const parts = await logParts(database, clock);
    const db = datasetsIn(database.db);
    const positions = async () =>
      (await db.selectFrom("dataset_change").select("position").orderBy("position").execute()).map(
        ({ position }) => position,
      );
    return { clock, parts, db, positions, write: logWriter(parts) };
  }

  test("changes leave the log after 90 days, except the newest of each dataset", async () => {
    const { clock, parts, db, positions, write } = await opened();
    await write([standingOf("a", 1), standingOf("b", 1), standingOf("c", 1)]);
    await write([standingOf("a", 2), standingOf("b", 1), standingOf("c", 1)]);
    clock.advance(DAY_MS);
    await write([standingOf("a", 2), standingOf("b", 1), standingOf("c", 2)]);
    clock.advance(89 * DAY_MS);
    await thinLog(parts);
    expect([await positions(), (await logExtent(db)).oldest]).toEqual([[1, 2, 3, 4, 5], 1]);
    clock.advance(1);
    await thinLog(parts);
    expect([await positions(), (await logExtent(db)).oldest]).toEqual([[2, 4, 5], 4]);
    await thinLog(parts);
    expect(await positions()).toEqual([2, 4, 5]);
    const { datasets, position } = await statesNow(db);
    expect(datasets.map(({ dataset, generation }) => `${dataset} ${generation}`)).toEqual(["a 2", "b 1", "c 2"]);
    expect(position).toBe(5);
  });

  test("a change that was kept as the newest of its dataset is removed once the dataset changes again, and the start of the log never moves back", async () => {
    const { clock, parts, db, positions, write } = await opened();
    await write([standingOf("a", 1), standingOf("b", 1)]);
    await write([standingOf("a", 1), standingOf("b", 2)]);
    clock.advance(91 * DAY_MS);
    await thinLog(parts);
    expect([await positions(), (await logExtent(db)).oldest]).toEqual([[1, 3], 3]);
    await write([standingOf("a", 2), standingOf("b", 2)]);
    await thinLog(parts);
    expect([await positions(), (await logExtent(db)).oldest]).toEqual([[3, 4], 3]);
  });

  test(`the log reaches back at most ${POSITIONS_MAX} positions`, async () => {
    const { parts, db, positions, write } = await opened();
    await write([standingOf("a", 1)]);
    await write([standingOf("a", 2)]);
    const last = POSITIONS_MAX + 2_500;
    await sql`
      insert into dataset_change (position, dataset, state, changed_at, next_position)
      with recursive n(i) as (select 3 union all select i + 1 from n where i < 3000)
      select i, 'b', 'ok', ${NOW}, i + 1 from n`.execute(db);
    await db.updateTable("dataset_log").set({ position: last }).execute();
    await thinLog(parts);
    expect((await positions()).slice(0, 2)).toEqual([2, 2_501]);
    expect((await logExtent(db)).oldest).toBe(2_501);
  });
});

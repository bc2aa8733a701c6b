import { expect, test } from "vitest";
import { describeEachStore } from "../../../../test/support/stores.js";
import { DAY_MS, HOUR_MS, MINUTE_MS } from "../../../kit/clock.js";
import { manualClock } from "../../../kit/manual-clock.js";
import { companyCursors } from "../changes/cursors.js";
import { cursorKeyPolicy, cursorRing } from "./cursor-ring.js";

const use = { surface: "list-company-event-changes", filterHash: "0".repeat(64) } as const;
const state = { snapshotGeneration: 1, snapshotAsOf: 0, watermark: 5 };

await describeEachStore((open) => {
  test("no node refuses an unexpired cursor of another node while the keys rotate", async () => {
    const { database, openAgain } = await open();
    const clock = manualClock(Date.UTC(2026, 10, 22));
    const refused: string[] = [];
    const nodes = [database, await openAgain()].map((node) =>
      companyCursors({
        accountId: "acc_one",
        ring: cursorRing({ database: node, clock, vault: undefined }),
        now: clock.now,
        onRefused: (reason) => refused.push(reason),
      }),
    );
    const keys = new Set<unknown>();
    let signed: { readonly cursor: string; readonly at: number }[] = [];
    for (let hour = 0; hour < 24 * 22; hour += 1) {
      clock.advance(HOUR_MS);
      // The nodes are used at different times, so that they read the keys at different times.
      for (const node of nodes) {
        clock.advance(MINUTE_MS / 4);
        const cursor = await node.sign(use, state);
        keys.add(JSON.parse(Buffer.from(cursor.split(".")[1] ?? "", "base64url").toString()).k);
        signed.push({ cursor, at: clock.now() });
      }
      signed = signed.filter(({ at }) => clock.now() - at <= DAY_MS);
      for (const { cursor } of signed) for (const node of nodes) await node.open(cursor, use);
    }
    expect(keys.size).toBe(4);
    expect(refused).toEqual([]);
  });

  test("the key of a cursor is retired only after the cursor has expired", async () => {
    const { database } = await open();
    const clock = manualClock(Date.UTC(2026, 10, 22));
    const refused: string[] = [];
    const cursors = companyCursors({
      accountId: "acc_one",
      ring: cursorRing({ database, clock, vault: undefined }),
      now: clock.now,
      onRefused: (reason) => refused.push(reason),
    });
    const cursor = await cursors.sign(use, state);
    for (let day = 0; day < 10; day += 1) {
      clock.advance(DAY_MS);
      await cursors.open(cursor, use).catch(() => undefined);
    }
    expect(new Set(refused)).toEqual(new Set(["expired", "unknown-key"]));
    expect(refused.indexOf("unknown-key")).toBeGreaterThan(cursorKeyPolicy.rotatedEveryMs / DAY_MS - 1);
  });

  test("concurrent calls share one read of the keys", async () => {
    const { database } = await open();
    const ring = cursorRing({ database, clock: manualClock(0), vault: undefined });
    const rings = await Promise.all([ring(), ring(), ring()]);
    expect(new Set(rings).size).toBe(1);
  });
});

import { describe, expect, test } from "vitest";
import { buildOf, describeEachStore, finishedRun } from "../../../test/support/stores.js";
import { bodyStore, UnreadableBody } from "../../database/bodies.js";
import { DAY_MS, HOUR_MS } from "../../kit/clock.js";
import { LoopTurns } from "../../kit/loop-turns.js";
import { manualClock } from "../../kit/manual-clock.js";
import { seededRandom } from "../../kit/random.js";
import type { Generation } from "../generation.js";
import { applyRetention } from "../history/retention.js";
import { snapshotStore } from "../store.js";
import { BodyDamaged, contentText } from "./body.js";
import { headText } from "./delta-head.js";
import { storedBodies } from "./stored-bodies.js";

const START = Date.UTC(2026, 10, 18, 12);
const ROWS = 1_000;

type Row = { readonly id: string; readonly value: number; readonly text: string };

/** Creates a row that compresses badly, as measurements do. */
function rowOf(id: number, random: () => number): Row {
  const text = Array.from({ length: 5 }, () => Math.floor(random() * 1e9).toString(36)).join(" ");
  return { id: `row-${id}`, value: Math.floor(random() * 1e6), text };
}

await describeEachStore((open) => {
  async function opened() {
    const { database, dataDir } = await open();
    const clock = manualClock(START);
    const bodies = bodyStore(database, dataDir, clock);
    const store = snapshotStore(database, bodies);
    const random = seededRandom(19);
    let rows: readonly Row[] = Array.from({ length: ROWS }, (_, id) => rowOf(id, random));
    const versions = new Map<number, readonly Row[]>();
    async function publish(next: readonly Row[]): Promise<Generation> {
      rows = next;
      clock.advance(HOUR_MS);
      const at = clock.now();
      const published = await store.publish("rows", buildOf({ rows }), finishedRun("rows", at, {}, []), at);
      versions.set(published.generation, rows);
      return published;
    }
    /** Publishes the latest rows with one in a hundred changed. */
    const publishChange = (): Promise<Generation> =>
      publish(rows.map((row, id) => (random() < 0.01 ? rowOf(id, random) : row)));
    const rowsOf = async (generation: Generation): Promise<unknown> => (await store.records(generation))["rows"];
    return { bodies, clock, database, publish, publishChange, random, rowsNow: () => rows, rowsOf, store, versions };
  }

  describe("a large body", () => {
    test("with one changed row in a hundred is stored in less than a tenth of its size on average, and is read as published", async () => {
      const { bodies, publish, publishChange, rowsNow, rowsOf, versions } = await opened();
      const published = [await publish(rowsNow())];
      for (let generation = 1; generation < 70; generation += 1) published.push(await publishChange());
      const sizes = new Map((await bodies.list()).map(({ contentHash, bytes }) => [contentHash, bytes]));
      const [whole = 0, ...stored] = published.map(({ contentHash }) => sizes.get(contentHash) ?? 0);
      expect(stored.slice(0, 63).reduce((sum, bytes) => sum + bytes, whole) / 64).toBeLessThan(whole / 10);
      expect(stored[63]).toBeGreaterThan(whole * 0.9);
      // The estimate of a generation's memory relies on `bodyBytes` being the size of a whole body.
      for (const { bodyBytes } of published) expect(bodyBytes).toBeGreaterThan(whole * 0.9);
      // Some generations from every part of the chain, and the generations around its end.
      const read = published.filter((_, at) => at % 6 === 0 || (at > 61 && at < 66));
      for (const generation of read) expect(await rowsOf(generation)).toEqual(versions.get(generation.generation));
    });

    test("with rows that are added, removed and moved is read as published", async () => {
      const { publish, random, rowsNow, rowsOf, versions } = await opened();
      const published = [await publish(rowsNow())];
      for (let round = 0; round < 30; round += 1) {
        const left = rowsNow().filter(() => random() > 0.02);
        const added = Array.from({ length: 1 + Math.floor(random() * 30) }, (_, id) => rowOf(id, random));
        const at = Math.floor(random() * left.length);
        published.push(await publish([...left.slice(at), ...added, ...left.slice(0, at)]));
      }
      for (const generation of published) expect(await rowsOf(generation)).toEqual(versions.get(generation.generation));
    });

    test("that changes completely is stored whole", async () => {
      const { bodies, publish, random, rowsNow } = await opened();
      const first = await publish(rowsNow());
      const second = await publish(rowsNow().map((_, id) => rowOf(id, random)));
      expect(second.bodyBytes).toBeGreaterThan(first.bodyBytes * 0.9);
      expect(await bodies.bases()).toEqual(new Map());
    });
  });

  describe("retention", () => {
    test("keeps the bases of a kept body, and removes them with the last body that builds on them", async () => {
      const { bodies, clock, database, publish, publishChange, random, rowsNow, rowsOf, store, versions } =
        await opened();
      for (let generation = 0; generation < 12; generation += 1) await publishChange();
      const policy = { wholeMs: 0, dailyMs: 0, bodyBytesMax: 1e9 };
      clock.advance(5 * DAY_MS);
      await applyRetention(database, bodies, ["rows"], policy, clock.now());
      const kept = await store.newest("rows");
      expect(kept && (await rowsOf(kept))).toEqual(versions.get(12));
      const bases = (await bodies.bases()).get(kept?.contentHash ?? "");
      expect((await bodies.list()).map(({ contentHash }) => contentHash).sort()).toEqual(
        [kept?.contentHash ?? "", ...(bases ?? [])].sort(),
      );
      expect(bases?.length).toBeGreaterThan(2);

      const last = await publish(rowsNow().map((_, id) => rowOf(id, random)));
      await applyRetention(database, bodies, ["rows"], policy, clock.now());
      expect((await bodies.list()).map(({ contentHash }) => contentHash)).toEqual([last.contentHash]);
      expect(await bodies.bases()).toEqual(new Map());
    });

    test("counts the size of a body once, even if several bodies build on it", async () => {
      const { bodies, clock, database, publishChange, store } = await opened();
      const first = await publishChange();
      for (let generation = 0; generation < 5; generation += 1) await publishChange();
      const bodyBytesMax = first.bodyBytes * 1.5;
      const policy = { wholeMs: 9 * DAY_MS, dailyMs: 9 * DAY_MS, bodyBytesMax };
      await applyRetention(database, bodies, ["rows"], policy, clock.now());
      expect(await store.earlier("rows", 6, 9)).toHaveLength(5);
    });
  });

  describe("an unusable body", () => {
    test("makes the bodies that build on it unreadable, and the next build stores its rows whole", async () => {
      const { bodies, publish, publishChange, rowsNow, rowsOf, store } = await opened();
      const first = await publishChange();
      const second = await publishChange();
      await bodies.put(first.contentHash, Buffer.from("damaged"));
      await expect(store.records(second)).rejects.toThrow(`body ${second.contentHash.slice(0, 12)} cannot be unpacked`);
      expect(await publish(rowsNow())).toMatchObject({ generation: 2 });
      expect(await rowsOf(second)).toEqual(rowsNow());
      const third = await publishChange();
      expect(await rowsOf(third)).toEqual(rowsNow());
    });

    test("is refused if it names itself as its base", async () => {
      const { bodies, publishChange, store } = await opened();
      await publishChange();
      const second = await publishChange();
      const head = { format: "delta-1", number: 1, bases: [{ number: 0, contentHash: second.contentHash }] };
      await bodies.put(second.contentHash, Buffer.from(`${JSON.stringify(head)}\n`));
      await expect(store.records(second)).rejects.toThrow("does not build on an earlier body");
    });

    test.each([
      { damage: "no members", head: () => "{}" },
      { damage: "no bases", head: () => '{"format":"delta-1","number":1,"bases":[]}' },
      { damage: "a base that is not a hash", head: () => headText({ number: 1, bases: ["../vigil.db"] }) },
      { damage: "a base that is not whole", head: (hash: string) => headText({ number: 2, bases: [hash] }) },
      { damage: "a number above the maximum", head: (hash: string) => headText({ number: 64, bases: [hash] }) },
      {
        damage: "a further member",
        head: (hash: string) => headText({ number: 1, bases: [hash] }).replace("{", '{"a":1,'),
      },
    ])(
      "is reported as damaged if its head has $damage, and the next build then stores its rows whole",
      async ({ head }) => {
        const { bodies, publish, publishChange, rowsNow, rowsOf, store } = await opened();
        const first = await publishChange();
        const second = await publishChange();
        await bodies.put(second.contentHash, Buffer.from(`${head(first.contentHash)}\n`));
        await expect(store.records(second)).rejects.toThrow(BodyDamaged);
        expect(await publish(rowsNow())).toMatchObject({ generation: 2 });
        expect(await rowsOf(second)).toEqual(rowsNow());
      },
    );

    test("that was lost is stored whole when it is published again, even if other bodies build on it", async () => {
      const { bodies, publish, publishChange, rowsNow, rowsOf } = await opened();
      await publishChange();
      const second = await publishChange();
      const lost = rowsNow();
      const third = await publishChange();
      const changed = rowsNow();
      await bodies.remove(second.contentHash);
      // This change is stored whole, because it has no readable base.
      await publishChange();
      const again = await publish(lost);
      expect(again).toMatchObject({ generation: 5, contentHash: second.contentHash });
      expect((await bodies.bases()).get(second.contentHash)).toBeUndefined();
      expect([await rowsOf(again), await rowsOf(third)]).toEqual([lost, changed]);
    });

    test("that the storage reports as unreadable is stored whole, but any other storage error fails the publish", async () => {
      const { bodies, rowsNow } = await opened();
      const failing = { error: new Error("not set") };
      const get = () => Promise.reject(failing.error);
      const stored = storedBodies({ ...bodies, get }, new LoopTurns());
      const { lines, contentHash } = contentText("rows", { rows: rowsNow() });
      failing.error = new UnreadableBody("the disk lost it");
      expect(await stored.write(contentHash, lines, "a".repeat(64))).toBeGreaterThan(1_000);
      failing.error = new Error("connection lost");
      await expect(stored.write(contentHash, lines, "a".repeat(64))).rejects.toThrow("connection lost");
      expect(await bodies.bases()).toEqual(new Map());
    });
  });

  test("content that returns after its generation was removed is stored whole, because other bodies may build on it", async () => {
    const { bodies, clock, database, publish, publishChange, rowsNow, rowsOf } = await opened();
    const first = await publishChange();
    const again = rowsNow();
    const second = await publishChange();
    const changed = rowsNow();
    const policy = { wholeMs: 0, dailyMs: 0, bodyBytesMax: 1e9 };
    clock.advance(DAY_MS);
    await applyRetention(database, bodies, ["rows"], policy, clock.now());
    const third = await publish(again);
    expect(third).toMatchObject({ generation: 3, contentHash: first.contentHash });
    expect([await rowsOf(third), await rowsOf(second)]).toEqual([again, changed]);
  });
});

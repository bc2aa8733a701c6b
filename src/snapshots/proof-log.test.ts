import { createHash } from "node:crypto";
import { sql } from "kysely";
import { expect, test } from "vitest";
import { buildOf, describeEachStore, finishedRun } from "../../test/support/stores.js";
import { bodyStore } from "../database/bodies.js";
import type { OpenDatabase } from "../database/open-database.js";
import { appendMissing, entryOf, leafOf, logSize, rangeHashes } from "../database/proof-log.js";
import { DAY_MS, MINUTE_MS } from "../kit/clock.js";
import { manualClock } from "../kit/manual-clock.js";
import {
  completedHashes,
  hashOfRange,
  inclusionRanges,
  isIncluded,
  lastLeafOf,
  leafHash,
  leftSiblings,
  subtreesOf,
} from "../kit/merkle-tree.js";
import { seededRandom } from "../kit/random.js";
import { applyRetention } from "./history/retention.js";
import { snapshotStore } from "./store.js";

const START = Date.UTC(2026, 10, 18, 12);

class Killed extends Error {}

/** Computes the root of these texts without the stored hashes. */
function rootOf(entries: readonly string[]): Uint8Array {
  const completedBy: (readonly Uint8Array[])[] = [];
  const hashOf = (subtree: { level: number; index: number }): Uint8Array =>
    completedBy[lastLeafOf(subtree)]?.[subtree.level] as Uint8Array;
  for (const [at, entry] of entries.entries()) {
    completedBy.push(completedHashes(leafHash(Buffer.from(entry)), leftSiblings(at).map(hashOf)));
  }
  return hashOfRange(subtreesOf({ start: 0, end: entries.length }).map(hashOf));
}

/** Throws unless the log has exactly one leaf for each stored generation, without gaps and with the right hashes. */
async function expectAgreement({ db }: OpenDatabase): Promise<void> {
  const leaves = await db.selectFrom("proof_leaf").selectAll().orderBy("leaf_index").execute();
  const generations = await db.selectFrom("snapshot").selectAll().execute();
  const size = await logSize(db);
  expect(leaves.map(({ leaf_index }) => leaf_index)).toEqual(Array.from({ length: size }, (_, at) => at));
  expect(leaves.map(({ entry }) => entry).toSorted()).toEqual(generations.map(entryOf).toSorted());
  const [root] = await rangeHashes(db, [{ start: 0, end: size }]);
  expect(Buffer.compare(root as Uint8Array, rootOf(leaves.map(({ entry }) => entry)))).toBe(0);
}

await describeEachStore((open, name) => {
  async function opened() {
    const { database, dataDir, openAgain } = await open();
    const clock = manualClock(START);
    const bodies = bodyStore(database, dataDir, clock);
    const store = snapshotStore(database, bodies);
    const publish = (dataset: string, value: number, at = START) =>
      store.publish(dataset, buildOf({ rows: [{ value }] }, at), finishedRun(dataset, at), at);
    return { database, db: database.db, dataDir, bodies, clock, publish, openAgain };
  }

  test("each published generation becomes one leaf, and an unchanged build adds none", async () => {
    const { database, db, publish } = await opened();
    await publish("a", 1);
    const { contentHash } = await publish("b", 1, START + 1);
    await publish("a", 1, START + 2);
    await publish("a", 2, START + 3);
    await expectAgreement(database);
    expect(await logSize(db)).toBe(3);
    expect(await leafOf(db, "b", 1)).toEqual({
      leaf_index: 1,
      entry: `{"builtAt":${START + 1},"contentHash":"${contentHash}","dataset":"b","generation":1,"newestAt":${START + 1},"provenanceHash":"${createHash("sha256").update("{}").digest("hex")}"}`,
    });
    expect(await leafOf(db, "b", 2)).toBeUndefined();
  });

  test("nodes that are killed at any point of a publication leave the log consistent with the generations", async () => {
    const { database, dataDir, clock, openAgain } = await opened();
    const random = seededRandom(19);
    let killed = 0;
    const danger = (): void => {
      if (random() >= 0.03) return;
      killed += 1;
      throw new Killed();
    };
    const nodes = await Promise.all(
      Array.from({ length: 2 }, async () => {
        const node = await openAgain();
        const db = node.db.withPlugin({
          transformQuery: ({ node: query }) => {
            danger();
            return query;
          },
          transformResult: async ({ result }) => {
            danger();
            return result;
          },
        });
        const fragile = { ...node, db };
        return snapshotStore(fragile, bodyStore(fragile, dataDir, clock));
      }),
    );
    let published = 0;
    for (let round = 0; round < 50; round += 1) {
      const at = START + round;
      await Promise.all(
        nodes.flatMap((store) =>
          ["a", "b", "c"].map(async (dataset) => {
            try {
              const build = buildOf({ rows: [{ value: Math.floor(random() * 1_000) }] }, at);
              await store.publish(dataset, build, finishedRun(dataset, at), at);
              published += 1;
            } catch (error) {
              if (!(error instanceof Killed)) throw error;
            }
          }),
        ),
      );
      if (round % 10 === 9) await expectAgreement(database);
    }
    // If few publications were killed, or few succeeded, the test would prove nothing.
    expect(killed).toBeGreaterThan(50);
    expect(published).toBeGreaterThan(50);
  });

  test.skipIf(name === "sqlite")(
    "on PostgreSQL, if a node of a version without the log stores generations, they are appended to the log once",
    async () => {
      const { database, db, publish, openAgain } = await opened();
      await publish("a", 1);
      await publish("b", 1);
      const columns = { content_hash: "h", body_bytes: 1, newest_at: null, record_counts: "{}", provenance: "{}" };
      for (const generation of [2, 3]) {
        const row = { dataset: "a", generation, built_at: START + generation, ...columns };
        await db.insertInto("snapshot").values(row).execute();
      }
      await Promise.all([appendMissing(database), appendMissing(await openAgain())]);
      await expectAgreement(database);
      expect(await logSize(db)).toBe(4);
      expect(await leafOf(db, "a", 3)).toMatchObject({ leaf_index: 3 });
    },
  );

  test("retention removes generations and keeps their leaves", async () => {
    const { database, db, bodies, publish } = await opened();
    for (let at = 0; at < 5; at += 1) await publish("a", at, START + at * MINUTE_MS);
    const policy = { wholeMs: 0, dailyMs: 0, bodyBytesMax: 1_000_000 };
    expect(await applyRetention(database, bodies, ["a"], policy, START + 3 * DAY_MS)).toBe(4);
    expect(await logSize(db)).toBe(5);
    expect(await leafOf(db, "a", 1)).toMatchObject({ leaf_index: 0 });
    expect((await publish("a", 9, START + 4 * DAY_MS)).generation).toBe(6);
    expect(await leafOf(db, "a", 6)).toMatchObject({ leaf_index: 5 });
  });

  test("a flipped byte in a leaf or in a stored hash breaks the proofs that depend on it", async () => {
    const { db, publish } = await opened();
    const size = 7;
    for (let at = 0; at < size; at += 1) await publish("a", at, START + at);
    const [root] = await rangeHashes(db, [{ start: 0, end: size }]);
    const isProven = async (leaf: number): Promise<boolean> => {
      const { entry = "" } = (await leafOf(db, "a", leaf + 1)) ?? {};
      const proof = await rangeHashes(db, inclusionRanges(leaf, size));
      const leafNode = { hash: leafHash(Buffer.from(entry)), index: leaf, size };
      return isIncluded(leafNode, proof, root as Uint8Array);
    };
    const provenLeaves = async () => await Promise.all(Array.from({ length: size }, (_, leaf) => isProven(leaf)));
    expect(await provenLeaves()).toEqual(Array(size).fill(true));
    const { entry, hashes } = await db
      .selectFrom("proof_leaf")
      .selectAll()
      .where("leaf_index", "=", 3)
      .executeTakeFirstOrThrow();
    const change = (values: { readonly entry?: string; readonly hashes?: string }) =>
      db.updateTable("proof_leaf").set(values).where("leaf_index", "=", 3).execute();
    await change({ entry: entry.replace('"generation":4', '"generation":5') });
    expect(await provenLeaves()).toEqual([true, true, true, false, true, true, true]);
    await change({ entry, hashes: (hashes[0] === "0" ? "1" : "0") + hashes.slice(1) });
    // The changed hash is the hash of leaf 3. The proof of leaf 2 contains it.
    expect(await provenLeaves()).toEqual([true, true, false, true, true, true, true]);
    await change({
      hashes: hashes.slice(0, 128) + hashes.slice(128).replace(/^./, (digit) => (digit === "0" ? "1" : "0")),
    });
    expect(await provenLeaves()).toEqual([true, true, true, true, false, false, false]);
  });

  test("opening a store without a log creates a log with one leaf for each generation, oldest first", async () => {
    const { database, db, openAgain, publish } = await opened();
    for (let at = 0; at < 210; at += 1) await publish(at % 2 === 0 ? "b" : "a", at, START + Math.floor(at / 2));
    const before = await db.selectFrom("proof_leaf").selectAll().orderBy("leaf_index").execute();
    // Puts the store into the state of a version without the log.
    await db.schema.dropTable("proof_log").execute();
    await db.schema.dropTable("proof_leaf").execute();
    await db.schema.dropTable("proof_key").execute();
    await db.schema.dropTable("dataset_run").execute();
    await db.schema.dropTable("row_revision").execute();
    await db.schema.dropIndex("snapshot_by_time").execute();
    await db.schema.alterTable("snapshot").dropColumn("changes").execute();
    await db.schema.dropTable("body_base").execute();
    await db.schema.alterTable("snapshot").dropColumn("build_account").execute();
    await db.schema.alterTable("session").dropColumn("address").execute();
    await db.schema.dropTable("plan_event").execute();
    await sql`delete from kysely_migration where name >= '009'`.execute(db);
    await openAgain();
    await openAgain();
    await expectAgreement(database);
    const leaves = await db.selectFrom("proof_leaf").selectAll().orderBy("leaf_index").execute();
    expect(leaves).toHaveLength(before.length);
    const [first, second] = leaves;
    expect([first, second].map((leaf) => `${leaf?.dataset} ${leaf?.generation}`)).toEqual(["a 1", "b 1"]);
    await publish("a", 1_000, START + 1_000);
    await expectAgreement(database);
  });
});

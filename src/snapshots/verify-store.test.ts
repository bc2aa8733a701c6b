import { expect, test } from "vitest";
import { buildOf, describeEachStore, finishedRun } from "../../test/support/stores.js";
import { bodyStore } from "../database/bodies.js";
import { proofKeys } from "../database/proof-keys.js";
import { manualClock } from "../kit/manual-clock.js";
import { BodyDamaged } from "./bodies/body.js";
import type { Generation } from "./generation.js";
import { snapshotStore } from "./store.js";
import { verifyStore } from "./verify-store.js";

const START = Date.UTC(2026, 10, 18, 12);

/** Returns the text with the character at this position replaced. */
function flipped(text: string, at: number): string {
  return text.slice(0, at) + (text[at] === "1" ? "2" : "1") + text.slice(at + 1);
}

await describeEachStore((open) => {
  async function filled() {
    const { database, dataDir } = await open();
    const bodies = bodyStore(database, dataDir, manualClock(START));
    const store = snapshotStore(database, bodies);
    for (let at = 0; at < 6; at += 1) {
      const dataset = at % 2 === 0 ? "a" : "b";
      await store.publish(dataset, buildOf({ rows: [{ value: at }] }), finishedRun(dataset, START + at), START + at);
    }
    const faults = async (): Promise<readonly string[]> =>
      (await verifyStore(database, store)).faults.map(({ subject, problem }) => `${subject} ${problem}`);
    return { database, db: database.db, store, bodies, faults };
  }

  test("an intact store has no faults", async () => {
    const { database, store } = await filled();
    expect(await verifyStore(database, store)).toEqual({
      leaves: 6,
      generations: 6,
      bodies: 6,
      faultCount: 0,
      faults: [],
    });
  });

  test.each([
    ["content_hash", ["a 2 differs from leaf 2", expect.stringMatching(/^a 2 body \w{12} is gone$/)]],
    ["provenance", ["a 2 differs from leaf 2"]],
  ])("a changed %s of a generation is found", async (column, expected) => {
    const { db, faults } = await filled();
    const change = { [column]: column === "provenance" ? '{"a":[]}' : "ab".repeat(32) };
    await db.updateTable("snapshot").set(change).where("dataset", "=", "a").where("generation", "=", 2).execute();
    expect(await faults()).toEqual(expected);
  });

  test("flipped characters throughout a leaf are found", async () => {
    const { db, faults } = await filled();
    const leaf = () => db.selectFrom("proof_leaf").selectAll().where("leaf_index", "=", 3).executeTakeFirstOrThrow();
    const stored = await leaf();
    for (const column of ["entry", "hashes"] as const) {
      for (let at = 0; at < stored[column].length; at += 13) {
        const change = { [column]: flipped(stored[column], at) };
        await db.updateTable("proof_leaf").set(change).where("leaf_index", "=", 3).execute();
        expect([column, at, (await faults())[0]]).toEqual([column, at, expect.stringMatching(/^leaf 3 /)]);
      }
      await db.updateTable("proof_leaf").set(stored).where("leaf_index", "=", 3).execute();
    }
    await db.updateTable("proof_leaf").set({ generation: 9 }).where("leaf_index", "=", 3).execute();
    expect(await faults()).toEqual([
      "leaf 3 is filed under b 9, but its text names another generation",
      "b 2 is not in the log",
      "b 9 is the newest generation of the log, but not stored",
    ]);
  });

  test("every flipped byte of a body is found", async () => {
    const { store, bodies, faults } = await filled();
    const { contentHash = "" } = (await store.newest("b")) ?? {};
    const bytes = (await bodies.get(contentHash)) ?? Buffer.alloc(0);
    for (let at = 0; at < bytes.length; at += 1) {
      const changed = Buffer.from(bytes);
      changed[at] = (changed[at] ?? 0) ^ 1;
      await bodies.put(contentHash, changed);
      expect([at, await faults()]).toEqual([at, [expect.stringMatching(/^b 3 body \w{12} /)]]);
    }
    await bodies.put(contentHash, bytes);
    expect(await faults()).toEqual([]);
  });

  test("every flipped byte in the head of a body that is stored as a difference is found", async () => {
    const { database, store, bodies } = await filled();
    const rows = Array.from({ length: 2_000 }, (_, id) => ({ id, text: `a row of some length, number ${id}` }));
    const published: Generation[] = [];
    for (let at = 10; at < 13; at += 1) {
      const build = buildOf({ rows: rows.with(at, { id: at, text: "changed" }) });
      published.push(await store.publish("large", build, finishedRun("large", START + at), START + at));
    }
    const newest = published.at(-1) as Generation;
    const bytes = (await bodies.get(newest.contentHash)) ?? Buffer.alloc(0);
    const headBytes = bytes.indexOf("\n") + 1;
    expect(headBytes).toBeGreaterThan(1);
    for (let at = 0; at < headBytes + 10; at += 1) {
      const changed = Buffer.from(bytes);
      changed[at] = (changed[at] ?? 0) ^ 1;
      await bodies.put(newest.contentHash, changed);
      await expect(store.records(newest), `byte ${at}`).rejects.toThrow(BodyDamaged);
    }
    expect((await verifyStore(database, store)).faults).toMatchObject([{ subject: "large 3" }]);
  });

  test("a flipped character of a signing key is found", async () => {
    const { db, database, faults } = await filled();
    const keys = proofKeys({
      database,
      clock: manualClock(START),
      vault: undefined,
      randomBytes: (n) => Buffer.alloc(n, 7),
    });
    await keys.keep();
    expect(await faults()).toEqual([]);
    const { key_id, public_key } = await db.selectFrom("proof_key").selectAll().executeTakeFirstOrThrow();
    await db
      .updateTable("proof_key")
      .set({ public_key: flipped(public_key, 5) })
      .execute();
    expect(await faults()).toEqual([`key ${key_id} is not the thumbprint of its public half`]);
  });

  test("a missing body is found", async () => {
    const { store, bodies, faults } = await filled();
    const { contentHash = "" } = (await store.newest("b")) ?? {};
    await bodies.remove(contentHash);
    expect(await faults()).toEqual([`b 3 body ${contentHash.slice(0, 12)} is gone`]);
  });

  test("missing leaves, a missing generation and a missing end of the log are found", async () => {
    const { db, faults } = await filled();
    await db.deleteFrom("proof_leaf").where("leaf_index", "in", [0, 1, 5]).execute();
    await db.deleteFrom("snapshot").where("dataset", "=", "a").where("generation", "=", 3).execute();
    expect(await faults()).toEqual([
      "leaf 0 is missing, like every later leaf up to leaf 1",
      "leaf 3 depends on missing leaves",
      "leaf 5 is missing",
      "a 1 is not in the log",
      "b 1 is not in the log",
      "b 3 is not in the log",
      "a 3 is the newest generation of the log, but not stored",
    ]);
  });
});

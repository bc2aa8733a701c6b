import { utimes } from "node:fs/promises";
import { join } from "node:path";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { buildOf, describeEachStore, finishedRun, type OpenStore } from "../../../test/support/stores.js";
import { type BodyStore, bodyStore } from "../../database/bodies.js";
import { DAY_MS, HOUR_MS } from "../../kit/clock.js";
import { manualClock } from "../../kit/manual-clock.js";
import { contentText } from "../bodies/body.js";
import type { SourceRunReport } from "../provenance.js";
import { type SnapshotStore, snapshotStore } from "../store.js";
import { applyRetention, generationsToRemove, type RetentionPolicy, runsToRemove } from "./retention.js";

/** A midnight, so that each step of 24 hours back from it covers exactly one UTC day. */
const NOW = Date.UTC(2026, 10, 18);
const policy: RetentionPolicy = { wholeMs: 7 * DAY_MS, dailyMs: 30 * DAY_MS, bodyBytesMax: 1_000 };

type Row = Parameters<typeof generationsToRemove>[0][number] & { readonly body_bytes: number };

/** Returns the bodies of these generations, all stored whole. */
const stockOf = (rows: readonly Row[]) => ({
  bytes: new Map(rows.map((row) => [row.content_hash, row.body_bytes])),
  bases: new Map(),
});

/** Returns generations of one dataset with these ages, oldest first, each with a body of `bytes` bytes. */
function built(agesMs: readonly number[], bytes = 1, dataset = "cpi"): readonly Row[] {
  return agesMs.map((ageMs, index) => ({
    dataset,
    generation: index + 1,
    content_hash: `${dataset}-${index + 1}`,
    body_bytes: bytes,
    built_at: NOW - ageMs,
  }));
}

const removedOf = (rows: readonly Row[], keepPolicy: RetentionPolicy = policy): readonly number[] =>
  generationsToRemove(rows, keepPolicy, NOW, stockOf(rows)).map(({ generation }) => generation);

describe("runsToRemove", () => {
  const run = (number: number, ageMs: number, generation: number, kept: number | null = generation) => ({
    run: number,
    at: NOW - ageMs,
    generation,
    kept,
  });
  const removed = (runs: Parameters<typeof runsToRemove>[0]): readonly number[] =>
    runsToRemove(runs, policy.wholeMs, policy.dailyMs, NOW);

  test.each([
    { rule: "young runs stay", runs: [run(1, 2 * HOUR_MS, 1), run(2, HOUR_MS, 1)], gone: [] },
    {
      rule: "a run is removed with its generation",
      runs: [run(1, 2 * HOUR_MS, 1, null), run(2, HOUR_MS, 2)],
      gone: [1],
    },
    {
      rule: "beyond the window, only the last run of each day stays, not counting runs whose generation is gone",
      runs: [
        run(1, 10 * DAY_MS - HOUR_MS, 1),
        run(2, 10 * DAY_MS - 2 * HOUR_MS, 1),
        run(3, 10 * DAY_MS - 3 * HOUR_MS, 2, null),
        run(4, 0, 3),
      ].toSorted((a, b) => a.run - b.run),
      gone: [1, 3],
    },
    {
      rule: "beyond the window, only the last failure of each day stays if there was no generation yet",
      runs: [run(1, 9 * DAY_MS, 0, null), run(2, 9 * DAY_MS - 1, 0, null), run(3, 0, 1)],
      gone: [1],
    },
    { rule: "runs older than the daily window are removed", runs: [run(1, 31 * DAY_MS, 1), run(2, 0, 1)], gone: [1] },
    { rule: "the newest run stays at any age", runs: [run(1, 99 * DAY_MS, 1), run(2, 98 * DAY_MS, 1)], gone: [1] },
  ])("$rule", ({ runs, gone }) => {
    expect(removed(runs)).toEqual(gone);
  });
});

describe("generationsToRemove", () => {
  test.each([
    { rule: "without generations, none is removed", ages: [], removed: [] },
    {
      rule: "every generation within the retention window stays",
      ages: [7 * DAY_MS, 3 * HOUR_MS, 2 * HOUR_MS, 0],
      removed: [],
    },
    {
      rule: "beyond the window, the last generation of each UTC day stays",
      ages: [10 * DAY_MS - 1, 9 * DAY_MS + 2, 9 * DAY_MS + 1, 9 * DAY_MS, 8 * DAY_MS + 1, 0],
      removed: [1, 2, 4],
    },
    {
      rule: "generations that left the window only a millisecond ago are thinned to the last one of the day",
      ages: [7 * DAY_MS + 2, 7 * DAY_MS + 1, 0],
      removed: [1],
    },
    {
      rule: "a day that ends where the window begins keeps its last generation",
      ages: [7 * DAY_MS + HOUR_MS, 7 * DAY_MS + 1, 7 * DAY_MS - HOUR_MS, 0],
      removed: [1],
    },
    {
      rule: "the last generation of a day stays at exactly the limit of the daily window",
      ages: [30 * DAY_MS + 1, 30 * DAY_MS, 0],
      removed: [1],
    },
    { rule: "the newest generation stays at any age", ages: [500 * DAY_MS, 400 * DAY_MS], removed: [1] },
  ])("$rule", ({ ages, removed }) => {
    expect(removedOf(built(ages))).toEqual(removed);
  });

  test("a generation at exactly the limit of the retention window stays, even if its day has a later generation", () => {
    const noon = NOW + 12 * HOUR_MS;
    const rows = built([7 * DAY_MS + 1, 7 * DAY_MS, 7 * DAY_MS - 1, 0]).map((row) => ({
      ...row,
      built_at: row.built_at + 12 * HOUR_MS,
    }));
    expect(generationsToRemove(rows, policy, noon, stockOf(rows))).toEqual([rows[0]]);
  });

  test("each dataset keeps its own last generation of a day and its own newest generation", () => {
    const rows = [...built([9 * DAY_MS + 1, 9 * DAY_MS], 1, "cpi"), ...built([100 * DAY_MS], 1, "yields")];
    expect(generationsToRemove(rows, policy, NOW, stockOf(rows))).toEqual([]);
  });

  test("`wholeMsMaxOf` can shorten the retention window of a dataset, but not lengthen it", () => {
    const ages = [3 * HOUR_MS, 2 * HOUR_MS, HOUR_MS, 0];
    const rows = [...built(ages, 1, "digest"), ...built(ages, 1, "cpi")];
    const wholeMsMaxOf = new Map([["digest", 2 * HOUR_MS]]);
    const removed = generationsToRemove(rows, { ...policy, wholeMsMaxOf }, NOW + HOUR_MS, stockOf(rows));
    expect(removed.map(({ content_hash }) => content_hash)).toEqual(["digest-1", "digest-2"]);
    const longer = new Map([["digest", 100 * DAY_MS]]);
    expect(generationsToRemove(rows, { ...policy, wholeMsMaxOf: longer }, NOW, stockOf(rows))).toEqual([]);
  });

  test.each([
    { bytesMax: 40, removed: [] },
    { bytesMax: 39, removed: [1] },
    { bytesMax: 20, removed: [1, 2] },
    { bytesMax: 0, removed: [1, 2, 3] },
  ])(
    "beyond $bytesMax bytes the oldest generations are removed first, and the newest stays",
    ({ bytesMax, removed }) => {
      const rows = built([3 * HOUR_MS, 2 * HOUR_MS, HOUR_MS, 0], 10);
      expect(removedOf(rows, { ...policy, bodyBytesMax: bytesMax })).toEqual(removed);
    },
  );

  test("beyond the byte limit, the oldest generations of all datasets are removed first, and the newest of each dataset stays", () => {
    const rows = [...built([5 * HOUR_MS], 10, "yields"), ...built([4 * HOUR_MS, HOUR_MS], 10, "cpi")];
    const removed = generationsToRemove(rows, { ...policy, bodyBytesMax: 20 }, NOW, stockOf(rows));
    expect(removed.map(({ content_hash }) => content_hash)).toEqual(["cpi-1"]);
  });

  test("generations removed by the windows do not count towards the byte limit", () => {
    const rows = built([100 * DAY_MS, 99 * DAY_MS, HOUR_MS, 0], 10);
    expect(removedOf(rows, { ...policy, bodyBytesMax: 20 })).toEqual([1, 2]);
  });

  const oneDataset = (dataset: string) =>
    fc
      .array(
        fc.record({
          ageMs: fc.oneof(fc.nat(10 * DAY_MS), fc.nat(60 * DAY_MS)),
          bytes: fc.nat(400),
        }),
        { maxLength: 25 },
      )
      .map((generations) =>
        generations.map(({ ageMs, bytes }, index) => ({
          dataset,
          generation: index + 1,
          content_hash: `${dataset}-${index + 1}`,
          body_bytes: bytes,
          built_at: NOW - ageMs,
        })),
      );
  const inOrder = (rows: readonly Row[]): readonly Row[] => {
    const times = rows.map(({ built_at }) => built_at).sort((a, b) => a - b);
    return rows.map((row, index) => ({ ...row, built_at: times[index] ?? 0 }));
  };
  const several = fc.tuple(oneDataset("a"), oneDataset("b"), oneDataset("c"));
  const highestOf = (rows: readonly Row[]) => new Set(rows.flatMap((row, index) => (rows[index + 1] ? [] : [row])));

  test("the newest generation of each dataset always stays, and others stay only within the byte limit", () => {
    fc.assert(
      fc.property(several, (tuples) => {
        const datasets = tuples.map(inOrder);
        const rows = datasets.flat();
        const removed = new Set(generationsToRemove(rows, policy, NOW, stockOf(rows)));
        const kept = rows.filter((row) => !removed.has(row));
        const newest = datasets.flatMap((each) => [...highestOf(each)]);
        for (const row of newest) expect(kept).toContain(row);
        const bytes = kept.reduce((sum, row) => sum + row.body_bytes, 0);
        if (kept.length > newest.length) expect(bytes).toBeLessThanOrEqual(policy.bodyBytesMax);
      }),
      { numRuns: 500 },
    );
  });

  test("a second pass removes nothing more", () => {
    fc.assert(
      fc.property(several, (tuples) => {
        const rows = tuples.flatMap(inOrder);
        const removed = new Set(generationsToRemove(rows, policy, NOW, stockOf(rows)));
        expect(
          generationsToRemove(
            rows.filter((row) => !removed.has(row)),
            policy,
            NOW,
            stockOf(rows),
          ),
        ).toEqual([]);
      }),
      { numRuns: 500 },
    );
  });

  // The store serves the generation with the highest number, which is not the newest by time here.
  test("the served generation stays even if the clock was set back", () => {
    expect(removedOf(built([0, 40 * DAY_MS]))).toEqual([]);
  });
});

/**
 * Opens a store. Returns it with its bodies and with `age`, which sets the time at which a body was stored. With
 * SQLite, that is the time of the body's file; with PostgreSQL, it is a column of the body's row.
 */
async function opened(open: () => Promise<OpenStore>) {
  const { database, dataDir } = await open();
  const clock = manualClock(NOW);
  const bodies = bodyStore(database, dataDir, clock);
  const store = snapshotStore(database, bodies);
  const age = async (contentHash: string, at: number): Promise<void> => {
    if (database.dialect === "sqlite") await utimes(join(dataDir, "bodies", contentHash), at / 1_000, at / 1_000);
    else await database.db.updateTable("body").set({ stored_at: at }).where("content_hash", "=", contentHash).execute();
  };
  return { database, clock, bodies, store, age, hashes: () => hashesOf(bodies) };
}

async function hashesOf(bodies: BodyStore): Promise<readonly string[]> {
  return (await bodies.list()).map(({ contentHash }) => contentHash).sort();
}

/** Publishes a generation for each build, in the given order, and returns the content hashes. */
async function publishAll(store: SnapshotStore, builds: readonly { ageMs: number; value: number }[], name = "cpi") {
  const hashes: string[] = [];
  for (const { ageMs, value } of builds) {
    const at = NOW - ageMs;
    const published = await store.publish(name, buildOf({ values: [value] }), finishedRun(name, at), at);
    hashes.push(published.contentHash);
  }
  return hashes;
}

await describeEachStore((open) => {
  test("applyRetention removes expired generations together with their bodies, and returns the number of removed generations", async () => {
    const { database, bodies, store, hashes } = await opened(open);
    const [, second = "", third = ""] = await publishAll(store, [
      { ageMs: 50 * DAY_MS, value: 1 },
      { ageMs: 2 * DAY_MS, value: 2 },
      { ageMs: DAY_MS, value: 3 },
    ]);
    expect(await applyRetention(database, bodies, ["cpi"], policy, NOW)).toBe(1);
    expect(await hashes()).toEqual([second, third].sort());
    expect(await store.newest("cpi")).toMatchObject({ generation: 3, contentHash: third });
    expect(await applyRetention(database, bodies, ["cpi"], policy, NOW)).toBe(0);
  });

  test("generation numbers continue from the newest after a removal", async () => {
    const { database, bodies, store } = await opened(open);
    await publishAll(store, [
      { ageMs: 50 * DAY_MS, value: 1 },
      { ageMs: 40 * DAY_MS, value: 2 },
    ]);
    await applyRetention(database, bodies, ["cpi"], policy, NOW);
    await publishAll(store, [{ ageMs: 0, value: 3 }]);
    expect(await store.newest("cpi")).toMatchObject({ generation: 3 });
  });

  test("a body stays while a kept generation references it, even if an older generation with equal content is removed", async () => {
    const { database, bodies, store, hashes } = await opened(open);
    const [first = "", second = ""] = await publishAll(store, [
      { ageMs: 50 * DAY_MS, value: 1 },
      { ageMs: 49 * DAY_MS, value: 2 },
      { ageMs: 0, value: 1 },
    ]);
    expect(await applyRetention(database, bodies, ["cpi"], policy, NOW)).toBe(2);
    expect(await hashes()).toEqual([first]);
    expect(second).not.toBe(first);
    const newest = await store.newest("cpi");
    expect(newest && (await store.records(newest))).toEqual({ values: [1] });
  });

  test("datasets that another process is building are left alone", async () => {
    const { database, bodies, store, hashes } = await opened(open);
    const old = [
      { ageMs: 50 * DAY_MS, value: 1 },
      { ageMs: 40 * DAY_MS, value: 2 },
    ];
    const cpi = await publishAll(store, old, "cpi");
    const [, yields = ""] = await publishAll(store, old, "yields");
    expect(await applyRetention(database, bodies, ["yields"], policy, NOW)).toBe(1);
    expect(await hashes()).toEqual([...cpi, yields].sort());
    expect(await applyRetention(database, bodies, [], policy, NOW)).toBe(0);
  });

  test("an unreferenced body stays for a day, because a publish may be about to reference it", async () => {
    const { database, bodies, age, hashes } = await opened(open);
    const [fresh, limit, old] = ["a", "b", "c"].map((letter) => letter.repeat(64)) as [string, string, string];
    for (const hash of [fresh, limit, old]) await bodies.put(hash, Buffer.from("body"));
    await age(fresh, NOW);
    await age(limit, NOW - DAY_MS);
    await age(old, NOW - DAY_MS - 1);
    await applyRetention(database, bodies, [], policy, NOW);
    expect(await hashes()).toEqual([fresh, limit]);
  });

  test("the recorded bases of a body that was never stored are dropped after a day, while those of stored bodies stay", async () => {
    const { database, clock, bodies } = await opened(open);
    const [base, stored, failed] = ["a", "b", "c"].map((letter) => letter.repeat(64)) as [string, string, string];
    await bodies.put(base, Buffer.from("base"));
    await bodies.put(stored, Buffer.from("body"), [base]);
    // After a failed write or a crash, only the bases of the body are recorded.
    const name = (namedAt: number) =>
      database.db
        .insertInto("body_base")
        .values({ content_hash: failed, base_hash: base, named_at: namedAt })
        .execute();
    await name(NOW - DAY_MS);
    const sweep = () => applyRetention(database, bodies, [], policy, clock.now());
    const namedNow = async () => [...(await bodies.bases()).keys()].sort();
    await sweep();
    expect(await namedNow()).toEqual([stored, failed]);
    clock.advance(1);
    await sweep();
    expect(await namedNow()).toEqual([stored]);
  });

  test("a repeated write records the bases of its body again, at the time of the repeat", async () => {
    const { clock, bodies } = await opened(open);
    const [base, body] = ["a", "b"].map((letter) => letter.repeat(64)) as [string, string];
    await bodies.put(body, Buffer.from("body"), [base]);
    clock.advance(DAY_MS);
    await bodies.put(body, Buffer.from("body"), [base]);
    await bodies.forgetBases(body, clock.now());
    expect(await bodies.bases()).toEqual(new Map([[body, [base]]]));
    await bodies.forgetBases(body, clock.now() + 1);
    expect(await bodies.bases()).toEqual(new Map());
  });

  test("a referenced body stays, regardless of the age of its file", async () => {
    const { database, bodies, store, age, hashes } = await opened(open);
    const [only = ""] = await publishAll(store, [{ ageMs: 500 * DAY_MS, value: 1 }]);
    await age(only, NOW - 500 * DAY_MS);
    await applyRetention(database, bodies, ["cpi"], policy, NOW);
    expect(await hashes()).toEqual([only]);
  });

  test("run-log lines of every dataset are removed after the retention window", async () => {
    const { database, bodies, store } = await opened(open);
    const reports = [7 * DAY_MS + 1, 7 * DAY_MS, 0].map((ageMs) => fetched(NOW - ageMs));
    await store.recordRun(finishedRun("cpi", NOW, {}, reports));
    await applyRetention(database, bodies, [], policy, NOW);
    const lines = await database.db.selectFrom("source_run").select("fetched_at").orderBy("fetched_at").execute();
    expect(lines).toEqual([{ fetched_at: NOW - 7 * DAY_MS }, { fetched_at: NOW }]);
  });

  // If an existing orphan were not stored again, a publish could reference it while the sweep removes it.
  test("an old orphan that a new publish references is not swept", async () => {
    const { database, bodies, store, age } = await opened(open);
    const [removed = ""] = await publishAll(store, [{ ageMs: 0, value: 1 }]);
    await database.db.deleteFrom("snapshot").execute();
    await age(removed, NOW - 2 * DAY_MS);
    let sweepCount = 0;
    const sweptMeanwhile: BodyStore = {
      ...bodies,
      async put(contentHash, bytes, bases) {
        await bodies.put(contentHash, bytes, bases);
        await applyRetention(database, bodies, [], policy, NOW);
        sweepCount += 1;
      },
    };
    await publishAll(snapshotStore(database, sweptMeanwhile), [{ ageMs: 0, value: 1 }]);
    expect(sweepCount).toBe(1);
    expect(contentText("cpi", { values: [1] }).contentHash).toBe(removed);
    const newest = await store.newest("cpi");
    expect(newest && (await store.records(newest))).toEqual({ values: [1] });
  });
});

function fetched(at: number): SourceRunReport {
  return {
    part: "values",
    source: "fred",
    requestKey: "CPI",
    url: "https://example.org/",
    fetchedAt: at,
    outcome: "ok",
    status: 200,
    bytes: 1,
    sha256: "ab",
    newestAt: at,
    rowsRead: 1,
    rowsBad: 0,
    error: null,
  };
}

import { gzipSync } from "node:zlib";
import { describe, expect, test } from "vitest";
import { buildOf, describeEachStore, finishedRun } from "../../test/support/stores.js";
import { type BodyStore, bodyStore } from "../database/bodies.js";
import type { OpenDatabase } from "../database/open-database.js";
import { HOUR_MS } from "../kit/clock.js";
import { manualClock } from "../kit/manual-clock.js";
import { BodyDamaged } from "./bodies/body.js";
import type { Build, Generation } from "./generation.js";
import type { SourceRunReport } from "./provenance.js";
import { type SnapshotStore, snapshotStore } from "./store.js";

const START = Date.UTC(2026, 10, 18, 12);
const october = { months: [{ id: "2026-10", value: 310.4 }], weights: [] };
const november = { months: [...october.months, { id: "2026-11", value: 311 }], weights: [] };

const answer = {
  source: "fred",
  url: "https://api.stlouisfed.org/fred/series/observations?series_id=CPIAUCSL",
  bytes: 5_000_000_000,
  sha256: "ab".repeat(32),
  fetchedAt: START - 5,
  newestAt: Date.UTC(2026, 9),
  rowsRead: 358,
  rowsBad: 1,
};

const readReport: SourceRunReport = {
  ...answer,
  part: "months",
  requestKey: "CPIAUCSL",
  outcome: "ok",
  status: 200,
  error: null,
};

const failedReport: SourceRunReport = {
  ...readReport,
  outcome: "unavailable",
  status: null,
  bytes: null,
  sha256: null,
  newestAt: null,
  rowsRead: null,
  rowsBad: null,
  error: "no answer within 30 s",
};

await describeEachStore((open) => {
  async function opened() {
    const { database, dataDir, openAgain } = await open();
    const clock = manualClock(START);
    const storeOn = (on: OpenDatabase) => snapshotStore(on, bodyStore(on, dataDir, clock));
    const bodies = bodyStore(database, dataDir, clock);
    return { db: database.db, bodies, store: storeOn(database), another: async () => storeOn(await openAgain()) };
  }

  test("all row counts of a build are stored with its generation, however many there are", async () => {
    const { store, another } = await opened();
    const leftOut = Array.from({ length: 500 }, (_, index) => ({
      rule: `rule ${index}`,
      count: 1,
      example: "x".repeat(99),
    }));
    const account = { months: { earlier: 1, read: 501, made: [], leftOut, joined: [], stored: 2 } };
    await store.publish("a", { ...buildOf(october), account }, finishedRun("a", START), START);
    await store.publish("b", buildOf(october), finishedRun("b", START), START);
    const read = await another();
    expect((await read.newest("a"))?.account).toEqual(account);
    expect(await read.newest("b")).not.toHaveProperty("account");
  });

  test.each(["record_counts", "provenance"] as const)(
    "if the %s of a generation cannot be read, its records stay readable and other generations are unchanged",
    async (column) => {
      const { store, db, another } = await opened();
      for (const dataset of ["a", "b"]) {
        await store.publish(dataset, buildOf(october), finishedRun(dataset, START), START);
      }
      await db
        .updateTable("snapshot")
        .set({ [column]: '{"half' })
        .where("dataset", "=", "a")
        .execute();
      const read = await another();
      const newest = new Map((await read.newestOfAll()).map((generation) => [generation.dataset, generation]));
      expect([newest.get("a")?.isDamaged, newest.get("b")?.isDamaged]).toEqual([true, undefined]);
      expect(await read.records(newest.get("a") as Generation)).toEqual(october);
      const next = await read.publish("a", buildOf(october), finishedRun("a", START + 1), START + 1);
      expect([next.generation, next.isDamaged]).toEqual([2, undefined]);
    },
  );

  test("a status that cannot be read counts as failed; the next run is due at once and replaces the status", async () => {
    const { store, db } = await opened();
    for (const dataset of ["a", "b"]) await store.recordRun(finishedRun(dataset, START, { nextAt: START + HOUR_MS }));
    await db.updateTable("dataset_status").set({ parts: "[" }).where("dataset", "=", "a").execute();
    const statuses = new Map((await store.statuses()).map((status) => [status.dataset, status]));
    expect(statuses.get("a")).toMatchObject({ outcome: "failed", nextAt: null, failuresInRow: 1, parts: {} });
    expect(statuses.get("b")).toMatchObject({ outcome: "published", nextAt: START + HOUR_MS });
    await store.recordRun(finishedRun("a", START + 1));
    expect((await store.statuses()).find(({ dataset }) => dataset === "a")).toMatchObject({ outcome: "published" });
  });

  test("provenance of hundreds of requests is stored compressed and read unchanged", async () => {
    const { store, db, another } = await opened();
    const lines = Array.from({ length: 300 }, (_, index) => [`feed${index}`, { ...answer, status: 200 }] as const);
    const provenance = { feeds: Object.fromEntries(lines) };
    const published = await publish(store, { records: october, newestAt: null, provenance });
    const row = await db.selectFrom("snapshot").select("provenance").executeTakeFirstOrThrow();
    expect(row.provenance.length).toBeLessThan(JSON.stringify(provenance).length / 3);
    expect(await (await another()).newestOfAll()).toEqual([published]);
    expect(published.provenance).toEqual(provenance);
  });

  test("the list of newest generations includes what another process has published", async () => {
    const { store, another } = await opened();
    const other = await another();
    const first = await publish(store, buildOf(october));
    expect(await store.newestOfAll()).toEqual([first]);
    const second = await publish(other, buildOf(november));
    expect(await store.newestOfAll()).toEqual([second]);
  });

  const publish = (store: SnapshotStore, build: Build, at = START, dataset = "cpi"): Promise<Generation> =>
    store.publish(dataset, build, finishedRun(dataset, at), at);

  describe("publishing", () => {
    test("starts from a store without generations and statuses", async () => {
      const { store } = await opened();
      expect(await store.newest("cpi")).toBeUndefined();
      expect(await store.newestOfAll()).toEqual([]);
      expect(await store.statuses()).toEqual([]);
    });

    test("stores the first build as generation 1, with counts, build time, time of the newest observation and provenance", async () => {
      const { store, bodies } = await opened();
      const provenance = { months: { CPIAUCSL: { ...answer, status: 200 } } };
      const published = await publish(store, { records: october, newestAt: answer.newestAt, provenance });
      const body = await bodies.get(published.contentHash);
      expect(published).toEqual({
        dataset: "cpi",
        generation: 1,
        contentHash: expect.stringMatching(/^[0-9a-f]{64}$/),
        bodyBytes: body?.byteLength,
        builtAt: START,
        newestAt: answer.newestAt,
        recordCounts: { months: 1, weights: 0 },
        provenance,
      });
      expect(await store.newest("cpi")).toEqual(published);
    });

    test("keeps the generation and its time if the content is equal; only the run is newer", async () => {
      const { store } = await opened();
      const first = await publish(store, buildOf(october));
      const second = await publish(store, buildOf(structuredClone(october), 5), START + HOUR_MS);
      expect(second).toEqual(first);
      expect(await store.newest("cpi")).toEqual(first);
      expect(await store.statuses()).toEqual([finishedRun("cpi", START + HOUR_MS, { outcome: "unchanged" }).status]);
    });

    test("creates the next generation for changed content", async () => {
      const { store } = await opened();
      const first = await publish(store, buildOf(october));
      const second = await publish(store, buildOf(november), START + HOUR_MS);
      expect(second).toMatchObject({ generation: 2, builtAt: START + HOUR_MS });
      expect(second.contentHash).not.toBe(first.contentHash);
      expect(await store.statuses()).toEqual([finishedRun("cpi", START + HOUR_MS).status]);
    });

    test("creates a new generation with the older body for content that returns to an older value", async () => {
      const { store, bodies } = await opened();
      const first = await publish(store, buildOf(october));
      await publish(store, buildOf(november), START + 1);
      const third = await publish(store, buildOf(october), START + 2);
      expect(third).toEqual({ ...first, generation: 3, builtAt: START + 2 });
      expect(await bodies.list()).toHaveLength(2);
    });

    test("numbers generations per dataset, and stores two bodies for equal records of two datasets", async () => {
      const { store } = await opened();
      await publish(store, buildOf(october));
      const cpi = await publish(store, buildOf(november), START + 1);
      const yields = await publish(store, buildOf(november), START + 2, "yields");
      expect(yields).toMatchObject({ dataset: "yields", generation: 1 });
      expect(yields.contentHash).not.toBe(cpi.contentHash);
      const all = await store.newestOfAll();
      expect([...all].sort((a, b) => a.dataset.localeCompare(b.dataset))).toEqual([cpi, yields]);
    });

    test("orders the tenth generation after the ninth", async () => {
      const { store } = await opened();
      for (let value = 1; value <= 10; value++) await publish(store, buildOf({ months: [value] }), START + value);
      expect(await store.newest("cpi")).toMatchObject({ generation: 10, builtAt: START + 10 });
      expect(await store.newestOfAll()).toMatchObject([{ generation: 10 }]);
    });

    test("is visible to another process", async () => {
      const { store, another } = await opened();
      const published = await publish(store, buildOf(october));
      const other = await another();
      expect(await other.newest("cpi")).toEqual(published);
      expect(await other.records(published)).toEqual(october);
    });
  });

  describe("recording a run that published nothing", () => {
    test("leaves the generation and its time unchanged, and replaces the status", async () => {
      const { store } = await opened();
      const published = await publish(store, buildOf(october));
      const kept = { state: "kept", confirmedAt: START, error: "no answer", validators: {} } as const;
      const failed = finishedRun("cpi", START + HOUR_MS, {
        outcome: "failed",
        error: "months: unavailable: no answer",
        checkedAt: START,
        nextAt: START + 2 * HOUR_MS,
        failuresInRow: 3,
        parts: {
          months: { ...kept, validators: { CPIAUCSL: { version: "1", url: "https://x.test/a", etag: '"a"' } } },
        },
      });
      await store.recordRun(failed);
      expect(await store.newest("cpi")).toEqual(published);
      expect(await store.newestOfAll()).toEqual([published]);
      expect(await store.statuses()).toEqual([failed.status]);
    });

    test("works before the first publish", async () => {
      const { store } = await opened();
      const failed = finishedRun("cpi", START, { outcome: "unconfigured", checkedAt: null, error: "set FRED_KEY" });
      await store.recordRun(failed);
      expect(await store.statuses()).toEqual([failed.status]);
      expect(await store.newest("cpi")).toBeUndefined();
    });
  });

  describe("the run log", () => {
    test("keeps one line for each upstream response and for each missing response", async () => {
      const { store, db } = await opened();
      const yields: SourceRunReport = { ...failedReport, part: "yields", requestKey: "2026" };
      await store.publish("cpi", buildOf(october), finishedRun("cpi", START, {}, [readReport, yields]), START);
      await store.recordRun(finishedRun("cpi", START + 1, { outcome: "failed" }, [failedReport]));
      const lines = await db.selectFrom("source_run").selectAll().orderBy("id").execute();
      const common = { dataset: "cpi", source: "fred", url: answer.url, fetched_at: answer.fetchedAt };
      const unanswered = { http_status: null, bytes: null, sha256: null, newest_at: null };
      const unread = { ...unanswered, rows_read: null, rows_bad: null, error: "no answer within 30 s" };
      expect(lines).toEqual([
        {
          ...common,
          id: expect.any(Number),
          run_id: `run-${START}`,
          part: "months",
          request_key: "CPIAUCSL",
          outcome: "ok",
          http_status: 200,
          bytes: 5_000_000_000,
          sha256: answer.sha256,
          newest_at: answer.newestAt,
          rows_read: 358,
          rows_bad: 1,
          error: null,
        },
        {
          ...common,
          ...unread,
          id: expect.any(Number),
          run_id: `run-${START}`,
          part: "yields",
          request_key: "2026",
          outcome: "unavailable",
        },
        {
          ...common,
          ...unread,
          id: expect.any(Number),
          run_id: `run-${START + 1}`,
          part: "months",
          request_key: "CPIAUCSL",
          outcome: "unavailable",
        },
      ]);
    });

    test("includes runs without changes", async () => {
      const { store, db } = await opened();
      for (const at of [START, START + 1]) {
        await store.publish("cpi", buildOf(october), finishedRun("cpi", at, {}, [readReport]), at);
      }
      const lines = await db.selectFrom("source_run").select("run_id").orderBy("id").execute();
      expect(lines).toEqual([{ run_id: `run-${START}` }, { run_id: `run-${START + 1}` }]);
    });
  });

  describe("records", () => {
    test("are returned as published, for every generation", async () => {
      const { store } = await opened();
      const odd = { months: [null, -1.5e-9, "", 'Kö"ln\u2028🌍\0', { deep: [{ er: [true] }] }], empty: [] };
      const first = await publish(store, buildOf(odd));
      const second = await publish(store, buildOf(november), START + 1);
      expect(await store.records(first)).toEqual(odd);
      expect(await store.records(second)).toEqual(november);
      expect(await store.readableRecords(first)).toEqual(odd);
    });

    const damages: readonly { damage: string; sentence: string; apply: Damage }[] = [
      { damage: "a flipped byte", sentence: "cannot be unpacked|does not match", apply: altered(flipMiddle) },
      { damage: "a missing end", sentence: "cannot be unpacked", apply: altered((body) => body.subarray(0, 40)) },
      { damage: "no bytes at all", sentence: "cannot be unpacked", apply: altered(() => Buffer.alloc(0)) },
      {
        damage: "the content of another body",
        sentence: "does not match its hash",
        apply: altered(() => gzipSync("{}")),
      },
      { damage: "no body", sentence: "is gone", apply: (bodies, hash) => bodies.remove(hash) },
    ];

    test.each(damages)(
      "are refused with BodyDamaged, or left out by `readableRecords`, after this damage to their body: $damage",
      async ({ apply, sentence }) => {
        const { store, bodies } = await opened();
        const published = await publish(store, buildOf(october));
        await apply(bodies, published.contentHash);
        const read = store.records(published);
        await expect(read).rejects.toThrow(BodyDamaged);
        await expect(read).rejects.toThrow(new RegExp(`^body ${published.contentHash.slice(0, 12)} (${sentence})`));
        expect(await store.readableRecords(published)).toBeUndefined();
      },
    );

    test.each(damages)(
      "are repaired by publishing equal content, without a new generation, after this damage: $damage",
      async ({ apply }) => {
        const { store, bodies } = await opened();
        const published = await publish(store, buildOf(october));
        await apply(bodies, published.contentHash);
        expect(await publish(store, buildOf(october), START + 1)).toEqual(published);
        expect(await store.records(published)).toEqual(october);
      },
    );

    test("pass on an error of the body store instead of treating it as damage", async () => {
      const { store, bodies, db } = await opened();
      const published = await publish(store, buildOf(october));
      const failing: BodyStore = { ...bodies, get: () => Promise.reject(new Error("disk on fire")) };
      const onFailing = snapshotStore({ dialect: "sqlite", db, close: async () => undefined }, failing);
      await expect(onFailing.readableRecords(published)).rejects.toThrow("disk on fire");
    });
  });

  describe("a failed transaction", () => {
    // A line that the log refuses simulates a full disk or a lost connection.
    const refused = { ...readReport, url: null } as unknown as SourceRunReport;

    test("leaves the store unchanged if publishing fails after the status of the run was written", async () => {
      const { store, db } = await opened();
      const before = await publish(store, buildOf(october));
      const run = finishedRun("cpi", START + 1, {}, [readReport, refused]);
      await expect(store.publish("cpi", buildOf(november), run, START + 1)).rejects.toThrow(/null/i);
      expect(await store.newest("cpi")).toEqual(before);
      expect(await store.statuses()).toEqual([finishedRun("cpi", START).status]);
      expect(await db.selectFrom("source_run").selectAll().execute()).toEqual([]);
      expect(await publish(store, buildOf(november), START + 2)).toMatchObject({ generation: 2 });
    });

    test("leaves the store unchanged if a run cannot be recorded", async () => {
      const { store, db } = await opened();
      await expect(store.recordRun(finishedRun("cpi", START, {}, [readReport, refused]))).rejects.toThrow(/null/i);
      expect(await store.statuses()).toEqual([]);
      expect(await db.selectFrom("source_run").selectAll().execute()).toEqual([]);
    });

    test("publishes nothing if a body cannot be written", async () => {
      const { store, bodies, db } = await opened();
      const full: BodyStore = { ...bodies, put: () => Promise.reject(new Error("ENOSPC")) };
      const onFull = snapshotStore({ dialect: "sqlite", db, close: async () => undefined }, full);
      await expect(publish(onFull, buildOf(october))).rejects.toThrow("ENOSPC");
      expect(await store.newest("cpi")).toBeUndefined();
      expect(await store.statuses()).toEqual([]);
    });
  });

  describe("several publishers of one dataset", () => {
    test("never store a generation twice, skip a generation number, or store half a run", async () => {
      const { store, db } = await opened();
      const publishing = Array.from({ length: 8 }, (_, index) =>
        store.publish("cpi", buildOf({ months: [index] }), finishedRun("cpi", START, {}, [readReport]), START + index),
      );
      const ended = await Promise.allSettled(publishing);
      const published = ended.flatMap((end) => (end.status === "fulfilled" ? [end.value] : []));
      const numbers = published.map(({ generation }) => generation).sort((a, b) => a - b);
      expect(numbers.length).toBeGreaterThan(0);
      expect(numbers).toEqual(numbers.map((_, index) => index + 1));
      const rows = await db.selectFrom("snapshot").select("generation").orderBy("generation").execute();
      expect(rows.map(({ generation }) => generation)).toEqual(numbers);
      const lines = await db.selectFrom("source_run").select("id").execute();
      expect(lines).toHaveLength(numbers.length);
      for (const generation of published) expect(await store.records(generation)).toEqual(expect.anything());
    });
  });
});

await describeEachStore((open) => {
  // On PostgreSQL, every publisher reads the newest generation before it locks the dataset, so all but one must read it
  // again.
  test("concurrent publishers all succeed, one after the other", async () => {
    const { database, dataDir } = await open();
    const store = snapshotStore(database, bodyStore(database, dataDir, manualClock(START)));
    const publishing = Array.from({ length: 8 }, (_, index) =>
      store.publish("cpi", buildOf({ months: [index] }), finishedRun("cpi", START), START + index),
    );
    const numbers = (await Promise.all(publishing)).map(({ generation }) => generation);
    expect(numbers.sort((a, b) => a - b)).toEqual([1, 2, 3, 4, 5, 6, 7, 8]);
  });
});

type Damage = (bodies: BodyStore, contentHash: string) => Promise<void>;

function altered(change: (body: Buffer) => Buffer): Damage {
  return async (bodies, contentHash) => {
    const body = await bodies.get(contentHash);
    if (!body) throw new Error("nothing to damage");
    await bodies.put(contentHash, change(Buffer.from(body)));
  };
}

function flipMiddle(body: Buffer): Buffer {
  const middle = body.length >> 1;
  body[middle] = (body[middle] ?? 0) ^ 0xff;
  return body;
}

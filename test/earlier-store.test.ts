import { readFileSync } from "node:fs";
import { resolve } from "node:path";
import { sql } from "kysely";
import { expect, test } from "vitest";
import type { AnyCollection } from "../src/contract/dataset.js";
import { settingReader } from "../src/contract/setting.js";
import { SourceFailure } from "../src/contract/source.js";
import { bodyStore } from "../src/database/bodies.js";
import type { OpenDatabase } from "../src/database/open-database.js";
import type { DatasetStatusRow } from "../src/database/schema.js";
import { readRows } from "../src/ingest/read-rows.js";
import { runCollection } from "../src/ingest/run-collection.js";
import { createTokens } from "../src/ingest/tokens.js";
import { MINUTE_MS } from "../src/kit/clock.js";
import { LoopTurns } from "../src/kit/loop-turns.js";
import { manualClock } from "../src/kit/manual-clock.js";
import { turnstile } from "../src/kit/turnstile.js";
import { airportDelays } from "../src/services/aviation/datasets/airport-delays.js";
import { alphaEvents } from "../src/services/conflict/datasets/alpha-events.js";
import type { AlphaConflictEvent } from "../src/services/conflict/records.js";
import type { ExportSpan } from "../src/services/conflict/rules/export-spans.js";
import { contentText, type PartRecords, pack } from "../src/snapshots/bodies/body.js";
import { snapshotRegistry } from "../src/snapshots/registry.js";
import { snapshotStore } from "../src/snapshots/store.js";
import { NOON } from "./support/stack.js";
import { describeEachStore } from "./support/stores.js";

interface StoredDataset {
  readonly records: PartRecords;
  /** A row of the table `dataset_status`, with its parts parsed. */
  readonly status: Omit<DatasetStatusRow, "parts"> & {
    readonly parts: Readonly<Record<string, { readonly asked?: Readonly<Record<string, number>> }>>;
  };
}

/**
 * Two datasets as stored by the last version whose statuses had no `memory` per part. Long lists are cut to their
 * first records.
 */
const stored: Readonly<Record<string, StoredDataset>> = JSON.parse(
  readFileSync(resolve(import.meta.dirname, "support/store-before-memory.json"), "utf8"),
);

/** Writes the stored datasets, and undoes later migrations, so that the store is as the earlier version left it. */
async function writeEarlier(database: OpenDatabase, dataDir: string): Promise<void> {
  const { db } = database;
  const bodies = bodyStore(database, dataDir, manualClock(NOON));
  for (const [dataset, { records, status }] of Object.entries(stored)) {
    const { lines, contentHash } = contentText(dataset, records);
    const bytes = await pack(lines);
    await bodies.put(contentHash, bytes);
    const counts = Object.entries(records).map(([part, list]) => [part, list.length]);
    const generation = {
      dataset,
      generation: 1,
      content_hash: contentHash,
      body_bytes: bytes.byteLength,
      built_at: NOON,
      newest_at: NOON,
      record_counts: JSON.stringify(Object.fromEntries(counts)),
      provenance: "{}",
    };
    await db.insertInto("snapshot").values(generation).execute();
    const { parts, ...row } = status;
    await db
      .insertInto("dataset_status")
      .values({ ...row, parts: JSON.stringify(parts) })
      .execute();
  }
  await db.schema.alterTable("dataset_status").dropColumn("ingredients").execute();
  await db.schema.alterTable("dataset_status").dropColumn("account").execute();
  const later = ["proof_log", "proof_leaf", "proof_key", "dataset_run", "body_base", "row_revision", "plan_event"];
  for (const table of later) await db.schema.dropTable(table).execute();
  await db.schema.dropIndex("snapshot_by_time").execute();
  await db.schema.alterTable("snapshot").dropColumn("changes").execute();
  await db.schema.alterTable("snapshot").dropColumn("build_account").execute();
  await db.schema.alterTable("session").dropColumn("address").execute();
  await sql`delete from kysely_migration where name >= '006'`.execute(db);
}

/** Opens the store with the current code, with all upstreams down. */
function opened(database: OpenDatabase, dataDir: string) {
  const clock = manualClock(NOON);
  const store = snapshotStore(database, bodyStore(database, dataDir, clock));
  const urls: string[] = [];
  const client = {
    async fetch({ url }: { readonly url: string }): Promise<never> {
      urls.push(url);
      throw new SourceFailure("unavailable", "down");
    },
    close: async () => undefined,
  };
  const tools = {
    clock,
    client,
    store,
    random: () => 0,
    budgets: { take: async () => undefined },
    readRows: async (...args: Parameters<typeof readRows>) => readRows(...args),
    largeAnswers: turnstile(),
    tokens: createTokens(clock),
    credentials: { AVIATIONSTACK_API: "k" },
    settingOf: settingReader({}),
    openLicencesOnly: false,
    version: "1",
  };
  const datasets = [alphaEvents, airportDelays];
  const report = (_dataset: string, error: unknown): never => {
    throw error;
  };
  const registry = snapshotRegistry({ store, datasets, clock, turns: new LoopTurns(), report });
  const run = (dataset: AnyCollection) =>
    runCollection(tools, dataset, {
      signal: new AbortController().signal,
      onFault: (error) => report(dataset.name, error),
    });
  return { clock, store, registry, run, urls };
}

const [span, ...events] = (stored["alpha-events"]?.records["gdelt"] ?? []) as readonly [
  ExportSpan,
  ...(readonly AlphaConflictEvent[]),
];

await describeEachStore((openStore) => {
  test("a store without `memory` in its statuses opens with the same content, and the stored span of GDELT exports is not served as an event", async () => {
    const { database, dataDir, openAgain } = await openStore();
    await writeEarlier(database, dataDir);
    const { registry } = opened(await openAgain(), dataDir);
    await registry.refresh();
    const { records } = stored["alpha-events"] ?? { records: {} };
    const snapshot = registry.get(alphaEvents);
    expect(snapshot).toMatchObject({
      available: true,
      state: "ok",
      generation: 1,
      contentHash: contentText("alpha-events", records).contentHash,
    });
    if (!snapshot.available) throw new Error("the snapshot is not available");
    const all = snapshot.view.find("", { first: 0, last: NOON });
    expect(new Set(all.slice(0, all.length).map(({ id }) => id))).toEqual(new Set(events.map(({ id }) => id)));
    expect(registry.get(airportDelays)).toMatchObject({ available: true, generation: 1 });
  });

  test("exports that the earlier version read are not read again, even after a failed run", async () => {
    const { database, dataDir, openAgain } = await openStore();
    await writeEarlier(database, dataDir);
    const { run, urls, clock } = opened(await openAgain(), dataDir);
    clock.advance(15 * MINUTE_MS);
    const { status } = await run(alphaEvents);
    expect(status).toMatchObject({ outcome: "failed", parts: { gdelt: { memory: { spans: [span] } } } });
    const exportTimes = urls.flatMap((url) => /(\d{14})\.export/.exec(url)?.[1] ?? []);
    expect(exportTimes).toHaveLength(96);
    const readAlready = exportTimes.filter(
      (stamp) => stamp >= stampOf(span.firstExportAt) && stamp <= stampOf(span.lastExportAt),
    );
    expect(readAlready).toEqual([]);
    expect(exportTimes).toContain(stampOf(span.firstExportAt - 15 * MINUTE_MS));
  });

  test("airports that the earlier version requested are not requested again before they are due", async () => {
    const { database, dataDir, openAgain } = await openStore();
    await writeEarlier(database, dataDir);
    const { run, urls, clock, store } = opened(await openAgain(), dataDir);
    const askedAt = stored["airport-delays"]?.status.parts["departures"]?.asked;
    const memoryOf = async () =>
      (await store.statuses()).find(({ dataset }) => dataset === "airport-delays")?.parts["departures"];
    expect(await memoryOf()).toMatchObject({ memory: { askedAt } });
    expect(await memoryOf()).not.toHaveProperty("asked");
    clock.advance(54 * MINUTE_MS);
    await run(airportDelays);
    expect(urls.filter((url) => url.includes("aviationstack"))).toEqual([]);
    clock.advance(MINUTE_MS);
    await run(airportDelays);
    expect(urls.filter((url) => url.includes("aviationstack"))).toHaveLength(1);
    expect(Object.values((await memoryOf())?.memory as object)).not.toEqual([askedAt]);
  });
});

function stampOf(at: number): string {
  return new Date(at).toISOString().replace(/\.\d+Z$|\D/g, "");
}

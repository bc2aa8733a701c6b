import { sql, type Transaction } from "kysely";
import type { BodyStore } from "../database/bodies.js";
import type { Dialect, OpenDatabase } from "../database/open-database.js";
import { appendGeneration } from "../database/proof-log.js";
import type { Database } from "../database/schema.js";
import { inTransaction } from "../database/transaction.js";
import { LoopTurns } from "../kit/loop-turns.js";
import { BodyDamaged, contentText, type PartRecords, type RecordBatch, type TextLines } from "./bodies/body.js";
import { storedBodies } from "./bodies/stored-bodies.js";
import { type GenerationChanges, generationChanges } from "./changes/generation-changes.js";
import type { Build, DatasetStatus, FinishedRun, Generation } from "./generation.js";
import { appendRevision } from "./history/row-revisions.js";
import { appendRun, type RunAt, runAt } from "./history/run-history.js";
import { generationOf, rowOf, runRowOf, statusOf, statusRowOf } from "./rows.js";

/** The generations of all datasets with their bodies, and the log of the runs that built them. */
export interface SnapshotStore {
  /**
   * Stores a build as the next generation, together with its run and its leaf in the Merkle log of all generations
   * (`database/proof-log.ts`). If the content equals that of the newest generation, stores only the run, unless the
   * metadata of that generation is damaged. Returns the newest generation.
   */
  publish(dataset: string, build: Build, run: FinishedRun, builtAt: number): Promise<Generation>;
  /** Records a run that published nothing. */
  recordRun(run: FinishedRun): Promise<void>;
  newest(dataset: string): Promise<Generation | undefined>;
  newestOfAll(): Promise<readonly Generation[]>;
  /** A generation by number; undefined if it never existed or has been removed. */
  generation(dataset: string, generation: number): Promise<Generation | undefined>;
  /** The generations of a dataset before the number `generation`, newest first, at most `max`. */
  earlier(dataset: string, generation: number, max: number): Promise<readonly Generation[]>;
  statuses(): Promise<readonly DatasetStatus[]>;
  /** The run that determines the state of a dataset at an instant, epoch ms. */
  runAt(dataset: string, at: number): Promise<RunAt>;
  /** The records of a generation. Throws `BodyDamaged` if they are gone, altered or unreadable. */
  records(generation: Pick<Generation, "contentHash">): Promise<PartRecords>;
  /**
   * The records of a generation piece by piece, in bounded memory. No record is verified before the end. Throws
   * `BodyDamaged` during the read or at its end.
   */
  batches(generation: Pick<Generation, "contentHash">): AsyncIterable<RecordBatch>;
  /** The records of a generation; undefined if they are gone, altered or unreadable. */
  readableRecords(generation: Generation): Promise<PartRecords | undefined>;
}

export function snapshotStore(
  { db, dialect }: OpenDatabase,
  bodies: BodyStore,
  turns: LoopTurns = new LoopTurns(),
): SnapshotStore {
  const stored = storedBodies(bodies, turns);
  const newestKnown = new Map<string, Generation>();

  async function newest(dataset: string, on: Transaction<Database> | typeof db = db): Promise<Generation | undefined> {
    const row = await on
      .selectFrom("snapshot")
      .selectAll()
      .where("dataset", "=", dataset)
      .orderBy("generation", "desc")
      .limit(1)
      .executeTakeFirst();
    return row && generationOf(row);
  }

  /**
   * Stores a body. An existing body is written again if it is damaged. It is also written again if no generation
   * references it: writing renews its age, so that retention does not remove it as an old orphan before the row of its
   * new generation exists.
   */
  async function storeBody(lines: TextLines, contentHash: string, before: Generation | undefined): Promise<number> {
    const naming = db.selectFrom("snapshot").select("generation").where("content_hash", "=", contentHash).limit(1);
    const storedLength = (await naming.executeTakeFirst()) && (await stored.undamagedLength(contentHash));
    if (storedLength !== undefined) return storedLength;
    return stored.write(contentHash, lines, before?.contentHash);
  }

  /**
   * Returns the differences between a build and the previous generation; undefined if there is no previous generation,
   * its content is equal, or its records cannot be read.
   */
  async function changesSince(
    before: Generation | undefined,
    { records, comparison }: Build,
    contentHash: string,
  ): Promise<GenerationChanges | undefined> {
    if (!before || before.contentHash === contentHash) return undefined;
    const isInMemory = comparison?.before?.contentHash === before.contentHash;
    const earlier = isInMemory ? comparison.before.records : await undamaged(stored.records(before.contentHash));
    return earlier && generationChanges(earlier, records, comparison?.dataset, turns);
  }

  /**
   * Returns the newest generation. Its row is read only if `candidate` is not the newest, because rows never change.
   */
  async function newestSince(
    candidate: Generation | undefined,
    on: Transaction<Database>,
    dataset: string,
  ): Promise<Generation | undefined> {
    const number = await newestNumber(on, dataset);
    return number === (candidate?.generation ?? 0) ? candidate : newest(dataset, on);
  }

  return {
    async publish(dataset, build, run, builtAt) {
      const { lines, contentHash } = contentText(dataset, build.records);
      const compared = await newest(dataset);
      const bodyBytes = await storeBody(lines, contentHash, compared);
      const changes = await changesSince(compared, build, contentHash);
      return inTransaction(db, async (transaction) => {
        await lockDataset(transaction, dialect, dataset);
        const before = await newestSince(compared, transaction, dataset);
        const unchanged = before?.contentHash === contentHash && before.isDamaged !== true;
        const outcome = unchanged ? "unchanged" : "published";
        const status = { ...run.status, outcome } as const;
        await writeRun(transaction, { ...run, status });
        await appendRun(transaction, status, (before?.generation ?? 0) + (unchanged ? 0 : 1));
        if (unchanged) return before;
        const next: Generation = {
          dataset,
          generation: (before?.generation ?? 0) + 1,
          contentHash,
          bodyBytes,
          builtAt,
          newestAt: build.newestAt,
          recordCounts: countsOf(build.records),
          provenance: build.provenance,
          ...(build.ingredients && { ingredients: build.ingredients }),
          ...(build.account && { account: build.account }),
        };
        // Another process may have published since the comparison, if this process has lost its lease.
        const ownChanges = before === compared ? changes : undefined;
        const row = rowOf(next, ownChanges?.counts);
        await transaction.insertInto("snapshot").values(row).execute();
        if (build.comparison?.dataset.keepsFormerRows) {
          await appendRevision(transaction, next, before, ownChanges?.revised);
        }
        // This call comes last, because it locks the log for the publishers of all datasets.
        await appendGeneration(transaction, row);
        return next;
      });
    },
    recordRun: (run) =>
      inTransaction(db, async (transaction) => {
        const { dataset } = run.status;
        await lockDataset(transaction, dialect, dataset);
        const generation = await newestNumber(transaction, dataset);
        await writeRun(transaction, run);
        await appendRun(transaction, run.status, generation);
      }),
    newest: (dataset) => newest(dataset),
    async newestOfAll() {
      const numbers = await db
        .selectFrom("snapshot")
        .select(["dataset", (select) => select.fn.max("generation").as("generation")])
        .groupBy("dataset")
        .execute();
      // Only new rows are read, because this method runs every few seconds and the provenance in a row can be long.
      const newestRows = numbers.map(async ({ dataset, generation }) => {
        const cached = newestKnown.get(dataset);
        if (cached?.generation === Number(generation)) return cached;
        const read = await newest(dataset);
        if (read) newestKnown.set(dataset, read);
        return read;
      });
      return (await Promise.all(newestRows)).filter((row) => row !== undefined);
    },
    async generation(dataset, generation) {
      const query = db
        .selectFrom("snapshot")
        .selectAll()
        .where("dataset", "=", dataset)
        .where("generation", "=", generation);
      const row = await query.executeTakeFirst();
      return row && generationOf(row);
    },
    async earlier(dataset, generation, max) {
      const rows = await db
        .selectFrom("snapshot")
        .selectAll()
        .where("dataset", "=", dataset)
        .where("generation", "<", generation)
        .orderBy("generation", "desc")
        .limit(max)
        .execute();
      return rows.map(generationOf);
    },
    async statuses() {
      const rows = await db.selectFrom("dataset_status").selectAll().execute();
      return rows.map(statusOf);
    },
    runAt: (dataset, at) => runAt(db, dataset, at),
    records: ({ contentHash }) => stored.records(contentHash),
    batches: ({ contentHash }) => stored.batches(contentHash),
    readableRecords: ({ contentHash }) => undamaged(stored.records(contentHash)),
  };
}

/** Returns the result of reading a body; undefined if the body is gone, altered or unreadable. */
async function undamaged<T>(reading: Promise<T>): Promise<T | undefined> {
  try {
    return await reading;
  } catch (error) {
    if (error instanceof BodyDamaged) return undefined;
    throw error;
  }
}

/** Reads the number of the newest generation; 0 before the first. */
async function newestNumber(on: Transaction<Database>, dataset: string): Promise<number> {
  const { newest } = await on
    .selectFrom("snapshot")
    .select((select) => select.fn.max("generation").as("newest"))
    .where("dataset", "=", dataset)
    .executeTakeFirstOrThrow();
  return Number(newest ?? 0);
}

/** Serialises publishers of one dataset; on SQLite the transaction already has the only write lock. */
async function lockDataset(transaction: Transaction<Database>, dialect: Dialect, dataset: string): Promise<void> {
  if (dialect === "postgres") await sql`select pg_advisory_xact_lock(hashtext(${dataset}))`.execute(transaction);
}

async function writeRun(transaction: Transaction<Database>, run: FinishedRun): Promise<void> {
  const row = statusRowOf(run.status);
  const { dataset: _dataset, ...changes } = row;
  await transaction
    .insertInto("dataset_status")
    .values(row)
    .onConflict((conflict) => conflict.column("dataset").doUpdateSet(changes))
    .execute();
  const lines = run.reports.map((report) => runRowOf(run, report));
  if (lines.length > 0) await transaction.insertInto("source_run").values(lines).execute();
}

function countsOf(records: PartRecords): Readonly<Record<string, number>> {
  return Object.fromEntries(Object.entries(records).map(([part, rows]) => [part, rows.length]));
}

import { type Kysely, sql } from "kysely";
import type { OpenDatabase } from "../database/open-database.js";
import { proofKeyFaults } from "../database/proof-keys.js";
import { entryOf, leafFaults, leafOf, logSize } from "../database/proof-log.js";
import type { Database, SnapshotRow } from "../database/schema.js";
import { BodyDamaged, type PartRecords } from "./bodies/body.js";
import type { Generation } from "./generation.js";
import { generationOf } from "./rows.js";
import type { SnapshotStore } from "./store.js";

/** An inconsistency in the store. */
export interface StoreFault {
  /** A leaf of the log (`leaf 17`), a signing key (`key` and its id), or a dataset and the number of its generation. */
  readonly subject: string;
  readonly problem: string;
}

/** The result of a check of the whole store. */
export interface StoreVerification {
  readonly leaves: number;
  readonly generations: number;
  readonly bodies: number;
  readonly faultCount: number;
  /** The first faults, at most `FAULTS_MAX`. */
  readonly faults: readonly StoreFault[];
}

/** Additional checks of the records of a stored generation. */
export interface GenerationChecks {
  /** Yields the problems of a generation. */
  faultsOf(generation: Generation, records: PartRecords): AsyncGenerator<string, void>;
}

export interface VerifyOptions {
  /** Additional checks; the records of a generation are read once for all of them. */
  readonly checks?: GenerationChecks;
  /** Called after each generation. */
  readonly onGeneration?: (checked: number, of: number) => void;
}

const PAGE_ROWS = 500;
const FAULTS_MAX = 1_000;

/**
 * Checks every leaf of the Merkle log against its hashes, every signing key, every stored generation against its leaf,
 * and every body against its hash. Also checks that the newest generation of each dataset in the log is stored. Holds
 * the records of one generation in memory at a time, not counting what `checks` holds. Read-only, so a service may use
 * the store at the same time.
 */
export async function verifyStore(
  { db }: OpenDatabase,
  store: SnapshotStore,
  { checks, onGeneration }: VerifyOptions = {},
): Promise<StoreVerification> {
  const faults: StoreFault[] = [];
  let faultCount = 0;
  const report = (subject: string, problem: string): void => {
    faultCount += 1;
    if (faults.length < FAULTS_MAX) faults.push({ subject, problem });
  };
  // The size is read first, because a running service appends leaves to the log during the check.
  const leaves = await logSize(db);
  for await (const { leaf, problem } of leafFaults(db, leaves)) report(`leaf ${leaf}`, problem);
  for (const { keyId, problem } of await proofKeyFaults(db)) report(`key ${keyId}`, problem);
  const bodies = new Set<string>();
  let generations = 0;
  const total = await generationCount(db);
  for await (const row of storedGenerations(db)) {
    generations += 1;
    const subject = `${row.dataset} ${row.generation}`;
    const isNewBody = !bodies.has(row.content_hash);
    bodies.add(row.content_hash);
    const body = isNewBody || checks ? await bodyOf(store, row) : undefined;
    const problems = [await logProblem(db, row), isNewBody ? body?.problem : undefined];
    for (const problem of problems) {
      // Retention may have removed the generation since its row was read.
      if (problem !== undefined && (await store.generation(row.dataset, row.generation))) report(subject, problem);
    }
    if (checks && body?.records) {
      for await (const problem of checks.faultsOf(generationOf(row), body.records)) report(subject, problem);
    }
    onGeneration?.(generations, Math.max(generations, total));
  }
  for (const { dataset, generation } of await loggedAhead(db)) {
    report(`${dataset} ${generation}`, "is the newest generation of the log, but not stored");
  }
  return { leaves, generations, bodies: bodies.size, faultCount, faults };
}

async function* storedGenerations(db: Kysely<Database>): AsyncGenerator<SnapshotRow> {
  let [dataset, generation] = ["", 0];
  for (;;) {
    const rows = await db
      .selectFrom("snapshot")
      .selectAll()
      .where(sql<boolean>`(dataset, generation) > (${dataset}, ${generation})`)
      .orderBy("dataset")
      .orderBy("generation")
      .limit(PAGE_ROWS)
      .execute();
    yield* rows;
    const last = rows.at(-1);
    if (last === undefined) return;
    ({ dataset, generation } = last);
  }
}

async function logProblem(db: Kysely<Database>, row: SnapshotRow): Promise<string | undefined> {
  const leaf = await leafOf(db, row.dataset, row.generation);
  if (leaf === undefined) return "is not in the log";
  return leaf.entry === entryOf(row) ? undefined : `differs from leaf ${leaf.leaf_index}`;
}

interface ReadBody {
  readonly records?: PartRecords;
  readonly problem?: string;
}

async function bodyOf(store: SnapshotStore, row: SnapshotRow): Promise<ReadBody> {
  try {
    return { records: await store.records({ contentHash: row.content_hash }) };
  } catch (error) {
    if (error instanceof BodyDamaged) return { problem: error.message };
    throw error;
  }
}

async function generationCount(db: Kysely<Database>): Promise<number> {
  const { count } = await db
    .selectFrom("snapshot")
    .select((select) => select.fn.countAll().as("count"))
    .executeTakeFirstOrThrow();
  return Number(count);
}

/**
 * Returns each dataset's newest logged generation if it is not stored. That is a fault, because retention keeps the
 * newest generation of every dataset.
 */
async function loggedAhead(db: Kysely<Database>): Promise<readonly Pick<SnapshotRow, "dataset" | "generation">[]> {
  const { rows } = await sql<Pick<SnapshotRow, "dataset" | "generation">>`
    select l.dataset, l.generation from (
      select dataset, max(generation) as generation from proof_leaf group by dataset
    ) l
    where not exists (
      select 1 from snapshot s where s.dataset = l.dataset and s.generation >= l.generation
    )
    order by l.dataset`.execute(db);
  return rows;
}

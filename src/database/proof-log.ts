import { createHash } from "node:crypto";
import { type Kysely, sql } from "kysely";
import {
  completedHashes,
  hashOfRange,
  type LeafRange,
  lastLeafOf,
  leafHash,
  leftSiblings,
  type Subtree,
  subtreesOf,
} from "../kit/merkle-tree.js";
import type { OpenDatabase } from "./open-database.js";
import { plainText } from "./packed-text.js";
import type { Database, ProofLeafRow, SnapshotRow } from "./schema.js";
import { inTransaction } from "./transaction.js";

/** The logged columns of a generation. The text of its leaf in the Merkle log is made from them. */
export type LoggedGeneration = Pick<
  SnapshotRow,
  "dataset" | "generation" | "content_hash" | "built_at" | "newest_at" | "provenance"
>;

const HEX_LENGTH = 64;
/** Maximum number of rows that one statement reads or inserts. */
const BATCH_ROWS = 200;

/**
 * Appends a generation to the Merkle log, in the transaction that stores it. Locks the log until the transaction ends.
 */
export async function appendGeneration(db: Kysely<Database>, generation: LoggedGeneration): Promise<void> {
  const { size } = await db
    .updateTable("proof_log")
    .set({ size: sql<number>`size + 1` })
    .returning("size")
    .executeTakeFirstOrThrow();
  const leaf = size - 1;
  const hashOf = await readSubtrees(db, leftSiblings(leaf));
  await db
    .insertInto("proof_leaf")
    .values(leafRow(leaf, generation, hashOf))
    .execute();
}

/** Appends every stored generation to the empty log, oldest first. */
export async function appendStoredGenerations(db: Kysely<Database>): Promise<void> {
  const stored = await db
    .selectFrom("snapshot")
    .select(["dataset", "generation", "built_at"])
    .orderBy("built_at")
    .orderBy("dataset")
    .orderBy("generation")
    .execute();
  /** The hash of the latest complete subtree of each level. That subtree is the left sibling of the next one. */
  const newest = new Map<number, Buffer>();
  let rows: ProofLeafRow[] = [];
  for (const [leaf, { dataset, generation }] of stored.entries()) {
    const snapshot = await db
      .selectFrom("snapshot")
      .selectAll()
      .where("dataset", "=", dataset)
      .where("generation", "=", generation)
      .executeTakeFirstOrThrow();
    const row = leafRow(leaf, snapshot, ({ level }) => newest.get(level) as Buffer);
    for (const [level, hash] of hashesIn(row.hashes).entries()) newest.set(level, hash);
    rows.push(row);
    if (rows.length < BATCH_ROWS && leaf < stored.length - 1) continue;
    await db.insertInto("proof_leaf").values(rows).execute();
    rows = [];
  }
  await db.updateTable("proof_log").set({ size: stored.length }).execute();
}

/**
 * Appends generations that the log lacks, at most `BATCH_ROWS` per call. Nodes of an earlier version publish such
 * generations until these nodes are replaced. Only PostgreSQL can have nodes of two versions at the same time.
 */
export async function appendMissing({ db, dialect }: OpenDatabase): Promise<void> {
  if (dialect !== "postgres") return;
  await inTransaction(db, async (transaction) => {
    // Locks the log, so that two nodes do not append the same generation.
    await transaction
      .updateTable("proof_log")
      .set((log) => ({ size: log.ref("size") }))
      .execute();
    const missing = await transaction
      .selectFrom("snapshot")
      .selectAll()
      .where(({ not, exists, selectFrom }) =>
        not(
          exists(
            selectFrom("proof_leaf")
              .select("leaf_index")
              .whereRef("proof_leaf.dataset", "=", "snapshot.dataset")
              .whereRef("proof_leaf.generation", "=", "snapshot.generation"),
          ),
        ),
      )
      .orderBy("built_at")
      .limit(BATCH_ROWS)
      .execute();
    for (const generation of missing) await appendGeneration(transaction, generation);
  });
}

function leafRow(leaf: number, generation: LoggedGeneration, hashOf: (subtree: Subtree) => Buffer): ProofLeafRow {
  const entry = entryOf(generation);
  const hashes = completedHashes(leafHash(Buffer.from(entry)), leftSiblings(leaf).map(hashOf));
  return {
    leaf_index: leaf,
    dataset: generation.dataset,
    generation: generation.generation,
    entry,
    hashes: hashes.map((hash) => Buffer.from(hash).toString("hex")).join(""),
  };
}

/** Formats the text of a leaf: canonical JSON (RFC 8785), whose members are sorted by name. */
export function entryOf({
  dataset,
  generation,
  content_hash,
  built_at,
  newest_at,
  provenance,
}: LoggedGeneration): string {
  return JSON.stringify({
    builtAt: built_at,
    contentHash: content_hash,
    dataset,
    generation,
    newestAt: newest_at,
    provenanceHash: createHash("sha256").update(provenanceText(provenance)).digest("hex"),
  });
}

function provenanceText(stored: string): string {
  try {
    return plainText(stored);
  } catch {
    // A damaged provenance is hashed as it is stored, because its generation needs a leaf too.
    return stored;
  }
}

/** Reads the number of leaves. */
export async function logSize(db: Kysely<Database>): Promise<number> {
  const { size } = await db.selectFrom("proof_log").select("size").executeTakeFirstOrThrow();
  return size;
}

/**
 * Finds the leaf of a generation; undefined if the generation is not in the log. A generation that was removed by hand
 * and published again has two leaves; the newest is returned.
 */
export async function leafOf(
  db: Kysely<Database>,
  dataset: string,
  generation: number,
): Promise<Pick<ProofLeafRow, "leaf_index" | "entry"> | undefined> {
  return await db
    .selectFrom("proof_leaf")
    .select(["leaf_index", "entry"])
    .where("dataset", "=", dataset)
    .where("generation", "=", generation)
    .orderBy("leaf_index", "desc")
    .limit(1)
    .executeTakeFirst();
}

/**
 * Computes the hashes of ranges of leaves. Reads one row for each complete subtree; a range of n leaves consists of
 * about log n subtrees.
 */
export async function rangeHashes(db: Kysely<Database>, ranges: readonly LeafRange[]): Promise<readonly Uint8Array[]> {
  const hashOf = await readSubtrees(db, ranges.flatMap(subtreesOf));
  return ranges.map((range) => hashOfRange(subtreesOf(range).map(hashOf)));
}

/** Reads the hashes of complete subtrees. */
async function readSubtrees(db: Kysely<Database>, subtrees: readonly Subtree[]): Promise<(subtree: Subtree) => Buffer> {
  const leaves = [...new Set(subtrees.map(lastLeafOf))];
  const rows =
    leaves.length === 0
      ? []
      : await db.selectFrom("proof_leaf").select(["leaf_index", "hashes"]).where("leaf_index", "in", leaves).execute();
  const hashesOf = new Map(rows.map(({ leaf_index, hashes }) => [leaf_index, hashesIn(hashes)]));
  return (subtree) => {
    const hash = hashesOf.get(lastLeafOf(subtree))?.[subtree.level];
    if (hash === undefined) throw new Error(`leaf ${lastLeafOf(subtree)} of the Merkle log is missing or truncated`);
    return hash;
  };
}

function hashesIn(text: string): readonly Buffer[] {
  return Array.from({ length: Math.floor(text.length / HEX_LENGTH) }, (_, at) =>
    Buffer.from(text.slice(at * HEX_LENGTH, (at + 1) * HEX_LENGTH), "hex"),
  );
}

/** A leaf that is missing, or whose text contradicts its hashes or its columns. */
export interface LeafFault {
  readonly leaf: number;
  readonly problem: string;
}

/**
 * Yields the faults of the first `size` leaves, in order. Each hash is checked against the stored hashes from which it
 * is computed.
 */
export async function* leafFaults(db: Kysely<Database>, size: number): AsyncGenerator<LeafFault> {
  const newest = new Map<number, Buffer>();
  let expected = 0;
  while (expected < size) {
    const rows = await db
      .selectFrom("proof_leaf")
      .selectAll()
      .where("leaf_index", ">=", expected)
      .where("leaf_index", "<", size)
      .orderBy("leaf_index")
      .limit(BATCH_ROWS)
      .execute();
    for (const row of rows) {
      const leaf = row.leaf_index;
      if (leaf > expected) yield missing(expected, leaf - 1);
      expected = leaf + 1;
      const hashes = hashesIn(row.hashes);
      const problem = hashProblem(row, hashes, newest) ?? placeProblem(row);
      if (problem !== undefined) yield { leaf, problem };
      for (const [level, hash] of hashes.entries()) newest.set(level, hash);
    }
    if (rows.length > 0) continue;
    yield missing(expected, size - 1);
    return;
  }
}

/** The fault of missing leaves, from the first to the last one. */
function missing(first: number, last: number): LeafFault {
  return { leaf: first, problem: `is missing${last > first ? `, like every later leaf up to leaf ${last}` : ""}` };
}

function hashProblem(
  { leaf_index, entry, hashes: text }: ProofLeafRow,
  hashes: readonly Buffer[],
  newest: ReadonlyMap<number, Buffer>,
): string | undefined {
  const [own] = hashes;
  const siblings = leftSiblings(leaf_index);
  if (own === undefined || text.length !== (siblings.length + 1) * HEX_LENGTH) return "has the wrong number of hashes";
  if (!own.equals(leafHash(Buffer.from(entry)))) return "does not have the hash of its text";
  const siblingHashes = siblings.map(({ level }) => newest.get(level));
  if (siblingHashes.includes(undefined)) return "depends on missing leaves";
  const completed = completedHashes(own, siblingHashes as readonly Buffer[]);
  const isRight = completed.every((hash, level) => hashes[level]?.equals(hash));
  return isRight ? undefined : "has a hash that does not follow from those before it";
}

function placeProblem({ dataset, generation, entry }: ProofLeafRow): string | undefined {
  const logged = JSON.parse(entry);
  const isRight = logged.dataset === dataset && logged.generation === generation;
  return isRight ? undefined : `is filed under ${dataset} ${generation}, but its text names another generation`;
}

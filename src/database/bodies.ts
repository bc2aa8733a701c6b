import { randomBytes } from "node:crypto";
import { mkdir, open, readdir, readFile, rename, rm, stat } from "node:fs/promises";
import { join } from "node:path";
import { sql } from "kysely";
import type { Clock } from "../kit/clock.js";
import type { OpenDatabase } from "./open-database.js";

export interface StoredBody {
  readonly contentHash: string;
  readonly bytes: number;
  readonly storedAt: number;
}

/**
 * Compressed snapshot bodies by content hash. A body is the stored content of one or more generations. It survives a
 * crash once `put` has resolved.
 */
export interface BodyStore {
  /** Stores a body; `bases` are the hashes of the bodies without which it cannot be read. */
  put(contentHash: string, bytes: Buffer, bases?: readonly string[]): Promise<void>;
  /**
   * Reads a body; undefined if no body has this hash. Throws `UnreadableBody` if the disk or the database has lost the
   * bytes.
   */
  get(contentHash: string): Promise<Buffer | undefined>;
  list(): Promise<readonly StoredBody[]>;
  /** Maps the hash of each body that cannot be read alone to the hashes of the bodies that it needs. */
  bases(): Promise<ReadonlyMap<string, readonly string[]>>;
  /** Returns true if another body cannot be read without this one. */
  isBase(contentHash: string): Promise<boolean>;
  remove(contentHash: string): Promise<void>;
  /**
   * Drops the recorded bases of a body that was never stored, unless a write of the body began at `since`, epoch ms, or
   * later.
   */
  forgetBases(contentHash: string, since: number): Promise<void>;
}

/** Stores the bytes of bodies, but not their bases. */
interface BodyBytes extends Pick<BodyStore, "get" | "list" | "remove"> {
  put(contentHash: string, bytes: Buffer): Promise<void>;
}

/** Thrown for a body that exists but that the disk or the database cannot read. Storing it again repairs it. */
export class UnreadableBody extends Error {
  override readonly name = "UnreadableBody";
}

/**
 * Codes of errors that last until the body is stored again: those of a file that cannot be read, and PostgreSQL's
 * `data_corrupted`, `index_corrupted` and `io_error`. Every other error is a failure of the store, not of one body.
 */
const LASTING_CODES: ReadonlySet<unknown> = new Set([
  "EIO",
  "EACCES",
  "EPERM",
  "ELOOP",
  "EISDIR",
  "EBADMSG",
  "EUCLEAN",
  "XX001",
  "XX002",
  "58030",
]);

/** Name of the folder of bodies in the data folder. */
export const BODY_FOLDER = "bodies";

/** Reads a body in a folder of bodies; undefined if the body does not exist. Throws every other file system error. */
export function bodyIn(folder: string, contentHash: string): Promise<Buffer | undefined> {
  return unlessGone(readFile(join(folder, contentHash)));
}

/**
 * Creates the body store: files in the data folder for SQLite, rows for PostgreSQL, which several machines can share.
 */
export function bodyStore(database: OpenDatabase, dataDir: string, clock: Clock): BodyStore {
  const bodies =
    database.dialect === "sqlite" ? fileBodies(join(dataDir, BODY_FOLDER), clock) : tableBodies(database, clock);
  return {
    list: bodies.list,
    async put(contentHash, bytes, bases = []) {
      // The bases are recorded before the body exists. If a body is stored again without bases, its earlier bases stay
      // recorded until the body is removed.
      await addBases(database, contentHash, bases, clock.now());
      await bodies.put(contentHash, bytes);
    },
    bases: () => basesOfAll(database),
    async isBase(contentHash) {
      const users = database.db.selectFrom("body_base").select("content_hash").where("base_hash", "=", contentHash);
      return (await users.limit(1).executeTakeFirst()) !== undefined;
    },
    async remove(contentHash) {
      await bodies.remove(contentHash);
      await database.db.deleteFrom("body_base").where("content_hash", "=", contentHash).execute();
    },
    async forgetBases(contentHash, since) {
      const rows = database.db.deleteFrom("body_base").where("content_hash", "=", contentHash);
      await rows.where("named_at", "<", since).execute();
    },
    async get(contentHash) {
      try {
        return await bodies.get(contentHash);
      } catch (error) {
        if (!LASTING_CODES.has((error as { readonly code?: unknown } | null)?.code)) throw error;
        throw new UnreadableBody(`body ${contentHash.slice(0, 12)} cannot be read`, { cause: error });
      }
    },
  };
}

async function addBases(
  { db }: OpenDatabase,
  contentHash: string,
  bases: readonly string[],
  namedAt: number,
): Promise<void> {
  if (bases.length === 0) return;
  await db
    .insertInto("body_base")
    .values(bases.map((base) => ({ content_hash: contentHash, base_hash: base, named_at: namedAt })))
    .onConflict((conflict) => conflict.columns(["content_hash", "base_hash"]).doUpdateSet({ named_at: namedAt }))
    .execute();
}

async function basesOfAll({ db }: OpenDatabase): Promise<ReadonlyMap<string, readonly string[]>> {
  const bases = new Map<string, string[]>();
  for (const row of await db.selectFrom("body_base").selectAll().execute()) {
    const own = bases.get(row.content_hash) ?? [];
    bases.set(row.content_hash, own);
    own.push(row.base_hash);
  }
  return bases;
}

function fileBodies(folder: string, clock: Clock): BodyBytes {
  const ready = mkdir(folder, { recursive: true, mode: 0o700 });
  // If the folder cannot be created, the next `put` or `list` throws the error. Without this handler, the rejection
  // would be unhandled until then.
  ready.catch(() => undefined);
  const fileOf = (contentHash: string): string => join(folder, contentHash);
  return {
    async put(contentHash, bytes) {
      await ready;
      const temporary = join(folder, `.${contentHash}.${randomBytes(6).toString("hex")}.new`);
      await writeSynced(temporary, bytes, clock.now());
      await rename(temporary, fileOf(contentHash));
      await syncFolder(folder);
    },
    get: (contentHash) => bodyIn(folder, contentHash),
    async list() {
      await ready;
      // A dot at the beginning of the name marks a file whose write is in progress or was interrupted. Such a file is
      // removed like a body that no generation needs.
      const names = await readdir(folder);
      const bodies = await Promise.all(names.map(async (name) => storedBody(name, fileOf(name))));
      return bodies.filter((body) => body !== undefined);
    },
    remove: (contentHash) => rm(fileOf(contentHash), { force: true }),
  };
}

/** Describes a listed file as a body; undefined if the file was renamed or removed meanwhile. */
async function storedBody(name: string, path: string): Promise<StoredBody | undefined> {
  const stats = await unlessGone(stat(path));
  return stats && { contentHash: name, bytes: stats.size, storedAt: stats.mtimeMs };
}

async function unlessGone<T>(reading: Promise<T>): Promise<T | undefined> {
  try {
    return await reading;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return undefined;
    throw error;
  }
}

/**
 * Writes and syncs a file with the modification time `at`, so that the age of the file is measured by the service's
 * clock.
 */
async function writeSynced(path: string, bytes: Buffer, at: number): Promise<void> {
  const file = await open(path, "w", 0o600);
  try {
    await file.writeFile(bytes);
    await file.utimes(at / 1_000, at / 1_000);
    await file.sync();
  } finally {
    await file.close();
  }
}

/** Syncs a folder. A rename is durable only after that. */
async function syncFolder(folder: string): Promise<void> {
  const handle = await open(folder, "r");
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}

function tableBodies({ db }: OpenDatabase, clock: Clock): BodyBytes {
  return {
    async put(contentHash, bytes) {
      await db
        .insertInto("body")
        .values({ content_hash: contentHash, bytes, stored_at: clock.now() })
        .onConflict((conflict) => conflict.column("content_hash").doUpdateSet({ bytes, stored_at: clock.now() }))
        .execute();
    },
    async get(contentHash) {
      const row = await db
        .selectFrom("body")
        .select("bytes")
        .where("content_hash", "=", contentHash)
        .executeTakeFirst();
      return row?.bytes;
    },
    async list() {
      const length = sql<number>`length(bytes)`.as("length");
      const rows = await db.selectFrom("body").select(["content_hash", "stored_at", length]).execute();
      return rows.map((row) => ({
        contentHash: row.content_hash,
        bytes: Number(row.length),
        storedAt: row.stored_at,
      }));
    },
    async remove(contentHash) {
      await db.deleteFrom("body").where("content_hash", "=", contentHash).execute();
    },
  };
}

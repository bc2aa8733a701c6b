import { randomBytes } from "node:crypto";
import { mkdir, open, readdir, readFile, rename, rm, stat } from "node:fs/promises";
import { join } from "node:path";
import type { Clock } from "../kit/clock.js";
import type { OpenDatabase } from "./open.js";

export interface StoredBody {
  readonly contentHash: string;
  readonly storedAt: number;
}

/** Compressed snapshot bodies by content hash. A body that `put` has returned for survives a crash. */
export interface BodyStore {
  put(contentHash: string, bytes: Buffer): Promise<void>;
  /** The bytes, or undefined when there are none under that hash. */
  get(contentHash: string): Promise<Buffer | undefined>;
  list(): Promise<readonly StoredBody[]>;
  remove(contentHash: string): Promise<void>;
}

/** Files in the data folder for SQLite, rows for PostgreSQL (several machines share them). */
export function bodyStore(database: OpenDatabase, dataDir: string, clock: Clock): BodyStore {
  return database.dialect === "sqlite" ? fileBodies(join(dataDir, "bodies"), clock) : tableBodies(database, clock);
}

function fileBodies(folder: string, clock: Clock): BodyStore {
  const ready = mkdir(folder, { recursive: true, mode: 0o700 });
  // Whoever uses the store first is told; until then there is nobody to tell.
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
    get: (contentHash) => unlessGone(readFile(fileOf(contentHash))),
    async list() {
      await ready;
      // A name with a dot is a write that a crash cut short; it is swept like a body that no generation names.
      const names = await readdir(folder);
      const found = await Promise.all(names.map(async (name) => storedBody(name, fileOf(name))));
      return found.filter((body) => body !== undefined);
    },
    remove: (contentHash) => rm(fileOf(contentHash), { force: true }),
  };
}

/** Undefined for a file that was renamed or removed meanwhile. */
async function storedBody(name: string, path: string): Promise<StoredBody | undefined> {
  const stats = await unlessGone(stat(path));
  return stats && { contentHash: name, storedAt: stats.mtimeMs };
}

async function unlessGone<T>(reading: Promise<T>): Promise<T | undefined> {
  try {
    return await reading;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return undefined;
    throw error;
  }
}

/** `at` becomes the file's time, so that its age is told by the same clock that judges it. */
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

/** A rename is durable only once its folder is. */
async function syncFolder(folder: string): Promise<void> {
  const handle = await open(folder, "r");
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}

function tableBodies({ db }: OpenDatabase, clock: Clock): BodyStore {
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
      const rows = await db.selectFrom("body").select(["content_hash", "stored_at"]).execute();
      return rows.map((row) => ({ contentHash: row.content_hash, storedAt: row.stored_at }));
    },
    async remove(contentHash) {
      await db.deleteFrom("body").where("content_hash", "=", contentHash).execute();
    },
  };
}

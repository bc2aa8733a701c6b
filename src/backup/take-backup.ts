import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { createGzip } from "node:zlib";
import { type KeyVault, VAULT_FILE } from "../database/key-vault.js";
import { type DatabaseLocation, isMigrationTable } from "../database/open.js";
import type { StoreKind } from "../database/store-mark.js";
import { openStoreSnapshot, type StoreSnapshot, type TableShape } from "../database/store-snapshot.js";
import type { Clock } from "../kit/clock.js";
import { OperatorError } from "../kit/operator-error.js";
import { type BackupFolder, openBackupFolder } from "./backup-folder.js";
import { type BodyCopies, bodyCopies } from "./body-copies.js";
import { FORMAT, type Manifest, readManifest } from "./manifest.js";
import { tableText } from "./table-file.js";

/** Called as the work of a phase proceeds. */
export type OnProgress = (
  unit: "bodies copied" | "bodies checked" | "files checked" | "rows" | "tables",
  done: number,
  of: number,
) => void;

export interface BackupOptions {
  readonly location: DatabaseLocation;
  readonly kind: StoreKind;
  readonly folder: string;
  /** Version of this program. */
  readonly version: string;
  readonly clock: Clock;
  /** Wraps the secrets of the store; undefined if it has none yet. */
  readonly vault: KeyVault | undefined;
  readonly onProgress: OnProgress;
  readonly signal: AbortSignal;
}

export interface TakenBackup {
  readonly manifest: Manifest;
  /** Bodies that the backup before did not have, and their bytes. */
  readonly added: { readonly count: number; readonly bytes: number };
}

/** The files of the data folder that a restored service needs besides its database. */
export const KEY_FILES = ["owner.key", VAULT_FILE] as const;

/** Leases belong to living processes, and bodies are files. */
const LEFT_OUT: ReadonlySet<string> = new Set(["body", "lease"]);

/**
 * Writes a backup of a store, whether or not services run on it. The database is as it was at one instant, with every body
 * of its generations. The folder's earlier backup stays valid until the new one is complete.
 */
export async function takeBackup(options: BackupOptions): Promise<TakenBackup> {
  const { folder, signal } = options;
  const before = await readManifest(folder);
  const files = await openBackupFolder(folder, signal);
  try {
    const onCopy = (done: number, of: number): void => options.onProgress("bodies copied", done, of);
    const copies = await bodyCopies({ folder, files, before, signal, onCopy });
    const { snapshot, contentHashes, lost } = await snapshotWithBodies(options.location, copies);
    try {
      const takenAt = options.clock.now();
      const store = await identityOf(snapshot);
      refuseOther(before, options, store);
      const tables = await writeTables(snapshot, files, options.onProgress);
      const faulty = await copies.check((done, of) => options.onProgress("bodies checked", done, of));
      const manifest: Manifest = {
        format: FORMAT,
        version: options.version,
        takenAt,
        kind: options.kind,
        dialect: snapshot.dialect,
        store,
        migrations: await migrationsIn(snapshot),
        keyCheck: options.vault?.wrap(KEY_CHECK, KEY_CHECK) ?? null,
        tables,
        lastNumbers: snapshot.lastNumbers,
        bodies: [...copies.of(contentHashes)],
        damagedBodies: [...new Set([...lost, ...faulty])].sort(),
        keys: await writeKeys(options.location.dataDir, files),
      };
      signal.throwIfAborted();
      await files.complete(manifest);
      return { manifest, added: copies.added() };
    } finally {
      await snapshot.close();
    }
  } finally {
    await files.release();
  }
}

/** The text that `keyCheck` wraps, and its name. */
export const KEY_CHECK = "vigil backup";

/** Most snapshots that are opened until all of their bodies were copied. */
const ROUNDS_MAX = 5;

interface SnapshotWithBodies {
  readonly snapshot: StoreSnapshot;
  /** The bodies of its generations. */
  readonly contentHashes: readonly string[];
  /** Those of them that the store has lost. */
  readonly lost: readonly string[];
}

/**
 * A snapshot whose bodies were all copied. With SQLite, retention may remove a body while it is copied, so bodies are copied
 * until a snapshot needs none that has gone since. Most are copied while no snapshot is open, because an open one makes the
 * write-ahead log grow.
 */
async function snapshotWithBodies(location: DatabaseLocation, copies: BodyCopies): Promise<SnapshotWithBodies> {
  let lostBefore: readonly string[] = [];
  for (let round = 0; ; round += 1) {
    const snapshot = await openStoreSnapshot(location);
    try {
      const contentHashes = await contentHashesIn(snapshot);
      const isFirst = round === 0 && snapshot.dialect === "sqlite";
      if (isFirst) await snapshot.close();
      const lost = await copies.add(snapshot, contentHashes);
      const isStable = lost.every((contentHash) => lostBefore.includes(contentHash));
      if (!isFirst && (isStable || snapshot.dialect === "postgres" || round >= ROUNDS_MAX)) {
        return { snapshot, contentHashes, lost };
      }
      lostBefore = lost;
      if (!isFirst) await snapshot.close();
    } catch (error) {
      await snapshot.close();
      throw error;
    }
  }
}

async function contentHashesIn(snapshot: StoreSnapshot): Promise<readonly string[]> {
  return [...new Set(await columnOf(snapshot, "snapshot", "content_hash"))];
}

async function columnOf(snapshot: StoreSnapshot, table: string, column: string): Promise<readonly string[]> {
  const values: string[] = [];
  for await (const rows of snapshot.rows({ name: table, columns: [column] })) {
    for (const row of rows) values.push(String(row[column]));
  }
  return values;
}

/** The oldest key that signs proofs, which identifies a store. */
async function identityOf(snapshot: StoreSnapshot): Promise<string | null> {
  const keys: { readonly id: string; readonly at: number }[] = [];
  if (!snapshot.tables.some(({ name }) => name === "proof_key")) return null;
  for await (const rows of snapshot.rows({ name: "proof_key", columns: ["key_id", "created_at"] })) {
    for (const row of rows) keys.push({ id: String(row["key_id"]), at: Number(row["created_at"]) });
  }
  return keys.toSorted((a, b) => a.at - b.at || (a.id < b.id ? -1 : 1))[0]?.id ?? null;
}

function refuseOther(before: Manifest | undefined, { folder, kind }: BackupOptions, store: string | null): void {
  if (before === undefined) return;
  const isOther = before.kind !== kind || (before.store !== null && before.store !== store);
  if (isOther) throw new OperatorError(`${folder} holds the backup of another store; choose another folder`);
}

async function writeTables(
  snapshot: StoreSnapshot,
  files: BackupFolder,
  onProgress: OnProgress,
): Promise<Manifest["tables"]> {
  const tables: Manifest["tables"] = [];
  const written = snapshot.tables.filter(({ name }) => !LEFT_OUT.has(name) && !name.endsWith("_lock"));
  for (const [index, table] of written.entries()) {
    let rows = 0;
    const text = tableText(snapshot.rows(table), table.columns, (count) => {
      rows += count;
    });
    const file = await files.put(`tables/${table.name}`, ".ndjson.gz", text, createGzip());
    tables.push({ name: table.name, columns: [...table.columns], rows, file });
    onProgress("tables", index + 1, written.length);
  }
  return tables;
}

async function migrationsIn(snapshot: StoreSnapshot): Promise<Manifest["migrations"]> {
  const applied: Record<string, string[]> = {};
  const tables: readonly TableShape[] = snapshot.tables.filter(({ name }) => isMigrationTable(name));
  for (const { name } of tables) applied[name] = [...(await columnOf(snapshot, name, "name"))].sort();
  return applied;
}

async function writeKeys(dataDir: string, files: BackupFolder): Promise<Manifest["keys"]> {
  const keys: Manifest["keys"] = [];
  for (const name of KEY_FILES) {
    const bytes = await readFile(join(dataDir, name)).catch((error: NodeJS.ErrnoException) => {
      if (error.code === "ENOENT") return undefined;
      throw error;
    });
    if (bytes === undefined) continue;
    keys.push({ name, file: await files.put(`keys/${name.replace(/\.key$/, "")}`, ".key", [bytes]) });
  }
  return keys;
}

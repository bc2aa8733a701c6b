import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { createGzip } from "node:zlib";
import type { DatabaseLocation } from "../database/database-location.js";
import { type KeyVault, VAULT_FILE } from "../database/key-vault.js";
import type { StoreKind } from "../database/store-mark.js";
import { openStoreSnapshot, type StoreSnapshot } from "../database/store-snapshot.js";
import type { Clock } from "../kit/clock.js";
import { OperatorError } from "../kit/operator-error.js";
import type { BackupPlace, BackupWriter } from "./backup-place.js";
import { type BodyCopies, bodyCopies } from "./body-copies.js";
import { FORMAT, type Manifest } from "./manifest.js";
import { readManifest } from "./read-manifest.js";
import { contentHashesIn, migrationsIn, storedTables } from "./stored-tables.js";
import { tableText } from "./table-file.js";

/** Called as the work progresses. */
export type OnProgress = (
  unit: "bodies copied" | "bodies checked" | "files checked" | "rows" | "tables" | "tables compared",
  done: number,
  of: number,
) => void;

export interface BackupOptions {
  readonly location: DatabaseLocation;
  readonly kind: StoreKind;
  readonly place: BackupPlace;
  /** Version of this program. */
  readonly version: string;
  readonly clock: Clock;
  /** Wraps the secrets of the store; undefined if the store has no secrets yet. */
  readonly vault: KeyVault | undefined;
  readonly onProgress: OnProgress;
  readonly signal: AbortSignal;
}

export interface TakenBackup {
  readonly manifest: Manifest;
  /** The number of bodies that the previous backup lacked, and their size in bytes. */
  readonly added: { readonly count: number; readonly bytes: number };
}

/** The files of the data folder that a restored service needs in addition to its database. */
export const KEY_FILES = ["owner.key", VAULT_FILE] as const;

/**
 * Writes a backup of a store, whether or not services are running on it. The database copy is from a single instant,
 * and the backup includes every body of the generations in that copy, except those that the store itself has lost. The
 * previous backup stays valid until the new one is complete.
 */
export async function takeBackup(options: BackupOptions): Promise<TakenBackup> {
  const { place, signal } = options;
  const before = await readManifest(place);
  const files = await place.openForWriting(signal);
  try {
    const onCopy = (done: number, of: number): void => options.onProgress("bodies copied", done, of);
    const copies = await bodyCopies({ place, files, before, signal, onCopy });
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

/** The plaintext of the manifest's `keyCheck`, and also the name under which the plaintext is wrapped. */
export const KEY_CHECK = "vigil backup";

/** Maximum number of times that copying is repeated because retention has removed bodies in the meantime. */
const ROUNDS_MAX = 5;

interface SnapshotWithBodies {
  readonly snapshot: StoreSnapshot;
  /** The bodies of the snapshot's generations. */
  readonly contentHashes: readonly string[];
  /** The bodies that are missing from the store. */
  readonly lost: readonly string[];
}

/**
 * Opens a snapshot whose bodies have all been copied. With SQLite, retention may remove a body while bodies are copied.
 * Copying is then repeated with a new snapshot until no further body has gone missing, at most `ROUNDS_MAX` times. Most
 * bodies are copied while no snapshot is open, because an open snapshot makes the write-ahead log grow.
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

/** Returns the id of the oldest key that signs proofs, which identifies the store; null if there is no such key. */
async function identityOf(snapshot: StoreSnapshot): Promise<string | null> {
  const keys: { readonly id: string; readonly at: number }[] = [];
  if (!snapshot.tables.some(({ name }) => name === "proof_key")) return null;
  for await (const rows of snapshot.rows({ name: "proof_key", columns: ["key_id", "created_at"] })) {
    for (const row of rows) keys.push({ id: String(row["key_id"]), at: Number(row["created_at"]) });
  }
  return keys.toSorted((a, b) => a.at - b.at || (a.id < b.id ? -1 : 1))[0]?.id ?? null;
}

function refuseOther(before: Manifest | undefined, { place, kind }: BackupOptions, store: string | null): void {
  if (before === undefined) return;
  const isOther = before.kind !== kind || (before.store !== null && before.store !== store);
  if (isOther) throw new OperatorError(`${place.nameOf()} holds the backup of another store; choose another place`);
}

async function writeTables(
  snapshot: StoreSnapshot,
  files: BackupWriter,
  onProgress: OnProgress,
): Promise<Manifest["tables"]> {
  const tables: Manifest["tables"] = [];
  const written = storedTables(snapshot);
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

async function writeKeys(dataDir: string, files: BackupWriter): Promise<Manifest["keys"]> {
  const keys: Manifest["keys"] = [];
  for (const { name, bytes } of await keysIn(dataDir)) {
    keys.push({ name, file: await files.put(`keys/${name.replace(/\.key$/, "")}`, ".key", [bytes]) });
  }
  return keys;
}

/** Reads the key files of a data folder. */
export async function keysIn(dataDir: string): Promise<readonly { readonly name: string; readonly bytes: Buffer }[]> {
  const keyReads = KEY_FILES.map(async (name) => {
    const bytes = await readFile(join(dataDir, name)).catch((error: NodeJS.ErrnoException) => {
      if (error.code === "ENOENT") return undefined;
      throw error;
    });
    return bytes === undefined ? [] : [{ name, bytes }];
  });
  return (await Promise.all(keyReads)).flat();
}

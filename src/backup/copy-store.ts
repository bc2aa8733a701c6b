import { createHash } from "node:crypto";
import { join } from "node:path";
import { bodyStore } from "../database/bodies.js";
import type { DatabaseLocation } from "../database/database-location.js";
import { isWrapped, type KeyVault, keyVault, VAULT_FILE } from "../database/key-vault.js";
import { unknownMigrations } from "../database/migrate.js";
import type { OpenDatabase } from "../database/open-database.js";
import { storeKindAt } from "../database/probe.js";
import { openStoreSnapshot, rowsIn, type StoreSnapshot, type TableShape } from "../database/store-snapshot.js";
import type { Clock } from "../kit/clock.js";
import { OperatorError } from "../kit/operator-error.js";
import { BodyDamaged } from "../snapshots/bodies/body.js";
import { checkBody } from "../snapshots/bodies/stored-bodies.js";
import { type FillOptions, fillStore } from "./fill-store.js";
import type { StoreContent, StoreFacts } from "./store-content.js";
import { refuseInUse } from "./store-in-use.js";
import { contentHashesIn, migrationsIn, storedTables } from "./stored-tables.js";
import { RowDigest, type TableDigest } from "./table-digest.js";
import { KEY_CHECK, keysIn } from "./take-backup.js";

/** A store with its name for messages. */
export interface NamedStore {
  readonly location: DatabaseLocation;
  readonly name: string;
}

export interface CopyOptions extends Omit<FillOptions, "location" | "beforeEnd"> {
  readonly from: NamedStore;
  readonly to: NamedStore;
  /** Returns the error to throw for an error that one of the two stores has caused. */
  readonly failureAt: (error: unknown, store: NamedStore) => unknown;
}

export interface StoreCopy {
  /** `real` or `demo`. */
  readonly kind: string;
  readonly tables: number;
  readonly rows: number;
  readonly bodies: number;
  /** Bodies that are missing or damaged in the source store itself. */
  readonly damagedBodies: readonly string[];
}

/**
 * Copies a store that no service uses into an empty data folder or database. The target becomes a store only after all
 * of its rows and bodies have been compared with the source.
 */
export async function copyStore(options: CopyOptions): Promise<StoreCopy> {
  const { from, to, stores, clock, failureAt } = options;
  const { kind, snapshot } = await openSource(from, clock).catch((error: unknown) => {
    throw failureAt(error, from);
  });
  try {
    const source = await sourceContent(snapshot, options).catch((error: unknown) => {
      throw failureAt(error, from);
    });
    const [unknown] = await unknownMigrations(snapshot.dialect, stores, source.facts.migrations);
    if (unknown !== undefined) {
      throw new OperatorError(
        `a newer version of Vigil has changed ${from.name} (${unknown}); copy it with that version`,
      );
    }
    let damagedBodies: readonly string[] = source.lost;
    await fillStore(source, {
      ...options,
      location: to.location,
      async beforeEnd(filled, dataDir) {
        damagedBodies = [...damagedBodies, ...(await checkBodies(filled, dataDir, source, options))].sort();
        await compareTables(filled, source, options);
        await refuseChanged(source, options);
      },
    }).catch((error: unknown) => {
      throw failureAt(error, to);
    });
    const { tables, bodies } = source.facts;
    return {
      kind,
      tables: tables.length,
      rows: tables.reduce((sum, { rows }) => sum + rows, 0),
      bodies: bodies.length,
      damagedBodies,
    };
  } finally {
    await snapshot.close();
  }
}

/** Opens the source for reading. Throws if there is no store or if a process uses it. */
async function openSource(
  { location, name }: NamedStore,
  clock: Clock,
): Promise<{ readonly kind: string; readonly snapshot: StoreSnapshot }> {
  const kind = await storeKindAt(location);
  if (kind === undefined) throw new OperatorError(`there is no store to copy: ${name}`);
  await refuseInUse(location, name, clock);
  return { kind, snapshot: await openStoreSnapshot(location) };
}

/** The content of the source store, with digests of everything that has been read from it so far. */
interface SourceContent extends StoreContent {
  /** The generations' own bodies that the store lacks. Missing bases are not listed (see `bodiesIn`). */
  readonly lost: readonly string[];
  readonly digests: ReadonlyMap<string, TableDigest>;
  /** The hash of each body's stored bytes, by the content hash of the body. */
  readonly bodyHashes: ReadonlyMap<string, string>;
}

async function sourceContent(
  snapshot: StoreSnapshot,
  { from, keySecret, failureAt }: CopyOptions,
): Promise<SourceContent> {
  const { dataDir } = from.location;
  const keys = await keysIn(dataDir);
  const keyFile = keys
    .find(({ name }) => name === VAULT_FILE)
    ?.bytes.toString()
    .trim();
  const { present, lost } = await bodiesIn(snapshot);
  const tables: StoreFacts["tables"][number][] = [];
  for (const table of storedTables(snapshot)) tables.push({ ...table, rows: await snapshot.count(table.name) });
  const digests = new Map<string, TableDigest>();
  const bodyHashes = new Map<string, string>();
  return {
    lost,
    digests,
    bodyHashes,
    facts: {
      dialect: snapshot.dialect,
      migrations: await migrationsIn(snapshot),
      keyCheck: await keyCheckOf(snapshot, [keyFile, keySecret]),
      lastNumbers: snapshot.lastNumbers,
      tables,
      // The bases are omitted here, because the table that lists them is copied with the other tables.
      bodies: present.map((contentHash) => ({ contentHash, bases: [] })),
      keys,
    },
    nameOfKey: (name) => join(dataDir, name),
    async *rows(table) {
      const digest = new RowDigest();
      try {
        yield* valuesOf(snapshot.rows(table), table, digest);
      } catch (error) {
        throw failureAt(error, from);
      }
      digests.set(table.name, digest.result());
    },
    async body(contentHash) {
      const bytes = await snapshot.body(contentHash).catch((error: unknown) => {
        throw failureAt(error, from);
      });
      if (bytes === undefined)
        throw new OperatorError(`body ${contentHash} of ${from.name} was removed during the copy`);
      bodyHashes.set(contentHash, sha256(bytes));
      return bytes;
    },
    async key(name) {
      return keys.find((key) => key.name === name)?.bytes ?? Buffer.alloc(0);
    },
  };
}

/** Yields the rows as arrays of values, and adds each row to a digest. */
async function* valuesOf(
  batches: AsyncIterable<readonly Readonly<Record<string, unknown>>[]>,
  { columns }: TableShape,
  digest: RowDigest,
): AsyncGenerator<readonly (readonly unknown[])[], void> {
  for await (const rows of batches) {
    const values = rows.map((row) => columns.map((column) => row[column]));
    for (const row of values) digest.add(row);
    yield values;
  }
}

/**
 * Lists the bodies of all generations and the bases of these bodies. A base is a body from which another body stores
 * only the difference. `lost` lists the generations' own bodies that the store lacks, but no bases.
 */
async function bodiesIn(
  snapshot: StoreSnapshot,
): Promise<{ readonly present: readonly string[]; readonly lost: readonly string[] }> {
  const bases = new Map<string, string[]>();
  const hasBases = snapshot.tables.some(({ name }) => name === "body_base");
  const named = { name: "body_base", columns: ["content_hash", "base_hash"] };
  for await (const rows of hasBases ? snapshot.rows(named) : []) {
    for (const row of rows) {
      const contentHash = String(row["content_hash"]);
      bases.set(contentHash, [...(bases.get(contentHash) ?? []), String(row["base_hash"])]);
    }
  }
  const ofGenerations = new Set(await contentHashesIn(snapshot));
  const needed = new Set(ofGenerations);
  for (const contentHash of needed) for (const base of bases.get(contentHash) ?? []) needed.add(base);
  const present: string[] = [];
  const lost: string[] = [];
  for (const contentHash of [...needed].sort()) {
    if (await snapshot.hasBody(contentHash)) present.push(contentHash);
    // A missing base is not reported: either the body that was based on it has since been stored without a base, or
    // that body is reported as damaged.
    else if (ofGenerations.has(contentHash)) lost.push(contentHash);
  }
  return { present, lost };
}

/**
 * The tables that contain wrapped keys, in the order in which they are checked. Each key is wrapped under the name in
 * its row. `isVital`: the copy is refused if neither this key nor a key before it can be unwrapped. Token keys are not
 * vital, because they are short-lived and may belong to another node.
 */
const WRAPPED = [
  { name: "store_mark", columns: ["name", "value"], isVital: true },
  { name: "proof_key", columns: ["key_id", "private_key"], isVital: true },
  { name: "token_key", columns: ["kid", "private_jwk"], isVital: false },
] as const;

/**
 * Tries `secrets` on the wrapped keys of the store, one key after the other. As soon as a secret unwraps a key, returns
 * a check string wrapped with that secret. The later keys are not checked: if the service once ran with another secret,
 * the store still has proof keys from that time, which cannot be unwrapped. Throws at a vital key that no secret
 * unwraps. Returns null if the store has no wrapped vital key, and no secret unwraps one of its token keys.
 */
async function keyCheckOf(snapshot: StoreSnapshot, secrets: readonly (string | undefined)[]): Promise<string | null> {
  const vaults = secrets.flatMap((secret) => (secret === undefined ? [] : [keyVault({ secret, dataDir: "" })]));
  for (const table of WRAPPED) {
    for (const [about, stored] of await wrappedIn(snapshot, table)) {
      const opening = vaults.find((vault: KeyVault) => vault.unwrap(stored, about) !== undefined);
      if (opening !== undefined) return opening.wrap(KEY_CHECK, KEY_CHECK);
      if (!table.isVital) continue;
      throw new OperatorError(
        "neither VIGIL_KEY_SECRET nor the signing.key of the data folder opens the keys in this store; set VIGIL_KEY_SECRET to its value on the original service",
      );
    }
  }
  return null;
}

/** Reads the wrapped keys of a table, with the names under which they were wrapped. */
async function wrappedIn(
  snapshot: StoreSnapshot,
  { name, columns }: TableShape,
): Promise<readonly (readonly [about: string, stored: string])[]> {
  if (!snapshot.tables.some((table) => table.name === name)) return [];
  const wrappedSecrets: (readonly [string, string])[] = [];
  for await (const rows of snapshot.rows({ name, columns })) {
    for (const row of rows) {
      const [about = "", stored = ""] = columns.map((column) => String(row[column]));
      if (isWrapped(stored)) wrappedSecrets.push([about, stored]);
    }
  }
  return wrappedSecrets;
}

/**
 * Checks every copied body. Throws if its bytes differ from those in the source. Returns the bodies whose content does
 * not match their hash: these are damaged in the source too.
 */
async function checkBodies(
  filled: OpenDatabase,
  dataDir: string,
  source: SourceContent,
  { from, clock, onProgress, signal }: CopyOptions,
): Promise<readonly string[]> {
  const { get } = bodyStore(filled, dataDir, clock);
  const damaged: string[] = [];
  const { bodies } = source.facts;
  for (const [index, { contentHash }] of bodies.entries()) {
    signal.throwIfAborted();
    const bytes = await get(contentHash);
    if (bytes === undefined || sha256(bytes) !== source.bodyHashes.get(contentHash)) {
      throw new OperatorError(`body ${contentHash} differs from that of ${from.name}; check the disk of the target`);
    }
    await checkBody(get, contentHash).catch((error: unknown) => {
      if (!(error instanceof BodyDamaged)) throw error;
      damaged.push(contentHash);
    });
    onProgress("bodies checked", index + 1, bodies.length);
  }
  return damaged;
}

async function compareTables(
  { db, dialect }: OpenDatabase,
  { facts, digests }: SourceContent,
  { from, onProgress, signal }: CopyOptions,
): Promise<void> {
  for (const [index, table] of facts.tables.entries()) {
    signal.throwIfAborted();
    const read = digests.get(table.name);
    const copied = await digestOf(rowsIn(db, dialect, table), table);
    if (read === undefined || !isSame(read, copied)) {
      throw new OperatorError(`the copied table ${table.name} differs from that of ${from.name}`);
    }
    onProgress("tables compared", index + 1, facts.tables.length);
  }
}

/** Throws if the source has been written to since it was read. */
async function refuseChanged({ facts, digests }: SourceContent, { from, clock, signal }: CopyOptions): Promise<void> {
  await refuseInUse(from.location, from.name, clock);
  const snapshot = await openStoreSnapshot(from.location);
  try {
    for (const table of facts.tables) {
      signal.throwIfAborted();
      const now = await digestOf(snapshot.rows(table), table);
      if (isSame(now, digests.get(table.name) ?? now)) continue;
      throw new OperatorError(`${from.name} was changed while it was copied (${table.name}); stop all writers`);
    }
  } finally {
    await snapshot.close();
  }
}

async function digestOf(
  batches: AsyncIterable<readonly Readonly<Record<string, unknown>>[]>,
  table: TableShape,
): Promise<TableDigest> {
  const digest = new RowDigest();
  for await (const _rows of valuesOf(batches, table, digest));
  return digest.result();
}

function isSame(digest: TableDigest, otherDigest: TableDigest): boolean {
  return digest.rows === otherDigest.rows && digest.sha256 === otherDigest.sha256;
}

function sha256(bytes: Buffer): string {
  return createHash("sha256").update(bytes).digest("hex");
}

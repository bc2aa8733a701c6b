import type { TableShape } from "../database/store-snapshot.js";
import { OperatorError } from "../kit/operator-error.js";
import { type BackupPlace, wholeFile } from "./backup-place.js";
import type { Manifest } from "./manifest.js";
import { rowsInFile } from "./table-file.js";

/** The parts of a store's content that are read before its rows, bodies and keys. */
export interface StoreFacts extends Pick<Manifest, "dialect" | "migrations" | "keyCheck" | "lastNumbers"> {
  /** The tables with their row counts. */
  readonly tables: readonly (TableShape & { readonly rows: number })[];
  readonly bodies: readonly { readonly contentHash: string; readonly bases: readonly string[] }[];
  /** The names of the keys in the data folder. */
  readonly keys: readonly { readonly name: string }[];
}

/** The content with which a store is filled. It comes from a backup or from another store. */
export interface StoreContent {
  readonly facts: StoreFacts;
  /** The location of a key, for messages. */
  nameOfKey(name: string): string;
  /** Yields the rows of a table in batches, each row as an array of its column values. */
  rows(table: TableShape): AsyncIterable<readonly (readonly unknown[])[]>;
  body(contentHash: string): Promise<Buffer>;
  key(name: string): Promise<Buffer>;
}

/** Returns the content of a checked backup. */
export function contentOfBackup(place: BackupPlace, manifest: Manifest): StoreContent {
  const bodies = new Map(manifest.bodies.map(({ contentHash, file }) => [contentHash, file.path]));
  const tables = new Map(manifest.tables.map(({ name, file }) => [name, file.path]));
  const keys = new Map(manifest.keys.map(({ name, file }) => [name, file.path]));
  async function whole(path = ""): Promise<Buffer> {
    return (await wholeFile(place, path)) ?? gone(path);
  }
  const gone = (path: string): never => {
    throw new OperatorError(`${place.nameOf(path)} is missing; use another copy of the backup`);
  };
  return {
    facts: manifest,
    nameOfKey: (name) => place.nameOf(keys.get(name)),
    async *rows({ name }) {
      const path = tables.get(name) ?? "";
      yield* rowsInFile((await place.read(path)) ?? gone(path));
    },
    body: (contentHash) => whole(bodies.get(contentHash)),
    key: (name) => whole(keys.get(name)),
  };
}

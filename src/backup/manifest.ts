import { createHash } from "node:crypto";
import { type Static, Type } from "typebox";
import { OperatorError } from "../kit/operator-error.js";

/** The file name of the manifest. A folder without this file contains no backup. */
export const MANIFEST_FILE = "manifest.json";

/** The format that this version writes and reads. */
export const FORMAT = 1;

/** A file of a backup. Its path is relative to the backup's folder or prefix, and cannot lead out of it. */
const BackupFile = Type.Object({
  path: Type.String({ pattern: "^(?:tables|bodies|keys)/[\\w-]+(?:\\.[\\w-]+)*$" }),
  bytes: Type.Integer({ minimum: 0 }),
  sha256: Type.String({ pattern: "^[0-9a-f]{64}$" }),
});
export type BackupFile = Static<typeof BackupFile>;

export const Manifest = Type.Object({
  format: Type.Literal(FORMAT),
  /** The Vigil version that took the backup. */
  version: Type.String(),
  /** The instant of the database copy, epoch ms. */
  takenAt: Type.Integer(),
  kind: Type.Union([Type.Literal("real"), Type.Literal("demo")]),
  dialect: Type.Union([Type.Literal("sqlite"), Type.Literal("postgres")]),
  /** Id of the store's oldest proof key, which identifies the store; null if the store has no proof key yet. */
  store: Type.Union([Type.String(), Type.Null()]),
  /** Applied migrations, by the table that records them. */
  migrations: Type.Record(Type.String(), Type.Array(Type.String())),
  /**
   * A wrapped string that can be unwrapped only with the key that wraps the store's secrets; null if no secret is
   * wrapped.
   */
  keyCheck: Type.Union([Type.String(), Type.Null()]),
  tables: Type.Array(
    Type.Object({
      name: Type.String(),
      columns: Type.Array(Type.String()),
      rows: Type.Integer({ minimum: 0 }),
      file: BackupFile,
    }),
  ),
  /** The last assigned number of each table that numbers its rows. */
  lastNumbers: Type.Record(Type.String(), Type.Integer()),
  bodies: Type.Array(
    Type.Object({
      contentHash: Type.String({ pattern: "^[0-9a-f]{64}$" }),
      /** The bodies that are needed to read this one. */
      bases: Type.Array(Type.String()),
      file: BackupFile,
    }),
  ),
  /** Bodies that are missing or damaged in the store itself. */
  damagedBodies: Type.Array(Type.String()),
  /** Keys of the data folder, by file name. */
  keys: Type.Array(Type.Object({ name: Type.String({ pattern: "^[\\w-]+\\.key$" }), file: BackupFile })),
});
export type Manifest = Static<typeof Manifest>;

/** All files of a backup. */
export function filesOf({ tables, bodies, keys }: Manifest): readonly BackupFile[] {
  return [...tables, ...bodies, ...keys].map(({ file }) => file);
}

/** Formats a manifest as JSON. The last member, `sha256`, is a hash of all other members. */
export function manifestText(manifest: Manifest): string {
  const sha256 = createHash("sha256").update(JSON.stringify(manifest)).digest("hex");
  return `${JSON.stringify({ ...manifest, sha256 }, null, 1)}\n`;
}

/** The error for a file that has changed since it was written. */
export function damaged(path: string, cause?: unknown): OperatorError {
  return new OperatorError(`${path} is damaged; use another copy of the backup`, { cause });
}

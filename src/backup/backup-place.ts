import type { Readable, Transform } from "node:stream";
import type { BackupFile, Manifest } from "./manifest.js";

/** A storage location of a backup: a folder, or the objects under a prefix of a bucket. */
export interface BackupPlace {
  /** The name of the place, or of a file in it, for messages. */
  nameOf(path?: string): string;
  /** Opens a file for reading; undefined if it does not exist. */
  read(path: string): Promise<Readable | undefined>;
  /**
   * Opens the place to write a backup. A folder is locked until `release`; a bucket has no lock. Throws an
   * `OperatorError` if the place contains anything but backups, or if another process holds the lock.
   */
  openForWriting(signal: AbortSignal): Promise<BackupWriter>;
  /** Closes connections and removes temporary copies. */
  close(): Promise<void>;
}

/** Writes the files of a backup. Files of the previous backup are kept until the new one is complete. */
export interface BackupWriter {
  /**
   * Stores a file. Its name has three parts: `name`, the start of the hash of its content, and `suffix`. `through`
   * transforms the pieces before they are stored, for example by compressing them.
   */
  put(
    name: string,
    suffix: string,
    pieces: AsyncIterable<Buffer> | Iterable<Buffer>,
    through?: Transform,
  ): Promise<BackupFile>;
  /** True if the file exists with its expected size. */
  has(file: BackupFile): Promise<boolean>;
  /**
   * Completes the backup: stores all its files durably, and removes the files of earlier or interrupted backups that it
   * does not need.
   */
  complete(manifest: Manifest): Promise<void>;
  /** Releases the lock, if there is one, whether or not the backup was completed. */
  release(): Promise<void>;
}

/** The folders inside a backup. */
export const FOLDERS = ["tables", "bodies", "keys"] as const;

/** Reads all bytes of a file in a backup; undefined if the file does not exist. */
export async function wholeFile(place: Pick<BackupPlace, "read">, path: string): Promise<Buffer | undefined> {
  const stream = await place.read(path);
  if (stream === undefined) return undefined;
  const pieces: Buffer[] = [];
  for await (const piece of stream) pieces.push(piece as Buffer);
  return Buffer.concat(pieces);
}

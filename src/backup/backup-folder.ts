import { createHash, randomBytes } from "node:crypto";
import { createReadStream, createWriteStream } from "node:fs";
import { mkdir, open, readdir, rename, rm, stat, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { Transform } from "node:stream";
import { pipeline } from "node:stream/promises";
import { OperatorError } from "../kit/operator-error.js";
import { type BackupFile, damaged, filesOf, MANIFEST_FILE, type Manifest, manifestText } from "./manifest.js";

const FOLDERS = ["tables", "bodies", "keys"] as const;
/** Exists while a backup is taken. Holds the id of the process. */
const RUNNING_FILE = ".running";

/** Writes the files of a backup. Files of the backup before stay as they are until the new one is complete. */
export interface BackupFolder {
  /** Stores a file whose name is `name`, the beginning of its hash and `suffix`. */
  put(
    name: string,
    suffix: string,
    pieces: AsyncIterable<Buffer> | Iterable<Buffer>,
    through?: Transform,
  ): Promise<BackupFile>;
  /** True if the file is there with its size. */
  has(file: BackupFile): Promise<boolean>;
  /** Completes the backup: everything it needs is on the disk, and files of earlier backups are gone. */
  complete(manifest: Manifest): Promise<void>;
  /** Ends the work, complete or not. */
  release(): Promise<void>;
}

/** Opens a folder for one backup at a time, and creates it. Throws an `OperatorError` if it holds anything else. */
export async function openBackupFolder(folder: string, signal: AbortSignal): Promise<BackupFolder> {
  await mkdir(folder, { recursive: true, mode: 0o700 });
  const foreign = (await readdir(folder)).filter((name) => !isOwn(name));
  if (foreign.length > 0) {
    throw new OperatorError(
      `${folder} holds other files (${foreign[0]}); choose an empty folder or one of an earlier backup`,
    );
  }
  await lock(folder);
  for (const name of FOLDERS) await mkdir(join(folder, name), { recursive: true, mode: 0o700 });
  return {
    async put(name, suffix, pieces, through) {
      const temporary = join(folder, dirname(name), `.${randomBytes(6).toString("hex")}.new`);
      const measure = measured();
      const file = createWriteStream(temporary, { mode: 0o600, flush: true });
      await (through
        ? pipeline(pieces, through, measure.through, file, { signal })
        : pipeline(pieces, measure.through, file, { signal }));
      const { bytes, sha256 } = measure.result();
      const path = `${name}-${sha256.slice(0, 16)}${suffix}`;
      await rename(temporary, join(folder, path));
      return { path, bytes, sha256 };
    },
    has: async ({ path, bytes }) => (await sizeOf(join(folder, path))) === bytes,
    complete: (manifest) => complete(folder, manifest),
    release: () => rm(join(folder, RUNNING_FILE), { force: true }),
  };
}

function isOwn(name: string): boolean {
  return name === MANIFEST_FILE || name.startsWith(".") || (FOLDERS as readonly string[]).includes(name);
}

async function lock(folder: string): Promise<void> {
  const path = join(folder, RUNNING_FILE);
  const holder = await writeFile(path, String(process.pid), { flag: "wx", mode: 0o600 }).catch(() =>
    readWhole(path).then(Number, () => Number.NaN),
  );
  if (holder === undefined) return;
  if (isAlive(holder)) throw new OperatorError(`process ${holder} is writing a backup to ${folder}; wait for it`);
  // It died before it was complete.
  await writeFile(path, String(process.pid), { mode: 0o600 });
}

async function readWhole(path: string): Promise<string> {
  const pieces: Buffer[] = [];
  for await (const piece of createReadStream(path)) pieces.push(piece as Buffer);
  return Buffer.concat(pieces).toString();
}

function isAlive(pid: number): boolean {
  if (!Number.isInteger(pid) || pid <= 0 || pid === process.pid) return false;
  try {
    return process.kill(pid, 0);
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === "EPERM";
  }
}

/** The stream through which bytes pass to be counted and hashed. */
function measured(): { readonly through: Transform; result(): { readonly bytes: number; readonly sha256: string } } {
  const hash = createHash("sha256");
  let bytes = 0;
  const through = new Transform({
    transform(piece: Buffer, _encoding, done) {
      hash.update(piece);
      bytes += piece.byteLength;
      done(null, piece);
    },
  });
  return { through, result: () => ({ bytes, sha256: hash.digest("hex") }) };
}

async function sizeOf(path: string): Promise<number | undefined> {
  try {
    return (await stat(path)).size;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return undefined;
    throw error;
  }
}

async function complete(folder: string, manifest: Manifest): Promise<void> {
  for (const name of FOLDERS) await syncFolder(join(folder, name));
  const temporary = join(folder, `.${MANIFEST_FILE}.new`);
  const file = await open(temporary, "w", 0o600);
  try {
    await file.writeFile(manifestText(manifest));
    await file.sync();
  } finally {
    await file.close();
  }
  await rename(temporary, join(folder, MANIFEST_FILE));
  await syncFolder(folder);
  const needed = new Set(filesOf(manifest).map(({ path }) => path));
  for (const name of FOLDERS) {
    for (const own of await readdir(join(folder, name))) {
      if (!needed.has(`${name}/${own}`)) await rm(join(folder, name, own), { force: true });
    }
  }
}

/** Makes renames in a folder durable. */
export async function syncFolder(folder: string): Promise<void> {
  const handle = await open(folder, "r");
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}

/** Reads every file of a backup. Throws an `OperatorError` that names the first one that is missing or damaged. */
export async function checkFiles(
  folder: string,
  manifest: Manifest,
  onFile: (checked: number, of: number) => void,
  signal: AbortSignal,
): Promise<void> {
  const files = filesOf(manifest);
  for (const [index, { path, bytes, sha256 }] of files.entries()) {
    signal.throwIfAborted();
    const file = join(folder, path);
    const hash = createHash("sha256");
    let read = 0;
    try {
      for await (const piece of createReadStream(file)) {
        hash.update(piece as Buffer);
        read += (piece as Buffer).byteLength;
      }
    } catch (error) {
      const { code } = error as NodeJS.ErrnoException;
      throw new OperatorError(`${file} cannot be read (${code}); use another copy of the backup`, { cause: error });
    }
    if (read !== bytes || hash.digest("hex") !== sha256) throw damaged(file);
    onFile(index + 1, files.length);
  }
}

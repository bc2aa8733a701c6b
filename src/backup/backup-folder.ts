import { randomBytes } from "node:crypto";
import { createWriteStream } from "node:fs";
import { mkdir, mkdtemp, open, readdir, rename, rm, rmdir, stat, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { pipeline } from "node:stream/promises";
import { OperatorError } from "../kit/operator-error.js";
import { type BackupPlace, type BackupWriter, FOLDERS } from "./backup-place.js";
import { filesOf, MANIFEST_FILE, type Manifest, manifestText } from "./manifest.js";
import { measured } from "./measured.js";

/**
 * The lock of a backup folder: a folder that holds one file, named after the process that is writing the backup. A
 * process that dies leaves its lock behind.
 */
const LOCK = ".lock";
/** The name of this process in locks. Its random part tells it apart from an earlier process with the same id. */
const OWN_NAME = `${process.pid}-${randomBytes(6).toString("hex")}`;

/** Uses a folder as the storage location of a backup. */
export function folderPlace(folder: string): BackupPlace {
  return {
    nameOf: (path) => (path === undefined ? folder : join(folder, path)),
    async read(path) {
      const file = await open(join(folder, path)).catch((error: NodeJS.ErrnoException) => {
        if (error.code === "ENOENT" || error.code === "ENOTDIR") return undefined;
        throw error;
      });
      return file?.createReadStream();
    },
    openForWriting: (signal) => openBackupFolder(folder, signal),
    close: async () => undefined,
  };
}

/** Opens a folder for one backup at a time. Creates the folder if it is missing. */
async function openBackupFolder(folder: string, signal: AbortSignal): Promise<BackupWriter> {
  await mkdir(folder, { recursive: true, mode: 0o700 });
  const foreign = (await readdir(folder)).filter((name) => !isOwn(name));
  if (foreign.length > 0) {
    throw new OperatorError(
      `${folder} holds other files (${foreign[0]}); choose an empty folder or the folder of an earlier backup`,
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
    release: () => unlock(join(folder, LOCK), OWN_NAME),
  };
}

function isOwn(name: string): boolean {
  return name === MANIFEST_FILE || name.startsWith(".") || (FOLDERS as readonly string[]).includes(name);
}

/**
 * Takes the lock of a folder, also if a dead process has left it behind. Throws an `OperatorError` if another process
 * holds it. Of several processes that find the same leftover lock, only one gets it: a prepared lock can be renamed to
 * the lock only while the lock is empty or missing.
 */
async function lock(folder: string): Promise<void> {
  const path = join(folder, LOCK);
  for (const holder of await namesIn(path)) {
    if (isAlive(holder)) throw isRunning(folder, `process ${pidOf(holder)}`);
    await unlock(path, holder);
  }
  const prepared = await mkdtemp(`${path}-`);
  try {
    await writeFile(join(prepared, OWN_NAME), "", { mode: 0o600 });
    await rename(prepared, path);
  } catch (error) {
    await rm(prepared, { recursive: true, force: true });
    throw isNotEmpty(error) ? isRunning(folder, "another process") : error;
  }
}

/** Removes the lock of this holder, but not the lock of a process that has taken it over. */
async function unlock(path: string, holder: string): Promise<void> {
  await rm(join(path, holder), { force: true });
  await rmdir(path).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== "ENOENT" && !isNotEmpty(error)) throw error;
  });
}

function isRunning(folder: string, holder: string): OperatorError {
  return new OperatorError(`${holder} is writing a backup to ${folder}; let it finish`);
}

/** The names in a folder; none if it does not exist. */
async function namesIn(folder: string): Promise<readonly string[]> {
  return readdir(folder).catch((error: NodeJS.ErrnoException) => {
    if (error.code === "ENOENT") return [];
    throw error;
  });
}

function isNotEmpty(error: unknown): boolean {
  const { code } = error as NodeJS.ErrnoException;
  return code === "ENOTEMPTY" || code === "EEXIST";
}

const pidOf = (holder: string): number => Number(holder.split("-")[0]);

function isAlive(holder: string): boolean {
  if (holder === OWN_NAME) return true;
  const pid = pidOf(holder);
  if (!Number.isInteger(pid) || pid <= 0 || pid === process.pid) return false;
  try {
    return process.kill(pid, 0);
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === "EPERM";
  }
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

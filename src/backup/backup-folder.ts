import { randomBytes } from "node:crypto";
import { createWriteStream } from "node:fs";
import { mkdir, open, readdir, readFile, rename, rm, stat, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { pipeline } from "node:stream/promises";
import { OperatorError } from "../kit/operator-error.js";
import { type BackupPlace, type BackupWriter, FOLDERS } from "./backup-place.js";
import { filesOf, MANIFEST_FILE, type Manifest, manifestText } from "./manifest.js";
import { measured } from "./measured.js";

/** A lock file that exists while a backup is taken. It contains the process id. */
const RUNNING_FILE = ".running";

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
    release: () => rm(join(folder, RUNNING_FILE), { force: true }),
  };
}

function isOwn(name: string): boolean {
  return name === MANIFEST_FILE || name.startsWith(".") || (FOLDERS as readonly string[]).includes(name);
}

async function lock(folder: string): Promise<void> {
  const path = join(folder, RUNNING_FILE);
  const holder = await writeFile(path, String(process.pid), { flag: "wx", mode: 0o600 }).catch(() =>
    readFile(path, "utf8").then(Number, () => Number.NaN),
  );
  if (holder === undefined) return;
  if (isAlive(holder)) throw new OperatorError(`process ${holder} is writing a backup to ${folder}; let it finish`);
  // The lock is left over: its process died before the backup was complete, or the file contains no process id.
  await writeFile(path, String(process.pid), { mode: 0o600 });
}

function isAlive(pid: number): boolean {
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

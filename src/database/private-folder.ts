import { chmod, lstat, readdir } from "node:fs/promises";
import { join } from "node:path";

const FOLDER_MODE = 0o700;
const FILE_MODE = 0o600;
const STICKY = 0o1000;

/**
 * Makes the data folder and everything in it private to its owner. If the data folder is already private, the contents
 * of its subfolders are not checked. A folder with the sticky bit, such as /tmp, is shared and stays open; only the
 * service's files in it become private. Files of other owners are left alone, unless the process runs as root.
 */
export async function tightenFolder(folder: string): Promise<void> {
  const { mode, uid } = await lstat(folder);
  const isShared = (mode & STICKY) !== 0;
  if (!isShared) await close(folder, mode, FOLDER_MODE, uid);
  const wasOpen = (mode & 0o077) !== 0;
  for (const name of await readdir(folder)) {
    if (isShared && !OWN.test(name)) continue;
    await tighten(join(folder, name), wasOpen);
  }
}

/** Matches the names of the service's own files and folders. */
const OWN = /^(?:vigil\.db|owner\.key|signing\.key|bodies$)/;

async function tighten(path: string, isDeep: boolean): Promise<void> {
  const entry = await lstat(path).catch(unlessGone);
  if (entry === undefined || entry.isSymbolicLink()) return;
  if (!entry.isDirectory()) return close(path, entry.mode, FILE_MODE, entry.uid);
  await close(path, entry.mode, FOLDER_MODE, entry.uid);
  if (!isDeep) return;
  for (const name of await readdir(path)) await tighten(join(path, name), isDeep);
}

async function close(path: string, mode: number, mask: number, uid: number): Promise<void> {
  const self = process.getuid?.();
  // Only the owner and root may change a mode.
  const isAllowed = self === undefined || self === 0 || self === uid;
  if ((mode & 0o077) === 0 || !isAllowed) return;
  await chmod(path, mode & mask).catch(unlessGone);
}

/** Ignores a missing file, because another process may have removed its temporary files meanwhile. */
function unlessGone(error: NodeJS.ErrnoException): undefined {
  if (error.code !== "ENOENT") throw error;
}

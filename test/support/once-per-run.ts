import { createHash } from "node:crypto";
import { access, mkdir, rename, rm } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout } from "node:timers/promises";
import { inject } from "vitest";

const POLL_MS = 20;

/**
 * Returns the folder for a key. All test files share the folder, and `fill` fills it once per test run. Concurrent
 * callers wait for the first caller; if its `fill` fails, the next caller fills the folder.
 */
export async function oncePerRun(key: string, fill: (folder: string) => Promise<void>): Promise<string> {
  const name = createHash("sha256").update(key).digest("hex").slice(0, 16);
  const [ready, lock] = [join(inject("runFolder"), name), join(inject("runFolder"), `${name}.lock`)];
  for (;;) {
    if (await exists(ready)) return ready;
    if (await took(lock)) break;
    await setTimeout(POLL_MS);
  }
  try {
    if (await exists(ready)) return ready;
    const filling = `${ready}.filling`;
    await mkdir(filling);
    try {
      await fill(filling);
      await rename(filling, ready);
    } finally {
      await rm(filling, { recursive: true, force: true });
    }
    return ready;
  } finally {
    await rm(lock, { recursive: true, force: true });
  }
}

async function took(lock: string): Promise<boolean> {
  try {
    await mkdir(lock);
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "EEXIST") return false;
    throw error;
  }
}

async function exists(path: string): Promise<boolean> {
  return access(path).then(
    () => true,
    () => false,
  );
}

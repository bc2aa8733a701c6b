import { open, rm } from "node:fs/promises";
import { join } from "node:path";
import { type Clock, MINUTE_MS, SECOND_MS } from "../kit/clock.js";

/** Watches whether the store can be used. */
export interface StoreWatch {
  /**
   * The reason why the store cannot be used at present, in a sentence without addresses or names; undefined while it
   * can be used.
   */
  trouble(): string | undefined;
  /** Checks the store once. Never rejects. */
  check(): Promise<void>;
  /** Records a failure that occurred elsewhere. Only `check` decides whether the store counts as lost. */
  note(error: unknown): void;
}

export interface StoreWatchParts {
  /** Writes the heartbeat of this process to the store. */
  readonly beat: () => Promise<void>;
  /** The folder in which the store keeps its files; undefined if everything is in the database. */
  readonly folder: string | undefined;
  readonly clock: Clock;
  /** Called at the first failure, then at most once a minute, with the number of failures since the previous call. */
  readonly onTrouble: (error: unknown, failures: number) => void;
  readonly onRecovery: () => void;
  /** Writes a file of this size and removes it. By default, uses the real file system. */
  readonly tryFile?: (path: string, bytes: number) => Promise<void>;
}

export const STORE_CHECKED_EVERY_MS = 5 * SECOND_MS;
/** Longest duration of a check before the store counts as lost. */
const ANSWER_MS_MAX = 5 * SECOND_MS;
/** Size of the file that a check writes. A disk without room for this file has no room for the next snapshot. */
const ROOM_BYTES = 256 * 1_024;

export function storeWatch(parts: StoreWatchParts): StoreWatch {
  const { beat, folder, clock, onTrouble, onRecovery, tryFile = writeAndRemove } = parts;
  let reason: string | undefined;
  let checkingSince: number | undefined;
  let lastReport: { at: number; failures: number } | undefined;

  function note(error: unknown): void {
    if (lastReport) lastReport.failures += 1;
    // Compares the absolute difference, so that failures are still reported after the clock was set back.
    if (lastReport && Math.abs(clock.now() - lastReport.at) < MINUTE_MS) return;
    onTrouble(error, lastReport?.failures ?? 1);
    lastReport = { at: clock.now(), failures: 0 };
  }

  return {
    trouble() {
      if (reason !== undefined) return reason;
      const isLate = checkingSince !== undefined && Math.abs(clock.now() - checkingSince) > ANSWER_MS_MAX;
      return isLate ? `the store has not answered for more than ${ANSWER_MS_MAX / SECOND_MS} s` : undefined;
    },
    async check() {
      checkingSince = clock.now();
      try {
        await beat();
        if (folder !== undefined) await tryFile(join(folder, `.room.${process.pid}`), ROOM_BYTES);
        if (reason !== undefined) {
          onRecovery();
          lastReport = undefined;
        }
        reason = undefined;
      } catch (error) {
        reason = storeTrouble(error);
        note(error);
      } finally {
        checkingSince = undefined;
      }
    },
    note,
  };
}

/** Describes a store error in a sentence that is safe to publish. */
export function storeTrouble(error: unknown): string {
  const code = String((error as { readonly code?: unknown } | null)?.code ?? "");
  if (code === "ENOSPC" || code === "EDQUOT" || code === "SQLITE_FULL" || code === "53100") {
    return "the disk of the store is full";
  }
  if (/^(?:EROFS|EACCES|EPERM|SQLITE_READONLY.*|SQLITE_PERM|25006)$/.test(code)) return "the store cannot be written";
  if (/^(?:SQLITE_CANTOPEN.*|ENOENT|ENOTDIR)$/.test(code)) return "the files of the store cannot be opened";
  if (code.startsWith("SQLITE_BUSY")) return "another process holds the write lock of the store";
  if (/^SQLITE_(?:CORRUPT|NOTADB|IOERR)/.test(code)) return "the files of the store cannot be read";
  return "the store cannot be reached";
}

async function writeAndRemove(path: string, bytes: number): Promise<void> {
  const file = await open(path, "w", 0o600);
  try {
    await file.writeFile(Buffer.alloc(bytes));
  } finally {
    await file.close();
    await rm(path, { force: true });
  }
}

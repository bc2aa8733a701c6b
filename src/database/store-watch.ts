import { open, rm } from "node:fs/promises";
import { join } from "node:path";
import { type Clock, MINUTE_MS, SECOND_MS } from "../kit/clock.js";

/** What is known of the store that the service works on. */
export interface StoreWatch {
  /** Why the store cannot be used at present, in a sentence without addresses or names; undefined while it can. */
  trouble(): string | undefined;
  /** Tries the store once. Never rejects. */
  check(): Promise<void>;
  /** Notes a failure that something else met. Only `check` decides on the trouble. */
  note(error: unknown): void;
}

export interface StoreWatchParts {
  /** Writes to the store as the service does all the time. */
  readonly beat: () => Promise<void>;
  /** The folder that bodies are written to; undefined where everything is in the database. */
  readonly folder: string | undefined;
  readonly clock: Clock;
  /** Told once when the store is lost, once a minute while it is, with how many failures there were since. */
  readonly onTrouble: (error: unknown, failures: number) => void;
  readonly onRecovery: () => void;
  /** Writes a file of this size and removes it. Default: in the folder itself. */
  readonly tryFile?: (path: string, bytes: number) => Promise<void>;
}

export const STORE_CHECKED_EVERY_MS = 5 * SECOND_MS;
/** How long a check may take before the store counts as lost. */
const ANSWER_MS_MAX = 5 * SECOND_MS;
/** A disk without room for this has none for the next body. */
const ROOM_BYTES = 256 * 1_024;

export function storeWatch(parts: StoreWatchParts): StoreWatch {
  const { beat, folder, clock, onTrouble, onRecovery, tryFile = writeAndRemove } = parts;
  let found: string | undefined;
  let checkingSince: number | undefined;
  let told: { at: number; failures: number } | undefined;

  function note(error: unknown): void {
    if (told) told.failures += 1;
    // A clock that was set back must not silence the log.
    if (told && Math.abs(clock.now() - told.at) < MINUTE_MS) return;
    onTrouble(error, told?.failures ?? 1);
    told = { at: clock.now(), failures: 0 };
  }

  return {
    trouble() {
      if (found !== undefined) return found;
      const isLate = checkingSince !== undefined && Math.abs(clock.now() - checkingSince) > ANSWER_MS_MAX;
      return isLate ? `the store has not answered for more than ${ANSWER_MS_MAX / SECOND_MS} s` : undefined;
    },
    async check() {
      checkingSince = clock.now();
      try {
        await beat();
        if (folder !== undefined) await tryFile(join(folder, `.room.${process.pid}`), ROOM_BYTES);
        if (found !== undefined) {
          onRecovery();
          told = undefined;
        }
        found = undefined;
      } catch (error) {
        found = storeTrouble(error);
        note(error);
      } finally {
        checkingSince = undefined;
      }
    },
    note,
  };
}

/** What an error of the store means, fit for everybody. */
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

import { existsSync } from "node:fs";
import { join, resolve } from "node:path";
import type { Command } from "commander";
import { type Config, configured } from "../app/config.js";
import { checkStore, storeFailure, storeName } from "../app/open-store.js";
import { storeLocation } from "../app/store-location.js";
import { version } from "../app/version.js";
import type { TakenBackup } from "../backup/take-backup.js";
import { type KeyVault, keyVault, VAULT_FILE } from "../database/key-vault.js";
import { systemClock } from "../kit/clock.js";
import { OperatorError } from "../kit/operator-error.js";
import { backupPlace } from "./shared/backup-place.js";
import { interruptible } from "./shared/interruptible.js";
import { note, say } from "./shared/output.js";
import { phaseProgress } from "./shared/phase-progress.js";
import { startUp } from "./shared/start-up.js";
import { DEMO, dataDirOf, kindOf, noteStore, type StoreChoice } from "./shared/store-choice.js";

const EXAMPLES = `
Examples:
  vigil backup /backups/vigil
  DATABASE_URL=postgres://… vigil backup /backups/vigil
  AWS_ENDPOINT_URL=https://s3.example.com vigil backup s3://bucket/vigil

Services on the store keep running. A later backup into the same place copies only new bodies.
Exit codes: 0 complete, 1 not taken (an earlier backup stays valid), 2 complete, but the store itself has damaged bodies,
130 interrupted.`;

/** Adds `vigil backup`. */
export function addBackup(root: Command, run: typeof backup = backup): void {
  root
    .command("backup")
    .description(
      "write a backup of the store, whether or not a service runs on it, to a folder or an S3-compatible store",
    )
    .argument("<place>", "a new or empty folder, the folder of an earlier backup, or s3://bucket/prefix")
    .option("--json", "as JSON")
    .option(...DEMO)
    .addHelpText("after", EXAMPLES)
    .action((place: string, options: BackupOptions) => run(place, options));
}

interface BackupOptions extends StoreChoice {
  readonly json?: boolean;
}

async function backup(text: string, { json, ...choice }: BackupOptions): Promise<void> {
  const { config } = await startUp();
  const { takeBackup } = await import("../backup/take-backup.js");
  const kind = kindOf(choice);
  const location = storeLocation(config, dataDirOf(config, kind));
  await checkStore(location, kind, undefined);
  noteStore(storeName(location));
  const vault = existingVault(config, location.dataDir);
  const progress = phaseProgress();
  const options = { location, kind, version, clock: systemClock, vault, onProgress: progress.show };
  const summary = await interruptible("interrupted; an earlier backup in this place stays valid", async (signal) => {
    const place = await backupPlace(text, config, signal);
    try {
      return summaryOf(await takeBackup({ ...options, place, signal }), place.nameOf());
    } catch (error) {
      throw folderFailure(error, place.nameOf(), location.dataDir) ?? storeFailure(error, location);
    } finally {
      await place.close();
    }
  }).finally(progress.end);
  say(json ? JSON.stringify(summary, null, 2) : summaryText(summary));
  for (const contentHash of summary.damagedBodies) {
    note(
      `body ${contentHash.slice(0, 12)} is damaged or lost in the store; "vigil verify" lists the generations that need it`,
    );
  }
  if (summary.damagedBodies.length > 0) process.exitCode = 2;
}

const UNWRITABLE = /^(?:EACCES|EPERM|EROFS|ENOSPC|EDQUOT|ENOTDIR|EEXIST)$/;

/** The sentence for a folder that cannot be written; undefined for any other failure. */
function folderFailure(error: unknown, folder: string, dataDir: string): OperatorError | undefined {
  const { code = "", path = "", syscall } = error as NodeJS.ErrnoException;
  if (!UNWRITABLE.test(code) || path.startsWith(resolve(dataDir)) || syscall === "connect") return undefined;
  return new OperatorError(`${folder} cannot be written (${code}); choose another folder, or free space on its disk`, {
    cause: error,
  });
}

/** Opens the vault of the store; undefined if it does not exist, because a backup must not create it. */
function existingVault({ keySecret: secret }: Config, dataDir: string): KeyVault | undefined {
  if (secret === undefined && !existsSync(join(dataDir, VAULT_FILE))) return undefined;
  return configured(() => keyVault({ secret, dataDir }));
}

/** The result that the command prints. */
interface BackupSummary {
  readonly folder: string;
  readonly takenAt: number;
  readonly kind: string;
  readonly tables: number;
  readonly rows: number;
  readonly bodies: number;
  readonly newBodies: number;
  readonly newBodyBytes: number;
  readonly damagedBodies: readonly string[];
}

function summaryOf({ manifest, added }: TakenBackup, folder: string): BackupSummary {
  const { takenAt, kind, tables, bodies, damagedBodies } = manifest;
  return {
    folder,
    takenAt,
    kind,
    tables: tables.length,
    rows: tables.reduce((sum, { rows }) => sum + rows, 0),
    bodies: bodies.length,
    newBodies: added.count,
    newBodyBytes: added.bytes,
    damagedBodies,
  };
}

function summaryText({ folder, takenAt, tables, rows, bodies, newBodies, newBodyBytes }: BackupSummary): string {
  const fresh = `${newBodies} new, ${(newBodyBytes / 1e6).toFixed(1)} MB`;
  return `Backup of ${new Date(takenAt).toISOString()} in ${folder}: ${rows} rows in ${tables} tables, ${bodies} bodies (${fresh})`;
}

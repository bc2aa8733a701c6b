import type { Command } from "commander";
import { storeFailure, storeName } from "../app/open-store.js";
import { storeLocation } from "../app/store-location.js";
import type { BackupPlace } from "../backup/backup-place.js";
import { systemClock } from "../kit/clock.js";
import { backupPlace } from "./shared/backup-place.js";
import { interruptible } from "./shared/interruptible.js";
import { say } from "./shared/output.js";
import { phaseProgress } from "./shared/phase-progress.js";
import { startUp } from "./shared/start-up.js";
import { dataDirOf, noteStore } from "./shared/store-choice.js";

const EXAMPLES = `
Examples:
  vigil restore /backups/vigil                              into ./data, which must be empty or missing
  VIGIL_DATA_DIR=/var/lib/vigil vigil restore /backups/vigil
  DATABASE_URL=postgres://… vigil restore /backups/vigil    into an empty database
  vigil restore s3://bucket/vigil                           from an S3-compatible store
  vigil restore /backups/vigil --check                      only check every file of the backup

The backup of a demo is restored as a demo, by default into ./data-demo. Before you start the restored service, stop the
original one.
Exit codes: 0 restored, or the backup is whole; 1 refused, nothing was restored; 130 interrupted, nothing was restored.`;

/** Adds `vigil restore`. */
export function addRestore(root: Command, run: typeof restore = restore): void {
  root
    .command("restore")
    .description("restore a backup into an empty data folder or database")
    .argument("<place>", "the folder of the backup, or s3://bucket/prefix")
    .option("--check", "only check every file of the backup against its hash")
    .addHelpText("after", EXAMPLES)
    .action((place: string, options: RestoreOptions) => run(place, options));
}

interface RestoreOptions {
  readonly check?: boolean;
}

async function restore(text: string, { check }: RestoreOptions): Promise<void> {
  const { config, services } = await startUp();
  const { checkedBackup, restoreBackup } = await import("../backup/restore-backup.js");
  const progress = phaseProgress();
  const { stores } = services;
  await interruptible("interrupted; nothing was restored", async (signal) => {
    const place = await backupPlace(text, config, signal);
    try {
      await restoreFrom(place, signal);
    } finally {
      await place.close();
    }
  }).finally(progress.end);

  async function restoreFrom(place: BackupPlace, signal: AbortSignal): Promise<void> {
    const manifest = await checkedBackup({ place, stores, onProgress: progress.show, signal });
    const about = `backup of ${new Date(manifest.takenAt).toISOString()} (${manifest.kind}, version ${manifest.version})`;
    progress.end();
    if (check) return say(`The ${about} is whole`);
    const location = storeLocation(config, dataDirOf(config, manifest.kind));
    noteStore(storeName(location));
    await restoreBackup(manifest, {
      place,
      location,
      keySecret: config.keySecret,
      stores,
      clock: systemClock,
      onProgress: progress.show,
      signal,
    }).catch((error: unknown) => {
      throw storeFailure(error, location);
    });
    progress.end();
    say(`Restored the ${about}; \`vigil ${manifest.kind === "demo" ? "demo" : "serve"}\` starts it`);
  }
}

import { resolve } from "node:path";
import type { Command } from "commander";
import { storeFailure, storeName } from "../app/open-store.js";
import { systemClock } from "../kit/clock.js";
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
  vigil restore /backups/vigil --check                      only check every file of the backup

The backup of a demo is restored as a demo, by default into ./data-demo. Stop the service that the backup was taken of
before you start the restored one.
Exit codes: 0 restored, or the backup is whole; 1 refused, nothing was restored; 130 interrupted, nothing was restored.`;

/** Adds `vigil restore`. */
export function addRestore(root: Command, run: typeof restore = restore): void {
  root
    .command("restore")
    .description("restore a backup into an empty data folder or database")
    .argument("<folder>", "the folder of the backup")
    .option("--check", "only check every file of the backup against its hash")
    .addHelpText("after", EXAMPLES)
    .action((folder: string, options: RestoreOptions) => run(folder, options));
}

interface RestoreOptions {
  readonly check?: boolean;
}

async function restore(folder: string, { check }: RestoreOptions): Promise<void> {
  const { config, services } = await startUp();
  const { checkedBackup, restoreBackup } = await import("../backup/restore-backup.js");
  const progress = phaseProgress();
  const { stores } = services;
  const from = resolve(folder);
  await interruptible("interrupted; nothing was restored", async (signal) => {
    const manifest = await checkedBackup({ folder: from, stores, onProgress: progress.show, signal });
    const about = `backup of ${new Date(manifest.takenAt).toISOString()} (${manifest.kind}, version ${manifest.version})`;
    progress.end();
    if (check) return say(`The ${about} is whole`);
    const location = { url: config.databaseUrl, dataDir: dataDirOf(config, manifest.kind) };
    noteStore(storeName(location));
    await restoreBackup(manifest, {
      folder: from,
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
  }).finally(progress.end);
}

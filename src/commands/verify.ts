import type { Command } from "commander";
import { checkStore, openStore, storeName } from "../app/open-store.js";
import { bodyStore } from "../database/bodies.js";
import { systemClock } from "../kit/clock.js";
import { snapshotStore } from "../snapshots/store.js";
import { type StoreVerification, verifyStore } from "../snapshots/verify-store.js";
import { say } from "./shared/output.js";
import { startUp } from "./shared/start-up.js";
import { DEMO, dataDirOf, kindOf, noteStore, type StoreChoice } from "./shared/store-choice.js";

/** Adds `vigil verify`. */
export function addVerify(root: Command, run: typeof verify = verify): void {
  root
    .command("verify")
    .description("check every stored generation against the log and its body against its hash")
    .option("--json", "as JSON")
    .option(...DEMO)
    .action((options: VerifyOptions) => run(options));
}

interface VerifyOptions extends StoreChoice {
  readonly json?: boolean;
}

/** Exits with 1 if the store contradicts itself. */
async function verify({ json, ...choice }: VerifyOptions): Promise<void> {
  const { config } = await startUp();
  const kind = kindOf(choice);
  const location = { url: config.databaseUrl, dataDir: dataDirOf(config, kind) };
  await checkStore(location, kind, false);
  const database = await openStore(location, kind);
  noteStore(storeName(location));
  try {
    const bodies = bodyStore(database, location.dataDir, systemClock);
    const verification = await verifyStore(database, snapshotStore(database, bodies));
    say(json ? JSON.stringify(verification, null, 2) : verificationText(verification));
    if (verification.faultCount > 0) process.exitCode = 1;
  } finally {
    await database.close();
  }
}

/** The faults, one in each line, and a summary. */
export function verificationText({ leaves, generations, bodies, faultCount, faults }: StoreVerification): string {
  const lines = faults.map(({ subject, problem }) => `${subject} ${problem}`);
  const hidden = faultCount - faults.length;
  if (hidden > 0) lines.push(`and ${hidden} more`);
  const checked = `${leaves} leaves, ${generations} generations and ${bodies} bodies checked`;
  return [...lines, `${checked}, faults: ${faultCount}`].join("\n");
}

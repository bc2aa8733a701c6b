import type { Command } from "commander";
import { settingReader } from "../contract/setting.js";
import { bodyStore } from "../database/bodies.js";
import { systemClock } from "../kit/clock.js";
import { counted } from "../kit/counted.js";
import { snapshotStore } from "../snapshots/store.js";
import { type StoreVerification, verifyStore } from "../snapshots/verify-store.js";
import type { DerivedReport } from "../verify/check-tally.js";
import { derivedValues } from "../verify/derived-values.js";
import { helpText } from "./shared/help-text.js";
import { onStore } from "./shared/on-store.js";
import { say } from "./shared/output.js";
import { progressBar } from "./shared/progress-bar.js";
import { startUp } from "./shared/start-up.js";
import { DEMO, type StoreChoice } from "./shared/store-choice.js";

const HELP = helpText({
  examples: [["vigil verify"], ["vigil verify --json | jq .faults"]],
  remarks:
    "Only reads the store, so a service may use it at the same time. Ctrl-C ends the command. Numbers are recomputed by the rules of this version, so a number that an earlier version derived by a rule since corrected is a fault, too.",
  exitCodes: "0 no fault; 1 there are faults (a line names each) or the store cannot be opened",
});

/** Adds `vigil verify`. */
export function addVerify(root: Command, run: typeof verify = verify): void {
  root
    .command("verify")
    .description(
      "check every stored generation against the log, its body against its hash, and every derived number against its rows",
    )
    .option("--json", "as JSON")
    .option(...DEMO)
    .addHelpText("after", HELP)
    .action((options: VerifyOptions) => run(options));
}

interface VerifyOptions extends StoreChoice {
  readonly json?: boolean;
}

/** The result of all checks. */
export type Verification = StoreVerification & DerivedReport;

/** Verifies the store. Sets the exit code 1 if it is inconsistent. */
async function verify({ json, ...choice }: VerifyOptions): Promise<void> {
  const { config, services } = await startUp();
  const verification = await onStore(config, choice, async ({ database, dataDir }): Promise<Verification> => {
    const store = snapshotStore(database, bodyStore(database, dataDir, systemClock));
    const checks = derivedValues({
      datasets: services.allDatasets,
      operations: services.operations,
      settingOf: settingReader(config.texts),
      db: database.db,
      store,
    });
    const progress = progressBar("generations", process.stderr, process.env);
    try {
      const stored = await verifyStore(database, store, { checks, onGeneration: progress.show });
      return { ...stored, ...checks.report() };
    } finally {
      progress.end();
    }
  });
  say(json ? JSON.stringify(verification, null, 2) : verificationText(verification));
  if (verification.faultCount > 0) process.exitCode = 1;
}

/** Formats the faults, one per line, followed by the skipped checks and a summary. */
export function verificationText(verification: Verification): string {
  const { leaves, generations, bodies, derivedValues: values, faultCount, faults, skipped } = verification;
  const lines = faults.map(({ subject, problem }) => `${subject} ${problem}`);
  const hidden = faultCount - faults.length;
  if (hidden > 0) lines.push(`and ${hidden} more`);
  for (const { subject, reason, count } of skipped)
    lines.push(`not checked: ${subject}, ${counted(count, "time")}, ${reason}`);
  const counts = [
    counted(leaves, "leaf", "leaves"),
    counted(generations, "generation"),
    counted(bodies, "body", "bodies"),
  ].join(", ");
  const checked = `${counts} and ${counted(values, "derived value")} checked`;
  return [...lines, `${checked}, faults: ${faultCount}`].join("\n");
}

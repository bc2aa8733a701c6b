import type { Command } from "commander";
import { systemClock } from "../kit/clock.js";
import { helpText } from "./shared/help-text.js";
import { say } from "./shared/output.js";
import { realOptions } from "./shared/service-options.js";
import { startUp } from "./shared/start-up.js";
import { CREATE, DEMO, dataDirOf, kindOf, nameStore, type StoreChoice } from "./shared/store-choice.js";

const HELP = helpText({
  examples: [["vigil owner-key"], ["vigil owner-key --new", "after the key was lost or exposed"]],
});

/** Adds `vigil owner-key`. */
export function addOwnerKey(root: Command, run: typeof ownerKey = ownerKey): void {
  root
    .command("owner-key")
    .description("print the path of the owner's key file, or replace the key")
    .option("--new", "create a new key; the old one stops working")
    .option(...DEMO)
    .option(...CREATE)
    .addHelpText("after", HELP)
    .action((options: OwnerKeyOptions) => run(options));
}

interface OwnerKeyOptions extends StoreChoice {
  readonly new?: boolean;
}

async function ownerKey({ new: isReplaced, ...choice }: OwnerKeyOptions): Promise<void> {
  const start = await startUp();
  const kind = kindOf(choice);
  const dataDir = dataDirOf(start.config, kind);
  await nameStore(start.config, dataDir, { create: false, ...choice });
  const { openService } = await import("../app/service.js");
  const service = await openService({ ...realOptions(start), kind, dataDir });
  try {
    const { replaceOwnerKey } = await import("../access/owner-key.js");
    const prefix = kind === "demo" ? "vgl_demo_" : "vgl_";
    const owner = isReplaced
      ? await replaceOwnerKey(service.database, dataDir, prefix, systemClock.now())
      : service.access.ownerKey;
    say(
      owner.key === undefined
        ? `${owner.file} is missing or does not contain the owner key; \`vigil owner-key --new\` creates a new key`
        : `The owner key is in ${owner.file}`,
    );
  } finally {
    await service.close();
  }
}

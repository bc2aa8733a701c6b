import type { Command } from "commander";
import { checkAddress } from "../app/serve.js";
import { openService } from "../app/service.js";
import { ROLE, type ServeChoice } from "./serve.js";
import { runUntilStopped } from "./shared/run-until-stopped.js";
import { demoOptions } from "./shared/service-options.js";
import { startUp } from "./shared/start-up.js";

/** Adds `vigil demo`. */
export function addDemo(root: Command, run: typeof demo = demo): void {
  root
    .command("demo")
    .description("serve simulated data, labelled as such; needs no network and no keys")
    .option("--recorded <dir>", "serve the payloads recorded in this folder, at their recorded time")
    .option(...ROLE)
    .action((options: DemoOptions) => run(options));
}

interface DemoOptions extends ServeChoice {
  readonly recorded?: string;
}

async function demo({ recorded, role }: DemoOptions): Promise<void> {
  const start = await startUp({ VIGIL_ROLE: role });
  await checkAddress(start.config);
  const { simulator, options } = await demoOptions(start, recorded);
  try {
    const service = await openService({ ...options, buildInThread: true });
    await runUntilStopped({ ...start, config: options.config, service, clock: options.clock, simulated: true });
  } finally {
    await simulator.close();
  }
}

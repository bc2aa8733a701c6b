import type { Command } from "commander";
import { ROLE, type ServeChoice, serveService, WORKERS } from "./shared/serve-service.js";
import { demoOptions } from "./shared/service-options.js";

/** Adds `vigil demo`. */
export function addDemo(root: Command, run: typeof demo = demo): void {
  root
    .command("demo")
    .description("serve simulated data, labelled as such; needs no network and no keys")
    .option("--recorded <dir>", "serve the payloads recorded in this folder, at their recorded time")
    .option(...ROLE)
    .option(...WORKERS)
    .action((options: DemoOptions) => run(options));
}

interface DemoOptions extends ServeChoice {
  readonly recorded?: string;
}

function demo({ recorded, ...choice }: DemoOptions): Promise<void> {
  // Equal simulators in several processes give equal answers.
  return serveService(choice, async (start) => {
    const { simulator, options } = await demoOptions(start, recorded);
    return { options, close: () => simulator.close() };
  });
}

import type { Command } from "commander";
import { helpText } from "./shared/help-text.js";
import { ROLE, type ServeChoice, WORKERS } from "./shared/serve-choice.js";
import { demoOptions } from "./shared/service-options.js";

const HELP = helpText({
  examples: [
    ["vigil demo", "with its store in ./data-demo"],
    ["VIGIL_PORT=8080 vigil demo"],
    ["vigil demo --recorded recording", "serve what `vigil doctor --sources --save recording` recorded"],
  ],
  remarks:
    "Every answer says that its data is simulated. Ctrl-C ends the demo; the next start continues with the same store.",
  exitCodes: "0 stopped; 1 not started, or a setting cannot be used",
});

/** Adds `vigil demo`. */
export function addDemo(root: Command, run: typeof demo = demo): void {
  root
    .command("demo")
    .description("serve simulated data, labelled as such; needs no network and no keys")
    .option("--recorded <dir>", "serve the payloads recorded in this folder, as of the time of their recording")
    .option(...ROLE)
    .option(...WORKERS)
    .addHelpText("after", HELP)
    .action((options: DemoOptions) => run(options));
}

interface DemoOptions extends ServeChoice {
  readonly recorded?: string;
}

async function demo({ recorded, ...choice }: DemoOptions): Promise<void> {
  const { serveService } = await import("./shared/serve-service.js");
  // Each process may start its own simulator, because all simulators return the same answers.
  return serveService(choice, async (start) => {
    const { simulator, options } = await demoOptions(start, recorded);
    return { options, close: () => simulator.close() };
  });
}

import type { Command } from "commander";
import { helpText } from "./shared/help-text.js";
import { ROLE, type ServeChoice, WORKERS } from "./shared/serve-choice.js";
import { realOptions } from "./shared/service-options.js";

const HELP = helpText({
  examples: [
    ["vigil serve", "one process, with its store in ./data"],
    ["VIGIL_PORT=8080 VIGIL_DATA_DIR=/var/lib/vigil vigil serve"],
    ["vigil serve --workers 4", "four processes on one port"],
    ["DATABASE_URL=postgres://… vigil serve --role api", "a node that only answers calls"],
  ],
  remarks: `The first start creates the store and the owner's key, and prints the path of the key file. \`vigil config\` lists
the settings. After Ctrl-C or SIGTERM, the running calls finish first; a second signal ends the process immediately.`,
  exitCodes: "0 stopped; 1 not started, or a setting cannot be used",
});

/** Adds `vigil serve`, the default command. */
export function addServe(root: Command, run: typeof serve = serve): void {
  root
    .command("serve", { isDefault: true })
    .description("serve the API and keep its datasets up to date; `vigil` without a command does the same")
    .option(...ROLE)
    .option(...WORKERS)
    .addHelpText("after", HELP)
    .action((choice: ServeChoice) => run(choice));
}

async function serve(choice: ServeChoice): Promise<void> {
  const { serveService } = await import("./shared/serve-service.js");
  return serveService(choice, async (start) => ({ options: realOptions(start), close: async () => undefined }));
}

import type { Command } from "commander";
import { ROLE, type ServeChoice, serveService, WORKERS } from "./shared/serve-service.js";
import { realOptions } from "./shared/service-options.js";

/** Adds `vigil serve`, the default command. */
export function addServe(root: Command, run: typeof serve = serve): void {
  root
    .command("serve", { isDefault: true })
    .description("serve the API and keep its datasets up to date")
    .option(...ROLE)
    .option(...WORKERS)
    .action((choice: ServeChoice) => run(choice));
}

function serve(choice: ServeChoice): Promise<void> {
  return serveService(choice, async (start) => ({ options: realOptions(start), close: async () => undefined }));
}

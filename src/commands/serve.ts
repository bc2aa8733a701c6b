import type { Command } from "commander";
import { checkAddress } from "../app/serve.js";
import { openService } from "../app/service.js";
import { systemClock } from "../kit/clock.js";
import { runUntilStopped } from "./shared/run-until-stopped.js";
import { realOptions } from "./shared/service-options.js";
import { startUp } from "./shared/start-up.js";

/** The options of a serving process. */
export interface ServeChoice {
  readonly role?: string;
}

export const ROLE = ["--role <role>", "api, ingest or all; default VIGIL_ROLE"] as const;

/** Adds `vigil serve`, the default command. */
export function addServe(root: Command, run: typeof serve = serve): void {
  root
    .command("serve", { isDefault: true })
    .description("serve the API and keep its datasets up to date")
    .option(...ROLE)
    .action((options: ServeChoice) => run(options));
}

async function serve({ role }: ServeChoice): Promise<void> {
  const start = await startUp({ VIGIL_ROLE: role });
  await checkAddress(start.config);
  const service = await openService({ ...realOptions(start), buildInThread: true });
  await runUntilStopped({ ...start, service, clock: systemClock, simulated: false });
}

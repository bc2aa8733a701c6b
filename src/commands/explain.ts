import type { Command } from "commander";
import type { ExplainCommand } from "../contract/explain-command.js";
import { helpText } from "./shared/help-text.js";
import { say } from "./shared/output.js";
import { runningService } from "./shared/running-service.js";
import { fetchJson } from "./shared/service-client.js";
import { startUp } from "./shared/start-up.js";
import type { StoreChoice } from "./shared/store-choice.js";

const EXIT_CODES = "0 explained; 1 refused, or no service";

/** Adds `vigil explain` with a command for each subject that a service explains. */
export function addExplain(root: Command, explains: readonly ExplainCommand[], run: typeof explain = explain): void {
  const parent = root.command("explain").description("explain how a running service computed a result");
  for (const command of explains) {
    const { subject, description, argument, options, examples } = command;
    const added = parent.command(subject).description(description).argument(`<${argument.name}>`, argument.description);
    for (const option of options) added.option(option.flags, option.description, option.default);
    added
      .option("--demo", "use the key of the demo's store")
      .addHelpText("after", helpText({ examples: examples.map((call) => [call]), exitCodes: EXIT_CODES }))
      .action((text: string, options: ExplainOptions) => run(command, text, options));
  }
}

type ExplainOptions = StoreChoice & Readonly<Record<string, string | boolean | undefined>>;

async function explain(command: ExplainCommand, argument: string, flags: ExplainOptions): Promise<void> {
  const { config } = await startUp();
  const service = runningService(config, flags);
  const texts = Object.entries(flags).flatMap(([name, value]) =>
    typeof value === "string" ? [[name, value] as const] : [],
  );
  say(await command.run({ argument, options: Object.fromEntries(texts), fetch: (path) => fetchJson(service, path) }));
}

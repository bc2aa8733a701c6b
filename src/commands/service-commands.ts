import { readFile } from "node:fs/promises";
import type { Command } from "commander";
import type { ServiceCommand, ServiceCommands } from "../contract/service-command.js";
import { settingReader } from "../contract/setting.js";
import { systemClock } from "../kit/clock.js";
import { OperatorError } from "../kit/operator-error.js";
import { helpText } from "./shared/help-text.js";
import { joined } from "./shared/joined.js";
import { note, say } from "./shared/output.js";
import { receivePosts } from "./shared/receive-posts.js";
import { runningService } from "./shared/running-service.js";
import { sendJson } from "./shared/service-client.js";
import { startUp } from "./shared/start-up.js";
import type { StoreChoice } from "./shared/store-choice.js";
import { untilInterrupted } from "./shared/until-interrupted.js";

type ServiceOptions = StoreChoice & Readonly<Record<string, string | boolean | undefined>>;

/** Adds the commands that services declare. */
export function addServiceCommands(
  root: Command,
  groups: readonly ServiceCommands[],
  run: typeof runOnService = runOnService,
): void {
  for (const { name, description, commands } of groups) {
    const present = root.commands.find((command) => command.name() === name);
    const parent = present ?? root.command(name).description(description);
    for (const command of commands) {
      const added = parent.command(command.name).description(command.description);
      if (command.argument) added.argument(usageOf(command.argument), command.argument.description);
      for (const { flags, description: about, default: fallback, repeats } of command.options) {
        if (repeats) added.option(flags, about, joined, fallback);
        else added.option(flags, about, fallback);
      }
      if (!command.isLocal) added.option("--demo", "use the key of the demo's store");
      const { examples, exitCodes = "0 done; 1 refused, or no service" } = command;
      added.addHelpText("after", helpText({ examples: examples.map((call) => [call]), exitCodes }));
      if (command.argument) added.action((text = "", options: ServiceOptions) => run(command, text, options));
      else added.action((options: ServiceOptions) => run(command, "", options));
    }
  }
}

function usageOf({ name, isOptional }: NonNullable<ServiceCommand["argument"]>): string {
  return isOptional ? `[${name}]` : `<${name}>`;
}

async function runOnService(command: ServiceCommand, argument: string, flags: ServiceOptions): Promise<void> {
  const { config } = await startUp();
  const service = runningService(config, flags);
  const texts = Object.entries(flags).flatMap(([name, value]) =>
    value === undefined || value === false ? [] : [[name, String(value)] as const],
  );
  await command.run({
    argument,
    options: Object.fromEntries(texts),
    setting: settingReader(config.texts),
    receive: (receiver) => untilInterrupted((signal) => receivePosts(receiver, systemClock, signal)),
    send: (path, body) => sendJson(service, path, body),
    readText,
    say,
    note,
  });
}

async function readText(path: string): Promise<string> {
  try {
    return await readFile(path, "utf8");
  } catch (error) {
    throw new OperatorError(`${path} cannot be read (${(error as NodeJS.ErrnoException).code})`, { cause: error });
  }
}

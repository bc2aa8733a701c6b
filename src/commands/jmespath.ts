import { readFileSync } from "node:fs";
import type { Command } from "commander";
import { ConfigError } from "../app/config.js";
import { helpText } from "./shared/help-text.js";
import { say } from "./shared/output.js";
import { startUp } from "./shared/start-up.js";

const HELP = helpText({
  examples: [
    ["vigil jmespath 'months[-1].headline.index' cpi.json"],
    ["vigil call <rpc> | vigil jmespath 'keys(@)' -"],
  ],
  exitCodes: "0 applied; 1 the expression or the file cannot be used",
});

/** Adds `vigil jmespath`. */
export function addJmespath(root: Command, run: typeof jmespath = jmespath): void {
  root
    .command("jmespath")
    .description("apply a JMESPath expression to a JSON file, with the limits of the service")
    .argument("<expression>", "the expression, as in the parameter `jmespath`")
    .argument("<file>", "JSON file, for example a saved answer; - reads the standard input")
    .addHelpText("after", HELP)
    .action((expression: string, file: string) => run(expression, file));
}

async function jmespath(expression: string, file: string): Promise<void> {
  const { config } = await startUp();
  const { readProjection } = await import("../app/projector.js");
  const projection = await readProjection(jsonIn(file), expression, config);
  if ("error" in projection) throw new ConfigError(projection.error);
  say(projection.body);
}

/** Reads JSON from a file, or from the standard input for `-`. */
function jsonIn(file: string): unknown {
  try {
    return JSON.parse(readFileSync(file === "-" ? 0 : file, "utf8"));
  } catch (error) {
    throw new ConfigError(`${file} cannot be read as JSON: ${(error as Error).message}`);
  }
}

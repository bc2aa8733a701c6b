import type { Command } from "commander";
import { type Origin, type SettingInForce, settingsInForce } from "../app/config.js";
import { redactedAddress } from "../kit/redacted-address.js";
import { table } from "../kit/text-table.js";
import { say } from "./shared/output.js";
import { startUp, upstreamKeys } from "./shared/start-up.js";

/** Adds `vigil config`. */
export function addConfig(root: Command, run: typeof config = config): void {
  root
    .command("config")
    .description("list every setting with its value and origin; secrets are hidden")
    .option("--set", "only settings that are set")
    .option("--json", "as JSON")
    .addHelpText("after", EXAMPLES)
    .action((options: ConfigOptions) => run(options));
}

const EXAMPLES = `
Examples:
  vigil config --set           the settings that are set
  vigil config --json | jq '.[] | select(.origin == "environment")'

Exit codes: 0 listed; 1 a setting cannot be used (the message names it).`;

interface ConfigOptions {
  readonly set?: boolean;
  readonly json?: boolean;
}

async function config({ set, json }: ConfigOptions): Promise<void> {
  // Throws for settings that the service would refuse.
  const { services } = await startUp();
  const all = settingsInForce(process.env, upstreamKeys(services), services.settings);
  say(settingsText(set ? all.filter(({ origin }) => origin !== "default") : all, json ?? false));
}

/** Formats the settings as a table or as JSON. */
export function settingsText(settings: readonly SettingInForce[], json: boolean): string {
  if (!json) {
    const rows = settings.map((setting) => [setting.name, valueText(setting), originText(setting.origin)]);
    return table(["setting", "value", "origin"], rows);
  }
  const listed = settings.map(({ name, origin, isSecret, text }) => ({
    name,
    ...(text !== "" && !isSecret && { value: redactedAddress(text) }),
    ...(text !== "" && isSecret && { isHidden: true }),
    origin: originText(origin),
  }));
  return JSON.stringify(listed, null, 2);
}

function valueText({ text, unit, isSecret }: SettingInForce): string {
  if (text === "") return "";
  if (isSecret) return "(hidden)";
  return unit === undefined ? redactedAddress(text) : `${text} ${unit}`;
}

function originText(origin: Origin): string {
  return typeof origin === "string" ? origin : origin.file;
}

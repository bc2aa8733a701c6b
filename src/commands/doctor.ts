import type { Command } from "commander";
import { ConfigError } from "../app/config.js";
import type { FeedCatalogue } from "../contract/feed-catalogue.js";
import { systemClock } from "../kit/clock.js";
import { loadServices } from "../services/registry.js";
import type { Diagnosis, DoctorOptions } from "./doctor/diagnosis.js";
import { helpText } from "./shared/help-text.js";
import { say } from "./shared/output.js";
import { startUp } from "./shared/start-up.js";
import { dataDirOf, kindOf } from "./shared/store-choice.js";
import { untilInterrupted } from "./shared/until-interrupted.js";

const HELP = helpText({
  examples: [
    ["vigil doctor", "settings, store, disk, and which key enables which source"],
    ["vigil doctor --sources", "how every upstream answers this machine"],
    ["vigil doctor --feeds --json"],
  ],
  remarks: "The installation is not changed. Ctrl-C ends the command.",
  exitCodes:
    "0 nothing failed; 1 a check, source or feed failed, a source has many bad rows, or the command was interrupted",
});

/** Adds `vigil doctor`, with the filters of the feed catalogues. */
export function addDoctor(root: Command, catalogues: readonly FeedCatalogue[], run: typeof doctor = doctor): void {
  const command = root
    .command("doctor")
    .description("check this installation for problems")
    .option(
      "--feeds",
      "instead of the other checks, request every feed of the catalogue from this machine, and report dead ones",
    )
    .option(
      "--sources",
      "instead of the other checks, send the requests of every configured source once from this machine, and report what its decoder reads",
    )
    .option("--save <folder>", "with --sources: save the answers as a recording for demo --recorded");
  for (const { filters, setting } of catalogues) {
    for (const { option, placeholder, description } of filters) {
      command.option(`--${option} <${placeholder}>`, `with --feeds: only ${description}`);
    }
    command.option("--overrides", `with --feeds: print only the ${setting} that removes the dead feeds`);
  }
  command
    .option("--json", "as JSON")
    .option("--demo", "check the demo's installation instead")
    .addHelpText("after", HELP)
    .action((options: DoctorOptions) => run(options));
}

async function doctor(options: DoctorOptions): Promise<void> {
  if (options.save !== undefined && !options.sources) throw new ConfigError("--save requires --sources");
  const { text, isBad } =
    options.sources || options.feeds ? await askUpstreams(options) : await examineInstallation(options);
  say(text);
  if (isBad) process.exitCode = 1;
}

async function examineInstallation(options: DoctorOptions): Promise<Diagnosis> {
  const { diagnose } = await import("./doctor/installation.js");
  const kind = kindOf(options);
  const parts = {
    env: process.env,
    services: await loadServices(),
    kind,
    dataDir: (config: Parameters<typeof dataDirOf>[0]) => dataDirOf(config, kind),
  };
  return diagnose(parts, options);
}

function askUpstreams(options: DoctorOptions): Promise<Diagnosis> {
  return untilInterrupted(async (signal) => {
    const parts = { ...(await startUp()), clock: systemClock, signal };
    if (options.sources) {
      const { diagnoseSources } = await import("./doctor/sources.js");
      return diagnoseSources({ ...parts, onChecked: progressOf("sources") }, options);
    }
    const { diagnoseFeeds } = await import("./doctor/feeds.js");
    return diagnoseFeeds({ ...parts, onChecked: progressOf("feeds") }, options);
  });
}

/** Returns a function that shows the progress of the checks in a single terminal line. */
function progressOf(checks: "feeds" | "sources"): (count: number, of: number) => void {
  return (count, of) => {
    if (process.stderr.isTTY) process.stderr.write(count === of ? "\r\x1b[K" : `\r${count} of ${of} ${checks}`);
  };
}

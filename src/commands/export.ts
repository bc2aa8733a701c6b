import { type Command, InvalidArgumentError, Option } from "commander";
import { decodedInstant } from "../contract/as-of.js";
import { EXPORT_FORMATS, type ExportOptions } from "./export/export-options.js";
import { generationIn } from "./shared/generation-argument.js";
import { interruptible } from "./shared/interruptible.js";
import { startUp } from "./shared/start-up.js";
import { DEMO } from "./shared/store-choice.js";

const EXAMPLES = `
Examples:
  vigil export earthquakes --format geojson
  vigil export us-cpi --part headline --format csv --output cpi.csv
  vigil export earthquakes --format ndjson --as-of 2026-11-01T12:00:00Z --output - | jq .magnitude
  vigil export us-treasury-yields --format parquet --generation 12

Writes <output> and its provenance, <output>.json. With --output -, writes only the rows. Each file appears whole or not
at all.
Exit codes: 0 written, 1 not written, 130 interrupted.`;

/** Adds `vigil export`. */
export function addExport(root: Command, run: typeof exportRows = exportRows): void {
  root
    .command("export")
    .description("write the rows of a stored dataset to a file, whether or not a service runs on the store")
    .argument("<dataset>", "name as listed by `vigil datasets`")
    .addOption(new Option("--format <format>", "format of the rows").choices(EXPORT_FORMATS).makeOptionMandatory())
    .option("--output <file>", "file to write, or - for the standard output (default: <dataset>-<generation>.<format>)")
    .option("--part <name>", "only this part of the dataset (default: all, with the column `part`)")
    .option(
      "--generation <number>",
      "a kept generation, as listed by `vigil history` (default: the newest)",
      generationIn,
    )
    .addOption(
      new Option(
        "--as-of <instant>",
        "the generation that was the newest at this instant: ISO 8601 with an offset, or epoch ms",
      )
        .argParser(instantIn)
        .conflicts("generation"),
    )
    .option(...DEMO)
    .addHelpText("after", EXAMPLES)
    .action((dataset: string, options: ExportOptions) => run(dataset, options));
}

function instantIn(text: string): number {
  const decoded = decodedInstant(text);
  if ("value" in decoded) return decoded.value;
  throw new InvalidArgumentError(decoded.violation);
}

async function exportRows(dataset: string, options: ExportOptions): Promise<void> {
  const start = await startUp();
  const { exportDataset } = await import("./export/export-dataset.js");
  await interruptible("interrupted; nothing was written", (signal) => exportDataset(start, dataset, options, signal));
}

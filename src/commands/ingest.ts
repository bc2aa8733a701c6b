import type { Command } from "commander";
import { ConfigError } from "../app/config.js";
import type { AnyDataset } from "../contract/product.js";
import type { RunResult } from "../ingest/run.js";
import { systemClock } from "../kit/clock.js";
import type { SourceRunReport } from "../snapshots/provenance.js";
import type { SnapshotRegistry } from "../snapshots/registry.js";
import type { ListChoice } from "./shared/account-store.js";
import { datasetTable } from "./shared/dataset-table.js";
import { rowsOf } from "./shared/greeting.js";
import { helpText } from "./shared/help-text.js";
import { interruptible } from "./shared/interruptible.js";
import { note, say } from "./shared/output.js";
import { demoOptions, realOptions } from "./shared/service-options.js";
import { startUp } from "./shared/start-up.js";
import { CREATE, dataDirOf, kindOf, nameStore } from "./shared/store-choice.js";

const INTERRUPTED = "interrupted; datasets that were published before stay published";

const HELP = helpText({
  examples: [
    ["vigil ingest us-cpi"],
    ["vigil ingest all --demo --create", "fill a new store of the demo"],
    ["vigil ingest all --json | jq -r '.[] | select(.outcome == \"failed\") | .dataset'"],
  ],
  remarks: `A service may use the store at the same time. Each dataset is published whole or not at all, so Ctrl-C loses only
builds that are not finished.`,
  exitCodes:
    "0 built, unchanged or not configured; 1 a build failed, another process is building a dataset, or the call was refused; 130 interrupted",
});

/** Adds `vigil ingest`. */
export function addIngest(root: Command, run: typeof ingest = ingest): void {
  root
    .command("ingest")
    .description("build datasets now, in this process, and report the outcome")
    .argument("<dataset...>", "names as listed by `vigil datasets`, or `all`")
    .option("--demo", "build into the demo's store, from simulated upstreams")
    .option("--json", "the outcome of each dataset as JSON; the requests are then listed on standard error")
    .option(...CREATE)
    .addHelpText("after", HELP)
    .action((names: readonly string[], choice: ListChoice) => run(names, choice));
}

async function ingest(names: readonly string[], choice: ListChoice): Promise<void> {
  const start = await startUp();
  await nameStore(start.config, dataDirOf(start.config, kindOf(choice)), { create: false, ...choice });
  const { simulator, options } = choice.demo
    ? await demoOptions(start, undefined)
    : { simulator: undefined, options: realOptions(start) };
  try {
    const { openService } = await import("../app/service.js");
    const service = await openService(options);
    try {
      const named = namedDatasets(service.registry, names);
      const tell = choice.json ? note : say;
      const results = await interruptible(INTERRUPTED, async (signal) => {
        let stopped: Promise<void> | undefined;
        const stop = (): void => {
          stopped = service.ingest.stop();
        };
        signal.addEventListener("abort", stop, { once: true });
        try {
          return await service.ingest.runAll(named, (dataset, report) => tell(reportText(dataset, report)));
        } finally {
          await stopped;
        }
      });
      const outcomes = named.map((dataset, index) => outcomeOf(dataset, results[index]));
      if (choice.json) say(JSON.stringify(outcomes, null, 2));
      else {
        for (const outcome of outcomes) say(outcomeText(outcome));
        say(`\n${datasetTable(rowsOf(service.registry), systemClock.now())}`);
      }
      if (outcomes.some(({ outcome }) => outcome === "failed" || outcome === "busy")) process.exitCode = 1;
    } finally {
      await service.close();
    }
  } finally {
    await simulator?.close();
  }
}

/**
 * Selects datasets by name. `all` selects the datasets that are currently built: those that are always built, and those
 * that were requested recently. Throws if a name is unknown.
 */
export function namedDatasets(
  { datasets, allDatasets }: Pick<SnapshotRegistry, "datasets" | "allDatasets">,
  names: readonly string[],
): readonly AnyDataset[] {
  if (names.includes("all")) return datasets;
  return names.map((name) => {
    const dataset = allDatasets.find((candidate) => candidate.name === name);
    if (dataset) return dataset;
    const datasetNames = new Set(allDatasets.map((candidate) => candidate.family?.name ?? candidate.name));
    throw new ConfigError(`no dataset is called ${name}; the datasets are ${[...datasetNames].join(", ")}`);
  });
}

/** Formats the outcome of a request to an upstream as a line. */
function reportText(
  { name }: AnyDataset,
  { part, requestKey, outcome, rowsRead, rowsBad, error }: SourceRunReport,
): string {
  const rows = rowsRead === null ? "" : ` ${rowsRead} rows${rowsBad ? `, ${rowsBad} bad` : ""}`;
  return `${name}: ${part} ${requestKey} ${outcome}${rows}${error === null ? "" : ` (${error})`}`;
}

interface BuildOutcome {
  readonly dataset: string;
  /** `busy`: another process is building the dataset. */
  readonly outcome: RunResult["outcome"] | "busy";
  /** The generation that is served after the build; null if there is none or if it is unknown. */
  readonly generation: number | null;
  readonly error: string | null;
}

function outcomeOf({ name: dataset }: AnyDataset, result: RunResult | undefined): BuildOutcome {
  if (result === undefined)
    return { dataset, outcome: "busy", generation: null, error: "another process is building it" };
  const { outcome, generation, status } = result;
  return { dataset, outcome, generation: generation?.generation ?? null, error: status.error };
}

function outcomeText({ dataset, outcome, error }: BuildOutcome): string {
  if (outcome === "busy") return `${dataset}: ${error}`;
  return `${dataset}: ${outcome}${error === null ? "" : ` (${error})`}`;
}

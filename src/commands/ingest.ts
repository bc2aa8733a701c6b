import type { Command } from "commander";
import { ConfigError } from "../app/config.js";
import { openService } from "../app/service.js";
import type { AnyDataset } from "../contract/product.js";
import type { RunResult } from "../ingest/run.js";
import { systemClock } from "../kit/clock.js";
import type { SourceRunReport } from "../snapshots/provenance.js";
import type { SnapshotRegistry } from "../snapshots/registry.js";
import { datasetTable } from "./shared/dataset-table.js";
import { rowsOf } from "./shared/greeting.js";
import { say } from "./shared/output.js";
import { demoOptions, realOptions } from "./shared/service-options.js";
import { startUp } from "./shared/start-up.js";
import { CREATE, dataDirOf, kindOf, nameStore, type StoreChoice } from "./shared/store-choice.js";

/** Adds `vigil ingest`. */
export function addIngest(root: Command, run: typeof ingest = ingest): void {
  root
    .command("ingest")
    .description("build datasets now, in this process, and report the outcome")
    .argument("<dataset...>", "names as listed by `vigil datasets`, or `all`")
    .option("--demo", "build into the demo's store, from simulated upstreams")
    .option(...CREATE)
    .action((names: readonly string[], choice: StoreChoice) => run(names, choice));
}

async function ingest(names: readonly string[], choice: StoreChoice): Promise<void> {
  const start = await startUp();
  await nameStore(start.config, dataDirOf(start.config, kindOf(choice)), choice);
  const { simulator, options } = choice.demo
    ? await demoOptions(start, undefined)
    : { simulator: undefined, options: realOptions(start) };
  try {
    const service = await openService(options);
    try {
      const named = namedDatasets(service.registry, names);
      const results = await service.ingest.runAll(named, sayReport);
      const ended = named.map((dataset, index) => sayResult(dataset, results[index]));
      say(`\n${datasetTable(rowsOf(service.registry), systemClock.now())}`);
      if (ended.includes(false)) process.exitCode = 1;
    } finally {
      await service.close();
    }
  } finally {
    await simulator?.close();
  }
}

/** Selects datasets by name, or for `all` every dataset that is always built. Throws if a name is unknown. */
export function namedDatasets(
  { datasets, allDatasets }: Pick<SnapshotRegistry, "datasets" | "allDatasets">,
  names: readonly string[],
): readonly AnyDataset[] {
  if (names.includes("all")) return datasets;
  return names.map((name) => {
    const dataset = allDatasets.find((candidate) => candidate.name === name);
    if (dataset) return dataset;
    const datasetNames = new Set(allDatasets.map((candidate) => candidate.family?.name ?? candidate.name));
    throw new ConfigError(`no dataset is called ${name}; there are ${[...datasetNames].join(", ")}`);
  });
}

/** Prints the outcome of a request. */
function sayReport(
  { name }: AnyDataset,
  { part, requestKey, outcome, rowsRead, rowsBad, error }: SourceRunReport,
): void {
  const rows = rowsRead === null ? "" : ` ${rowsRead} rows${rowsBad ? `, ${rowsBad} bad` : ""}`;
  say(`${name}: ${part} ${requestKey} ${outcome}${rows}${error === null ? "" : ` (${error})`}`);
}

/** Prints the outcome of a build. Returns true if it succeeded. */
function sayResult({ name }: AnyDataset, result: RunResult | undefined): boolean {
  if (result === undefined) say(`${name}: another process is building it`);
  else say(`${name}: ${result.outcome}${result.status.error === null ? "" : ` (${result.status.error})`}`);
  return result !== undefined && result.outcome !== "failed";
}

import { version } from "../../app/version.js";
import { bodyStore } from "../../database/bodies.js";
import { systemClock } from "../../kit/clock.js";
import { snapshotStore } from "../../snapshots/store.js";
import { datasetNamed } from "../shared/dataset-named.js";
import { unreadableBody } from "../shared/kept-generation.js";
import { onStore } from "../shared/on-store.js";
import { say } from "../shared/output.js";
import { progressBar } from "../shared/progress-bar.js";
import type { StartUp } from "../shared/start-up.js";
import { chosenGeneration, partNamed } from "./chosen-generation.js";
import type { ExportOptions } from "./export-options.js";
import { type ExportedRows, exportedRows } from "./exported-rows.js";
import { ReaderGone, streamOutput, writeWithProvenance } from "./output-file.js";
import { provenanceOf } from "./provenance.js";
import { surveyOf } from "./row-survey.js";
import { rowWriter } from "./row-writer.js";

/** Writes the rows of a generation in two passes. The first pass verifies the rows and finds their columns. */
export async function exportDataset(
  { config, services }: StartUp,
  name: string,
  options: ExportOptions,
  signal: AbortSignal,
): Promise<void> {
  const dataset = datasetNamed(services.allDatasets, name);
  const { format, output } = options;
  const summary = await onStore(config, options, async ({ database, dataDir, kind }) => {
    const store = snapshotStore(database, bodyStore(database, dataDir, systemClock));
    const generation = await chosenGeneration(store, dataset, options);
    const stored = exportedRows(store, generation, partNamed(dataset, generation, options.part));
    const surveyed = await surveyOf(pacedRows(stored, "read", signal));
    const rows = pacedRows(stored, "written", signal);
    const isSimulated = kind === "demo";
    const exporter = `vigil ${version}`;
    const provenance = provenanceOf({ dataset, generation, rows, surveyed, isSimulated, exporter });
    const write = rowWriter({ dataset, format, rows, surveyed, provenance });
    if (output === "-") {
      await write(streamOutput(process.stdout, signal)).catch(unlessReaderGone);
      return undefined;
    }
    const path = output ?? `${name}-${generation.generation}.${format}`;
    await writeWithProvenance(path, provenance, write);
    return `${name}, generation ${generation.generation}: ${rows.count} rows in ${path}, their provenance in ${path}.json`;
  }).catch(unreadableBody);
  if (summary !== undefined) say(summary);
}

function unlessReaderGone(error: unknown): void {
  if (!(error instanceof ReaderGone)) throw error;
}

/** Wraps rows. Reading the wrapped rows shows a progress bar, and throws when the signal aborts. */
function pacedRows(rows: ExportedRows, verb: string, signal: AbortSignal): ExportedRows {
  return {
    ...rows,
    async *batches() {
      const progress = progressBar(`rows ${verb}`, process.stderr, process.env);
      let count = 0;
      try {
        for await (const batch of rows.batches()) {
          signal.throwIfAborted();
          yield batch;
          count += batch.length;
          progress.show(count, rows.count);
        }
      } finally {
        progress.end();
      }
    },
  };
}

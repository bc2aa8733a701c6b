import { useState } from "preact/hooks";
import type { Answer } from "../../../src/sdk/index.js";
import { download, downloadCanvas } from "../../parts/download.js";
import { failureText } from "../../reads/failure-text.js";
import type { Call } from "../../reads/read.js";
import { datasetCard } from "./dataset-card.js";
import type { Plot } from "./plot.js";
import { plotCsv } from "./plot-csv.js";
import { plotFacts } from "./plot-facts.js";

interface PlotDownloadsProps {
  readonly plot: Plot;
  readonly answer: Answer<unknown>;
  readonly call: Call;
  readonly canvas: { readonly current: HTMLCanvasElement | undefined };
}

/** Saves the plot as numbers or as an image. */
export function PlotDownloads({ plot, answer, call, canvas }: PlotDownloadsProps) {
  const [failure, setFailure] = useState<unknown>();
  const facts = async (): Promise<readonly string[]> => {
    const [dataset] = Object.keys(answer.generation);
    return plotFacts(plot.unit, answer, call, await datasetCard(dataset), location.origin);
  };
  const saveCsv = async (): Promise<void> => {
    const csv = plotCsv(plot, await facts());
    download(`${plot.id}.csv`, new Blob([csv], { type: "text/csv;charset=utf-8" }));
  };
  const savePng = async (): Promise<void> => {
    const { current } = canvas;
    if (!current) return;
    const style = getComputedStyle(document.documentElement);
    const lines = plot.lines.map(({ name, colour }) => ({
      name,
      colour: style.getPropertyValue(`--series-${colour}`),
    }));
    await downloadCanvas(`${plot.id}.png`, current, { title: plot.title, lines, facts: await facts() });
  };
  const attempt = (save: () => Promise<void>) => () => {
    setFailure(undefined);
    save().catch(setFailure);
  };
  return (
    <div class="row">
      <button type="button" disabled={plot.xs.length === 0} onClick={attempt(saveCsv)}>
        Download CSV
      </button>
      <button type="button" disabled={plot.xs.length === 0} onClick={attempt(savePng)}>
        Download PNG
      </button>
      {plot.step !== "tenor" && (
        <span class="quiet">
          Drag over the chart for a range; double-click for the default range. Arrow keys move the crosshair.
        </span>
      )}
      {failure !== undefined && (
        <span class="notice failed" role="alert">
          {failureText(failure)}
        </span>
      )}
    </div>
  );
}

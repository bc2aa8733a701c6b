import { useCallback, useMemo, useRef, useState } from "preact/hooks";
import type { Answer } from "../../../src/sdk/index.js";
import { LineChart } from "../../parts/line-chart.js";
import type { Call } from "../../reads/read.js";
import { Gaps } from "./gaps.js";
import { cut, newestPlace, type Plot, placeName } from "./plot.js";
import { PlotDownloads } from "./plot-downloads.js";
import { PlotTable } from "./plot-table.js";
import { RangeChoice, setRange, useRange } from "./range-choice.js";
import { Readout } from "./readout.js";

interface PlotViewProps {
  readonly plot: Plot;
  /** The current state of the plot, if an earlier instant is shown. */
  readonly plotNow?: Plot | undefined;
  readonly answer: Answer<unknown>;
  readonly call: Call;
  /** Years shown by default, counted back from the newest value; undefined shows all. */
  readonly yearsShown?: number;
  readonly heightPx?: number;
  /** Called with the x value of the clicked point. */
  readonly onChoice?: (x: number) => void;
}

/** A plot in its range: chart with crosshair, values, gaps, downloads and table. */
export function PlotView({ plot, plotNow, answer, call, yearsShown, heightPx = 320, onChoice }: PlotViewProps) {
  const isTimed = plot.step !== "tenor";
  const range = useRange(plot, yearsShown);
  const part = useMemo(() => cut(plot, range.from, range.to), [plot, range.from, range.to]);
  const partNow = useMemo(
    // `plotNow` may have values that are newer than all values of `plot`. They are included if the range reaches the end
    // of `plot`.
    () => plotNow && cut(plotNow, range.from, range.to === plot.xs.at(-1) ? Number.POSITIVE_INFINITY : range.to),
    [plotNow, plot, range.from, range.to],
  );
  const [place, setPlace] = useState<number>();
  const canvas = useRef<HTMLCanvasElement | undefined>(undefined);
  const xText = useCallback((x: number) => placeName(part, x), [part]);
  const lines = useMemo(
    () => part.lines.map((line) => ({ ...line, hasPoints: !isTimed || part.xs.length < 40, spansGaps: !isTimed })),
    [part, isTimed],
  );
  const at = place !== undefined && place < part.xs.length ? place : newestPlace(part);
  return (
    <div class="plot">
      {isTimed && <RangeChoice plot={plot} range={range} />}
      {part.xs.length === 0 ? (
        <p class="notice">There are no values in this range. Choose another one, or All.</p>
      ) : (
        <>
          <Readout plot={part} at={at} isPointed={place !== undefined} />
          <LineChart
            label={`${part.title}, ${part.unit}`}
            xs={part.xs}
            xKind={isTimed ? "time" : "number"}
            lines={lines}
            unit={part.unit}
            digits={part.digits}
            heightPx={heightPx}
            xText={xText}
            hasLegend={false}
            canvas={canvas}
            onPlace={setPlace}
            {...(isTimed && {
              onRange: (ends: readonly [number, number] | undefined) =>
                setRange(plot, ends && { from: ends[0], to: ends[1] }),
            })}
            {...(onChoice && {
              onChoice: (index: number) => {
                const x = part.xs[index];
                if (x !== undefined) onChoice(x);
              },
            })}
          />
          <Gaps plot={part} generation={answer.generation} />
        </>
      )}
      <PlotDownloads plot={part} answer={answer} call={call} canvas={canvas} />
      <PlotTable plot={part} plotNow={partNow} />
    </div>
  );
}

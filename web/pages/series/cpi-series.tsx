import { useMemo } from "preact/hooks";
import { useAt, useParam } from "../../location.js";
import { ReadFrame } from "../../parts/read-frame.js";
import { useRead } from "../../reads/read.js";
import { LineChoice, MeasureChoice, useChosenLines } from "./choices.js";
import { CPI_COMPONENTS, CPI_MEASURES, type CpiMeasure, cpiPlot } from "./cpi-plot.js";
import { PlotView } from "./plot-view.js";

const DEFAULT_COMPONENTS = ["headline", "core"];
const YEARS_SHOWN = 10;
const params = { history: true };

/** Components of US consumer prices. */
export function CpiSeries() {
  const at = useAt();
  const [measureParam, setMeasure] = useParam("measure", "yoy");
  const measure: CpiMeasure = Object.hasOwn(CPI_MEASURES, measureParam) ? (measureParam as CpiMeasure) : "yoy";
  const [components, setComponents] = useChosenLines(CPI_COMPONENTS, DEFAULT_COMPONENTS);
  const read = useRead("get-us-cpi-monthly", params);
  const current = useRead("get-us-cpi-monthly", params, { hasPast: false, isWanted: at !== undefined });
  const months = read.kind === "ready" ? read.answer.data.months : undefined;
  const monthsNow = at !== undefined && current.kind === "ready" ? current.answer.data.months : undefined;
  const chosen = components.join();
  const plot = useMemo(() => months && cpiPlot(months, measure, chosen.split(",")), [months, measure, chosen]);
  const plotNow = useMemo(
    () => monthsNow && cpiPlot(monthsNow, measure, chosen.split(",")),
    [monthsNow, measure, chosen],
  );
  return (
    <ReadFrame
      read={read}
      title="US consumer price index"
      empty={{ when: ({ months }) => months.length === 0, text: "No month of the index had been published by then." }}
    >
      {(_, answer) => (
        <>
          <div class="choices">
            <MeasureChoice
              options={Object.entries(CPI_MEASURES).map(([id, { name }]) => ({ id, name }))}
              chosen={measure}
              onChoice={setMeasure}
            />
            <LineChoice
              legend="Components"
              options={CPI_COMPONENTS}
              plot={plot}
              chosen={components}
              onChoice={setComponents}
            />
          </div>
          {plot && <PlotView plot={plot} plotNow={plotNow} answer={answer} call={read.call} yearsShown={YEARS_SHOWN} />}
        </>
      )}
    </ReadFrame>
  );
}

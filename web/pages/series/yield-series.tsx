import { useMemo } from "preact/hooks";
import type { Answer, TreasuryParYieldCurve } from "../../../src/sdk/index.js";
import { dayText } from "../../format.js";
import { useAt, useParam } from "../../location.js";
import { ReadFrame } from "../../parts/read-frame.js";
import { type Call, useRead } from "../../reads/read.js";
import { LineChoice, useChosenLines } from "./choices.js";
import { CurveOfDay } from "./curve-of-day.js";
import { PlotView } from "./plot-view.js";
import { TENORS, TENORS_MAX, yieldHistoryPlot } from "./yield-plot.js";

const params = { history: true };

/** The par yield curve of the US Treasury on a day, and the history of its tenors. */
export function YieldSeries() {
  const at = useAt();
  const read = useRead("get-us-treasury-par-yield-curve", params);
  const current = useRead("get-us-treasury-par-yield-curve", params, {
    hasPast: false,
    isWanted: at !== undefined,
  });
  const now = at !== undefined && current.kind === "ready" ? current.answer.data.curves : undefined;
  return (
    <ReadFrame
      read={read}
      title="US Treasury par yields"
      empty={{ when: ({ curves }) => curves.length === 0, text: "No yield curve had been published by then." }}
    >
      {({ curves }, answer) => <Yields curves={curves} now={now} answer={answer} call={read.call} />}
    </ReadFrame>
  );
}

interface YieldsProps {
  readonly curves: readonly TreasuryParYieldCurve[];
  readonly now: readonly TreasuryParYieldCurve[] | undefined;
  readonly answer: Answer<unknown>;
  readonly call: Call;
}

const DEFAULT_TENORS = ["threeMonth", "twoYear", "tenYear"];
const YEARS_SHOWN = 5;

function Yields({ curves, now, answer, call }: YieldsProps) {
  const [, setDay] = useParam("day");
  const [tenors, setTenors] = useChosenLines(TENORS, DEFAULT_TENORS);
  const chosen = tenors.join();
  const plot = useMemo(() => yieldHistoryPlot(curves, chosen.split(",")), [curves, chosen]);
  const plotNow = useMemo(() => now && yieldHistoryPlot(now, chosen.split(",")), [now, chosen]);
  if (curves.length === 0) return null;
  return (
    <>
      <CurveOfDay curves={curves} now={now} answer={answer} call={call} />
      <h3>History</h3>
      <div class="choices">
        <LineChoice
          legend="Tenors"
          options={TENORS}
          plot={plot}
          chosen={tenors}
          max={TENORS_MAX}
          onChoice={setTenors}
        />
      </div>
      <p class="quiet">Click a day in the chart, or press Enter at the crosshair, to show its curve above.</p>
      <PlotView
        plot={plot}
        plotNow={plotNow}
        answer={answer}
        call={call}
        yearsShown={YEARS_SHOWN}
        onChoice={(date) => setDay(dayText(date))}
      />
    </>
  );
}

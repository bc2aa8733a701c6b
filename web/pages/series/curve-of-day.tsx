import { useId, useMemo } from "preact/hooks";
import type { Answer, TreasuryParYieldCurve } from "../../../src/sdk/index.js";
import { dayText } from "../../format.js";
import { useParam } from "../../location.js";
import { TimeInput } from "../../parts/time-input.js";
import type { Call } from "../../reads/read.js";
import { PlotView } from "./plot-view.js";
import { curveOn, tenorsWithout, yieldCurvePlot } from "./yield-plot.js";

interface CurveOfDayProps {
  readonly curves: readonly TreasuryParYieldCurve[];
  /** The current curves, if an earlier instant is shown. */
  readonly now: readonly TreasuryParYieldCurve[] | undefined;
  readonly answer: Answer<unknown>;
  readonly call: Call;
}

/** The curve of a business day, beside that of another day if one is selected. */
export function CurveOfDay({ curves, now, answer, call }: CurveOfDayProps) {
  const [day, setDay] = useParam("day");
  const [otherDay, setOtherDay] = useParam("beside");
  const curve = curveOn(curves, day === "" ? undefined : day);
  const other = otherDay === "" ? undefined : curveOn(curves, otherDay);
  const days = useMemo(() => [curve, other].filter((each) => each !== undefined), [curve, other]);
  const plot = useMemo(() => yieldCurvePlot(days), [days]);
  const plotNow = useMemo(() => {
    const sameDays = now && days.flatMap(({ date }) => now.find((each) => each.date === date) ?? []);
    return sameDays?.length === days.length ? yieldCurvePlot(sameDays) : undefined;
  }, [now, days]);
  if (!curve) return null;
  const at = curves.indexOf(curve);
  const step = (by: number) => curves[at + by];
  const before = step(-1);
  const after = step(1);
  return (
    <>
      <div class="choices">
        <button type="button" disabled={!before} onClick={() => before && setDay(dayText(before.date))}>
          ‹ Day before
        </button>
        <DayChoice label="Curve of" value={dayText(curve.date)} curves={curves} onChoice={setDay} />
        <button type="button" disabled={!after} onClick={() => after && setDay(dayText(after.date))}>
          Day after ›
        </button>
        <DayChoice label="beside" value={other ? dayText(other.date) : ""} curves={curves} onChoice={setOtherDay} />
        {other && (
          <button type="button" onClick={() => setOtherDay("")}>
            Show one curve
          </button>
        )}
      </div>
      {day !== "" && day !== dayText(curve.date) && (
        <p class="notice">
          {day} has no curve: it is not a business day, or its curve is not published. Shown instead:{" "}
          {dayText(curve.date)}.
        </p>
      )}
      <PlotView plot={plot} plotNow={plotNow} answer={answer} call={call} heightPx={260} />
      {days.map((each) => (
        <Unpublished key={each.date} curve={each} />
      ))}
    </>
  );
}

function Unpublished({ curve }: { readonly curve: TreasuryParYieldCurve }) {
  const tenors = tenorsWithout(curve);
  if (tenors.length === 0) return null;
  return (
    <p class="quiet">
      Not published on {dayText(curve.date)}: {tenors.join(", ")}.
    </p>
  );
}

interface DayChoiceProps {
  readonly label: string;
  readonly value: string;
  readonly curves: readonly TreasuryParYieldCurve[];
  readonly onChoice: (day: string) => void;
}

function DayChoice({ label, value, curves, onChoice }: DayChoiceProps) {
  const id = useId();
  return (
    <span class="field">
      <label for={id}>{label}</label>
      <TimeInput
        id={id}
        type="date"
        value={value}
        min={dayText(curves[0]?.date ?? 0)}
        max={dayText(curves.at(-1)?.date ?? 0)}
        onValue={onChoice}
      />
    </span>
  );
}

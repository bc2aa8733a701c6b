import { useEffect, useRef } from "preact/hooks";
import type uPlotType from "uplot";
import { dayText, numberText } from "../format.js";

/** A line of a chart. */
export interface Line {
  readonly name: string;
  /** One value for each place on the x axis; null where there is none, which leaves a gap. */
  readonly values: readonly (number | null)[];
  /** Which of the colours `--series-1` to `--series-6`. */
  readonly colour: 1 | 2 | 3 | 4 | 5 | 6;
  readonly isDashed?: boolean;
}

export interface LineChartProps {
  /** What the chart shows, for readers who do not see it. */
  readonly label: string;
  /** Times as epoch ms, or plain numbers. */
  readonly xs: readonly number[];
  readonly xKind: "time" | "number";
  readonly lines: readonly Line[];
  readonly unit: string;
  readonly digits?: number;
  readonly heightPx?: number;
  /** Text of an x value; by default its day. */
  readonly xText?: (x: number) => string;
  /** Called with the place under the crosshair; undefined when it leaves. */
  readonly onPlace?: (at: number | undefined) => void;
}

/** Lines with a crosshair. Dragging selects a range, a double click shows everything; the arrow keys move the crosshair. */
export function LineChart(props: LineChartProps) {
  const { label, xs, xKind, lines, unit, digits = 1, heightPx = 280, xText = dayText, onPlace } = props;
  const place = useRef<HTMLDivElement>(null);
  const chart = useRef<uPlotType>(undefined);
  const tell = useRef(onPlace);
  tell.current = onPlace;

  useEffect(() => {
    const { current: element } = place;
    if (!element) return;
    let isGone = false;
    let observer: ResizeObserver | undefined;
    let stop: (() => void) | undefined;
    void import("./uplot.js").then(({ uPlot }) => {
      if (isGone) return;
      const colours = getComputedStyle(element);
      const colour = (name: string): string => colours.getPropertyValue(name).trim();
      const axis = {
        stroke: colour("--text-quiet"),
        grid: { stroke: colour("--line"), width: 1 },
        ticks: { show: false },
      };
      const options: uPlotType.Options = {
        width: Math.max(element.clientWidth, 200),
        height: heightPx,
        ms: 1,
        tzDate: (ms) => uPlot.tzDate(new Date(ms), "UTC"),
        legend: { live: true },
        scales: { x: { time: xKind === "time" } },
        axes: [
          { ...axis, ...(xKind === "number" && { values: (_, splits) => splits.map((x) => xText(x)) }) },
          { ...axis, label: unit, labelSize: 18, size: 56 },
        ],
        series: [
          { label: xKind === "time" ? "UTC" : "x", value: (_, x) => (x === null ? "" : xText(x)) },
          ...lines.map(
            ({ name, colour: number, isDashed }): uPlotType.Series => ({
              label: name,
              stroke: colour(`--series-${number}`),
              width: 1.5,
              spanGaps: false,
              points: { show: false },
              ...(isDashed && { dash: [5, 4] }),
              value: (_, value) => (value === null ? "no value" : `${numberText(value, digits)} ${unit}`.trim()),
            }),
          ),
        ],
        hooks: { setCursor: [({ cursor }) => tell.current?.(cursor.idx ?? undefined)] },
      };
      const data = [[...xs], ...lines.map(({ values }) => [...values])] as uPlotType.AlignedData;
      const made = new uPlot(options, data, element);
      chart.current = made;
      observer = new ResizeObserver(() =>
        made.setSize({ width: Math.max(element.clientWidth, 200), height: heightPx }),
      );
      observer.observe(element);
      stop = () => made.destroy();
    });
    return () => {
      isGone = true;
      observer?.disconnect();
      stop?.();
      chart.current = undefined;
    };
  }, [xs, lines, unit, digits, heightPx, xKind, xText]);

  const move = (event: KeyboardEvent): void => {
    const { current } = chart;
    const steps: Readonly<Record<string, number>> = { ArrowLeft: -1, ArrowRight: 1, PageUp: -12, PageDown: 12 };
    const step = steps[event.key];
    if (!current || step === undefined) return;
    event.preventDefault();
    const last = xs.length - 1;
    const at = Math.max(0, Math.min(last, (current.cursor.idx ?? last) + step));
    const x = xs[at];
    if (x === undefined) return;
    current.setCursor({ left: current.valToPos(x, "x"), top: 10 });
  };

  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: the arrow keys move the crosshair
    <div class="chart" ref={place} role="img" aria-label={label} tabIndex={0} onKeyDown={move} />
  );
}

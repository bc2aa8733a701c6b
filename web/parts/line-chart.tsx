import { useEffect, useRef, useState } from "preact/hooks";
import type uPlotType from "uplot";
import { dayText, numberText } from "../format.js";
import { loneValues } from "./lone-values.js";

/** A line of a chart. */
export interface Line {
  readonly name: string;
  /** One value for each place on the x axis; null leaves a gap. */
  readonly values: readonly (number | null)[];
  /** Number of the colour, `--series-1` to `--series-6`. */
  readonly colour: 1 | 2 | 3 | 4 | 5 | 6;
  readonly isDashed?: boolean;
  /** True to mark each value, for short series. */
  readonly hasPoints?: boolean;
  /** True to connect across missing values, for an x axis with places at which this line has no values. */
  readonly spansGaps?: boolean;
}

export interface LineChartProps {
  /** A description of the chart for screen readers. */
  readonly label: string;
  /** Times as epoch ms, or plain numbers. */
  readonly xs: readonly number[];
  readonly xKind: "time" | "number";
  readonly lines: readonly Line[];
  readonly unit: string;
  readonly digits?: number;
  readonly heightPx?: number;
  /** Label of an x value; by default its day. */
  readonly xText?: (x: number) => string;
  /** Called with the place under the crosshair; undefined when the pointer leaves. */
  readonly onPlace?: (at: number | undefined) => void;
  /** Called with the dragged range; undefined after a double click. Without this callback, the chart itself zooms. */
  readonly onRange?: (range: readonly [from: number, to: number] | undefined) => void;
  /** Called with the clicked place, or the place under the crosshair when Enter is pressed. */
  readonly onChoice?: (at: number) => void;
  /** False if the page itself shows the values under the crosshair. */
  readonly hasLegend?: boolean;
  /** Receives the canvas, for saving an image. */
  readonly canvas?: { current: HTMLCanvasElement | undefined };
}

/**
 * A line chart with a crosshair. Dragging selects a range, a double click resets the range, and the arrow keys move the
 * crosshair.
 */
export function LineChart(props: LineChartProps) {
  const { label, xs, xKind, lines, unit, digits = 1, heightPx = 280, xText = dayText, hasLegend = true } = props;
  const place = useRef<HTMLDivElement>(null);
  const chart = useRef<uPlotType>(undefined);
  const latest = useRef(props);
  latest.current = props;
  const [cursorAt, setCursorAt] = useState<number>();
  const isDark = useDarkScheme();
  const chosenByPage = props.onRange !== undefined;

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
        legend: { show: hasLegend, live: true },
        cursor: { drag: { setScale: !chosenByPage }, points: { size: 6 } },
        scales: { x: { time: xKind === "time" } },
        axes: [
          { ...axis, ...(xKind === "number" && { values: (_, splits) => splits.map((x) => xText(x)) }) },
          { ...axis, label: unit, labelSize: 18, size: 56 },
        ],
        series: [
          { label: xKind === "time" ? "UTC" : "x", value: (_, x) => (x === null ? "" : xText(x)) },
          ...lines.map(
            ({ name, values, colour: number, isDashed, hasPoints = false, spansGaps = false }): uPlotType.Series => ({
              label: name,
              stroke: colour(`--series-${number}`),
              width: 1.5,
              spanGaps: spansGaps,
              // A value between two gaps has no line and would be invisible without a point.
              points: { show: true, size: 5, ...(!hasPoints && { filter: () => loneValues(values) }) },
              ...(isDashed && { dash: [5, 4] }),
              value: (_, value) => (value === null ? "no value" : `${numberText(value, digits)} ${unit}`.trim()),
            }),
          ),
        ],
        hooks: {
          setCursor: [
            ({ cursor }) => {
              setCursorAt(cursor.idx ?? undefined);
              latest.current.onPlace?.(cursor.idx ?? undefined);
            },
          ],
          setSelect: [
            (plot) => {
              const { left, width } = plot.select;
              const { onRange } = latest.current;
              if (!onRange || width < 4) return;
              plot.setSelect({ left: 0, top: 0, width: 0, height: 0 }, false);
              onRange([plot.posToVal(left, "x"), plot.posToVal(left + width, "x")]);
            },
          ],
        },
      };
      const data = [[...xs], ...lines.map(({ values }) => [...values])] as uPlotType.AlignedData;
      const uplot = new uPlot(options, data, element);
      chart.current = uplot;
      if (latest.current.canvas) latest.current.canvas.current = uplot.ctx.canvas;
      observer = new ResizeObserver(() =>
        uplot.setSize({ width: Math.max(element.clientWidth, 200), height: heightPx }),
      );
      observer.observe(element);
      stop = () => uplot.destroy();
    });
    return () => {
      isGone = true;
      observer?.disconnect();
      stop?.();
      chart.current = undefined;
      setCursorAt(undefined);
    };
  }, [xs, lines, unit, digits, heightPx, xKind, xText, hasLegend, chosenByPage, isDark]);

  const last = xs.length - 1;
  const at = Math.max(0, Math.min(last, cursorAt ?? last));
  const move = (event: KeyboardEvent): void => {
    if (event.key === "Enter" && xs.length > 0) props.onChoice?.(at);
    const to = placeAfter(event.key, at, last);
    const x = to === undefined ? undefined : xs[to];
    if (x === undefined) return;
    event.preventDefault();
    chart.current?.setCursor({ left: chart.current.valToPos(x, "x"), top: 10 });
  };

  return (
    // The crosshair is a slider over the places of the x axis, so that screen readers announce the values under it.
    <div
      class="chart"
      ref={place}
      // The space is reserved while the library loads, so that nothing moves afterwards.
      style={{ minHeight: `${heightPx}px` }}
      role="slider"
      aria-label={label}
      aria-valuemin={0}
      aria-valuemax={Math.max(0, last)}
      aria-valuenow={Math.max(0, at)}
      aria-valuetext={placeText(props, at)}
      tabIndex={0}
      onKeyDown={move}
      onClick={() => cursorAt !== undefined && props.onChoice?.(cursorAt)}
      onDblClick={() => props.onRange?.(undefined)}
    />
  );
}

/** The place to which a key moves the crosshair. */
function placeAfter(key: string, at: number, last: number): number | undefined {
  const places: Readonly<Record<string, number>> = {
    ArrowLeft: at - 1,
    ArrowRight: at + 1,
    PageUp: at - 12,
    PageDown: at + 12,
    Home: 0,
    End: last,
  };
  const to = places[key];
  return to === undefined ? undefined : Math.max(0, Math.min(last, to));
}

function placeText({ xs, lines, unit, digits = 1, xText = dayText }: LineChartProps, at: number): string {
  const x = xs[at];
  if (x === undefined) return "no values";
  const values = lines.map(({ name, values }) => {
    const value = values[at] ?? null;
    return `${name} ${value === null ? "no value" : `${numberText(value, digits)} ${unit}`.trim()}`;
  });
  return `${xText(x)}: ${values.join(", ")}`;
}

const darkScheme = matchMedia("(prefers-color-scheme: dark)");

/** True for a dark colour scheme. When the scheme changes, the chart must be drawn again with other colours. */
function useDarkScheme(): boolean {
  const [isDark, setDark] = useState(darkScheme.matches);
  useEffect(() => {
    const follow = (): void => setDark(darkScheme.matches);
    darkScheme.addEventListener("change", follow);
    return () => darkScheme.removeEventListener("change", follow);
  }, []);
  return isDark;
}

/** A line of a plot. */
export interface PlotLine {
  readonly id: string;
  readonly name: string;
  readonly colour: 1 | 2 | 3 | 4 | 5 | 6;
  /** One value for each place on the x axis; null where no value was published. */
  readonly values: readonly (number | null)[];
  readonly isDashed?: boolean;
}

/** The data of a chart, its readout, downloads and table: the values of the API on one x axis. */
export interface Plot {
  /** Base name of saved files. */
  readonly id: string;
  readonly title: string;
  readonly unit: string;
  readonly digits: number;
  /** The unit of the x axis. `xs` has the first instant of each month or day, or the rank of each tenor. */
  readonly step: "month" | "day" | "tenor";
  readonly xs: readonly number[];
  readonly lines: readonly PlotLine[];
  /** Names of tenors by rank. */
  readonly tenors?: readonly string[];
}

/** A row of values at one place on the x axis. */
export interface PlotRow {
  readonly x: number;
  readonly values: readonly (number | null)[];
}

/** The label of a place: a month, a day or a tenor. */
export function placeName({ step, tenors }: Pick<Plot, "step" | "tenors">, x: number): string {
  if (step === "tenor") return tenors?.[x] ?? "";
  return new Date(x).toISOString().slice(0, step === "month" ? 7 : 10);
}

/** The section of a plot between two times, both included. A plot of tenors has no times, so it is returned whole. */
export function cut(plot: Plot, from: number, to: number): Plot {
  if (plot.step === "tenor") return plot;
  const first = plot.xs.findIndex((x) => x >= from);
  if (first < 0 || to < from) return { ...plot, xs: [], lines: plot.lines.map((line) => ({ ...line, values: [] })) };
  const past = plot.xs.findIndex((x) => x > to);
  const end = past < 0 ? plot.xs.length : past;
  return {
    ...plot,
    xs: plot.xs.slice(first, end),
    lines: plot.lines.map((line) => ({ ...line, values: line.values.slice(first, end) })),
  };
}

/** Index of the last place at which at least one line has a value. If no line has values, index of the last place. */
export function newestPlace({ xs, lines }: Plot): number {
  const at = xs.findLastIndex((_, place) => lines.some(({ values }) => (values[place] ?? null) !== null));
  return at < 0 ? xs.length - 1 : at;
}

export function rowsOf({ xs, lines }: Plot): readonly PlotRow[] {
  return xs.map((x, at) => ({ x, values: lines.map(({ values }) => values[at] ?? null) }));
}

/** Consecutive places at which lines have no value. */
export interface Gap {
  readonly from: number;
  readonly to: number;
  readonly names: readonly string[];
}

/** The gaps of all lines, oldest first; lines with the same gap share it. */
export function gapsOf({ xs, lines }: Plot): readonly Gap[] {
  const gaps = new Map<string, { from: number; to: number; names: string[] }>();
  for (const { name, values } of lines) {
    for (let at = 0; at < xs.length; at += 1) {
      if ((values[at] ?? null) !== null) continue;
      const start = at;
      while (at + 1 < xs.length && (values[at + 1] ?? null) === null) at += 1;
      const from = xs[start] as number;
      const to = xs[at] as number;
      const gap = gaps.get(`${from} ${to}`);
      if (gap) gap.names.push(name);
      else gaps.set(`${from} ${to}`, { from, to, names: [name] });
    }
  }
  return [...gaps.values()].sort((a, b) => a.from - b.from);
}

/** Every month from the first to the last, so that a month missing from the data leaves a gap. */
export function monthsBetween(first: number, last: number): readonly number[] {
  const months: number[] = [];
  const start = new Date(first);
  for (let count = 0; ; count += 1) {
    const month = Date.UTC(start.getUTCFullYear(), start.getUTCMonth() + count);
    if (month > last) return months;
    months.push(month);
  }
}

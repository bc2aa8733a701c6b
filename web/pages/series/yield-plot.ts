import type { TreasuryParYieldCurve } from "../../../src/sdk/index.js";
import type { Plot, PlotLine } from "./plot.js";

/** The tenors of the curve, shortest first. */
export const TENORS = [
  { id: "oneMonth", name: "1 month" },
  { id: "oneAndAHalfMonth", name: "1.5 months" },
  { id: "twoMonth", name: "2 months" },
  { id: "threeMonth", name: "3 months" },
  { id: "fourMonth", name: "4 months" },
  { id: "sixMonth", name: "6 months" },
  { id: "oneYear", name: "1 year" },
  { id: "twoYear", name: "2 years" },
  { id: "threeYear", name: "3 years" },
  { id: "fiveYear", name: "5 years" },
  { id: "sevenYear", name: "7 years" },
  { id: "tenYear", name: "10 years" },
  { id: "twentyYear", name: "20 years" },
  { id: "thirtyYear", name: "30 years" },
] as const;

const COLOURS = [1, 2, 3, 4, 5, 6] as const;
/** Maximum number of lines, because each line has its own colour. */
export const TENORS_MAX = COLOURS.length;

const yieldUnit = { unit: "% per year", digits: 2 } as const;
const dayOf = (date: number): string => new Date(date).toISOString().slice(0, 10);

/** The yields of selected tenors over all business days. */
export function yieldHistoryPlot(curves: readonly TreasuryParYieldCurve[], chosen: readonly string[]): Plot {
  return {
    id: "us-treasury-par-yields",
    title: "US Treasury par yields by business day",
    ...yieldUnit,
    step: "day",
    xs: curves.map(({ date }) => date),
    lines: TENORS.filter(({ id }) => chosen.includes(id))
      .slice(0, TENORS_MAX)
      .map(
        ({ id, name }, at): PlotLine => ({
          id,
          name,
          colour: COLOURS[at] ?? 6,
          values: curves.map((curve) => curve[id] ?? null),
        }),
      ),
  };
}

/** Plots the curves of these days together. A tenor that no curve has is left out. */
export function yieldCurvePlot(days: readonly TreasuryParYieldCurve[]): Plot {
  const tenors = TENORS.filter(({ id }) => days.some((day) => day[id] !== undefined));
  return {
    id: `us-treasury-par-yield-curve-${days.map(({ date }) => dayOf(date)).join("-and-")}`,
    title: "US Treasury par yield curve",
    ...yieldUnit,
    step: "tenor",
    xs: tenors.map((_, rank) => rank),
    tenors: tenors.map(({ name }) => name),
    lines: days.map((day, at) => ({
      id: dayOf(day.date),
      name: dayOf(day.date),
      colour: COLOURS[at] ?? 6,
      isDashed: at > 0,
      values: tenors.map(({ id }) => day[id] ?? null),
    })),
  };
}

/**
 * Finds the curve of a day or, if that day has none, of the latest business day before it. Returns the first curve if
 * the day is before all curves, and the last curve if the day is undefined or invalid.
 */
export function curveOn(
  curves: readonly TreasuryParYieldCurve[],
  day: string | undefined,
): TreasuryParYieldCurve | undefined {
  const at = day === undefined ? Number.NaN : Date.parse(day);
  if (Number.isNaN(at)) return curves.at(-1);
  return curves.findLast(({ date }) => dayOf(date) <= dayOf(at)) ?? curves[0];
}

/** The names of the tenors that were not published on a day. */
export function tenorsWithout(curve: TreasuryParYieldCurve): readonly string[] {
  return TENORS.filter(({ id }) => curve[id] === undefined).map(({ name }) => name);
}

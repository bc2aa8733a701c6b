import type { CpiMonth, CpiReading } from "../../../src/sdk/index.js";
import { monthsBetween, type Plot, type PlotLine } from "./plot.js";

export const CPI_MEASURES = {
  yoy: { name: "Change over a year", unit: "%", digits: 2, of: (reading: CpiReading) => reading.yearOverYear?.percent },
  mom: {
    name: "Change over a month",
    unit: "%",
    digits: 2,
    of: (reading: CpiReading) => reading.monthOverMonth?.percent,
  },
  index: { name: "Index", unit: "index, 1982-84 = 100", digits: 3, of: (reading: CpiReading) => reading.index },
} as const;
export type CpiMeasure = keyof typeof CPI_MEASURES;

export const CPI_COMPONENTS = [
  { id: "headline", name: "All items", colour: 1 },
  { id: "core", name: "Core", colour: 2 },
  { id: "food", name: "Food", colour: 4 },
  { id: "energy", name: "Energy", colour: 5 },
  { id: "shelter", name: "Shelter", colour: 3 },
  { id: "services", name: "Services", colour: 6 },
] as const;

/** Selected consumer price components, in one measure. */
export function cpiPlot(months: readonly CpiMonth[], measure: CpiMeasure, components: readonly string[]): Plot {
  const { name, unit, digits, of } = CPI_MEASURES[measure];
  const byMonth = new Map(months.map((row) => [row.month, row]));
  const xs = monthsBetween(months[0]?.month ?? 0, months.at(-1)?.month ?? -1);
  return {
    id: `us-cpi-${measure}`,
    title: `US consumer prices, seasonally adjusted: ${name.toLowerCase()}`,
    unit,
    digits,
    step: "month",
    xs,
    lines: CPI_COMPONENTS.filter(({ id }) => components.includes(id)).map(
      (component): PlotLine => ({
        ...component,
        values: xs.map((month) => {
          const reading = byMonth.get(month)?.[component.id];
          return (reading && of(reading)) ?? null;
        }),
      }),
    ),
  };
}

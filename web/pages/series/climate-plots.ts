import type { Co2Monitoring, OceanIceData } from "../../../src/sdk/index.js";
import { monthsBetween, type Plot, type PlotLine } from "./plot.js";

interface MonthPoint {
  readonly month: string;
}

/** The lines' values for every month from the first point to the last; null for a month without data. */
function monthly<Point extends MonthPoint>(
  points: readonly Point[],
  lines: readonly (Omit<PlotLine, "values"> & { readonly of: (point: Point) => number | undefined })[],
): Pick<Plot, "step" | "xs" | "lines"> {
  const byMonth = new Map(points.map((point) => [Date.parse(point.month), point]));
  const times = [...byMonth.keys()];
  const xs = times.length === 0 ? [] : monthsBetween(Math.min(...times), Math.max(...times));
  return {
    step: "month",
    xs,
    lines: lines.map(({ of, ...line }) => ({
      ...line,
      values: xs.map((x) => {
        const point = byMonth.get(x);
        return (point && of(point)) ?? null;
      }),
    })),
  };
}

export const CO2_MEASURES = { ppm: "Monthly mean", change: "Change over a year" } as const;
export type Co2Measure = keyof typeof CO2_MEASURES;

export function co2Plot({ trend12m, station }: Co2Monitoring, measure: Co2Measure): Plot {
  const isChange = measure === "change";
  return {
    id: `co2-${measure}`,
    title: `CO2 at ${station}: ${CO2_MEASURES[measure].toLowerCase()}`,
    unit: "ppm",
    digits: 2,
    ...monthly(trend12m, [
      isChange
        ? { id: "change", name: "Change from the same month a year before", colour: 1, of: ({ anomaly }) => anomaly }
        : { id: "ppm", name: "Monthly mean", colour: 1, of: ({ ppm }) => ppm },
    ]),
  };
}

export const ICE_MEASURES = {
  extent: "Extent and median 1981-2010",
  anomaly: "Difference from the median 1981-2010",
} as const;
export type IceMeasure = keyof typeof ICE_MEASURES;

type IcePoint = NonNullable<OceanIceData["iceTrend12m"]>[number];

/** The median, computed as the extent minus the anomaly and rounded to the three decimals of the source. */
const medianOf = ({ extentMkm2, anomalyMkm2 }: IcePoint): number | undefined =>
  anomalyMkm2 === undefined ? undefined : Math.round((extentMkm2 - anomalyMkm2) * 1_000) / 1_000;

export function icePlot({ iceTrend12m = [] }: OceanIceData, measure: IceMeasure): Plot {
  return {
    id: `arctic-sea-ice-${measure}`,
    title: `Arctic sea ice, last measured day of each month: ${ICE_MEASURES[measure].toLowerCase()}`,
    unit: "million km²",
    digits: 3,
    ...monthly(
      iceTrend12m,
      measure === "anomaly"
        ? [{ id: "anomaly", name: "Extent minus median 1981-2010", colour: 1, of: ({ anomalyMkm2 }) => anomalyMkm2 }]
        : [
            { id: "extent", name: "Extent", colour: 1, of: ({ extentMkm2 }) => extentMkm2 },
            { id: "median", name: "Median 1981-2010 (extent minus anomaly)", colour: 6, isDashed: true, of: medianOf },
          ],
    ),
  };
}

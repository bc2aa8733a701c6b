import type { CpiMonth, IndexPoint } from "../records.js";

/** The components of consumer prices, in the order in which they are served. */
export const cpiComponents = ["headline", "core", "food", "energy", "shelter", "services"] as const;
export type CpiComponent = (typeof cpiComponents)[number];
type Reading = NonNullable<CpiMonth["headline"]>;

/**
 * Returns every month in which any component has a value, oldest first, with changes from the previous calendar month
 * and from the same month a year before. The earlier month of each change is found by date. If that month was never
 * collected, the change is absent.
 */
export function cpiMonths(records: Readonly<Record<CpiComponent, readonly IndexPoint[]>>): CpiMonth[] {
  const byMonth = new Map<number, CpiMonth>();
  for (const component of cpiComponents) {
    const index = new Map(records[component].map((point) => [point.month, point.index]));
    for (const [month, value] of index) {
      const row = byMonth.get(month) ?? { month };
      row[component] = readingOf(value, index.get(monthsBefore(month, 1)), index.get(monthsBefore(month, 12)));
      byMonth.set(month, row);
    }
  }
  return [...byMonth.values()].sort((a, b) => a.month - b.month);
}

function readingOf(index: number, monthBefore: number | undefined, yearBefore: number | undefined): Reading {
  return {
    index,
    ...(monthBefore === undefined ? {} : { monthOverMonth: { percent: percentChange(index, monthBefore) } }),
    ...(yearBefore === undefined ? {} : { yearOverYear: { percent: percentChange(index, yearBefore) } }),
  };
}

/** Returns the change from `base` to `current` in percent, 4 decimals. */
export function percentChange(current: number, base: number): number {
  return Math.round((current / base - 1) * 100 * 10_000) / 10_000;
}

/** Returns the first day of the month that is `count` calendar months before `month`, epoch ms UTC. */
function monthsBefore(month: number, count: number): number {
  const date = new Date(month);
  return Date.UTC(date.getUTCFullYear(), date.getUTCMonth() - count);
}

import { type AnswerCheck, type Expected, rounded, rowsOf } from "../check.js";

interface IndexRow {
  /** First day of the month, epoch ms. */
  readonly month: number;
  readonly index: number;
}

const components = ["headline", "core", "food", "energy", "shelter", "services"];

/** The month as a number that grows by one every month. */
function numberOf(month: number): number {
  const date = new Date(month);
  return date.getUTCFullYear() * 12 + date.getUTCMonth();
}

function changeOf(index: number, base: number | undefined): Expected {
  return base === undefined ? undefined : { percent: rounded((100 * (index - base)) / base, 4) };
}

/**
 * Recomputes every change of a consumer price index from the indexes of its month, of the month before and of the same
 * month a year before.
 */
export const consumerPrices: AnswerCheck = {
  operation: "economic/get-us-cpi-monthly",
  what: "changes of consumer prices against the month and the year before",
  queries: () => ["", "history=true"],
  recompute({ query, from }) {
    const stored = from("us-cpi");
    const months = new Map<number, { [member: string]: Expected }>();
    for (const component of components) {
      const rows = rowsOf<IndexRow>(stored, component);
      const indexOf = new Map(rows.map(({ month, index }) => [numberOf(month), index]));
      for (const { month, index } of rows) {
        const at = numberOf(month);
        const row = months.get(at) ?? { month };
        row[component] = {
          index,
          monthOverMonth: changeOf(index, indexOf.get(at - 1)),
          yearOverYear: changeOf(index, indexOf.get(at - 12)),
        };
        months.set(at, row);
      }
    }
    const inOrder = [...months].sort(([a], [b]) => a - b).map(([, row]) => row);
    return { unavailable: false, months: query.has("history") ? inOrder : inOrder.slice(-1) };
  },
};

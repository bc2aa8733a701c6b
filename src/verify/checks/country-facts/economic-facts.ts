import { containing, rowsOf, type Stored } from "../../check.js";
import { decimal, type Facts, keyOf, wholePart } from "./fact.js";

interface Index {
  readonly month: number;
  readonly index: number;
}

function priceFacts(stored: Stored): Facts {
  const rows = rowsOf<Index>(stored, "headline");
  const [last] = [...rows].sort((a, b) => b.month - a.month);
  const date = new Date(last?.month ?? 0);
  const before = (months: number): number | undefined =>
    rows.find(({ month }) => month === Date.UTC(date.getUTCFullYear(), date.getUTCMonth() - months))?.index;
  const [year, month] = [before(12), before(1)];
  if (!last || year === undefined) return new Map();
  const change = (base: number): number => Number(((100 * last.index) / base - 100).toFixed(4));
  const words = (base: number): string =>
    `${decimal(Math.abs(change(base)), 2)} percent ${change(base) < 0 ? "below" : "above"}`;
  const fact = {
    value: `${decimal(change(year), 2)} percent`,
    factText: containing(
      `${words(year)} those of a year earlier`,
      ...(month === undefined ? [] : [`${words(month)} the month before`]),
    ),
    at: last.month,
  };
  return new Map([[keyOf("US", "Consumer prices, CPI-U"), fact]]);
}

interface Curve {
  readonly date: number;
  readonly twoYear?: number;
  readonly tenYear?: number;
}

function yieldFacts(stored: Stored): Facts {
  const [last] = [...rowsOf<Curve>(stored, "curves")].sort((a, b) => b.date - a.date);
  const { twoYear, tenYear } = last ?? {};
  const shown = tenYear ?? twoYear;
  if (!last || shown === undefined) return new Map();
  const percent = (value: number): string => `${decimal(Math.abs(value), 2)} percent`;
  const tenors = [
    ...(twoYear === undefined ? [] : [`the 2-year par yield of the US Treasury was ${percent(twoYear)}`]),
    ...(tenYear === undefined ? [] : [`the 10-year par yield of the US Treasury was ${percent(tenYear)}`]),
  ];
  const fact = { value: percent(shown), factText: containing(...tenors), at: last.date };
  return new Map([[keyOf("US", "Treasury par yields"), fact]]);
}

export const economicFacts = [
  wholePart("consumerPrices", "us-cpi", priceFacts),
  wholePart("yields", "us-treasury-yields", yieldFacts),
];

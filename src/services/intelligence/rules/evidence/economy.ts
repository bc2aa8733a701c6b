import { day, decimal, month } from "../phrases.js";
import type { EvidenceDraft, Subject } from "./draft.js";
import { type EvidenceIngredients, usable } from "./ingredients.js";

const percent = (value: number): string => `${decimal(Math.abs(value), 2)} percent`;
const beside = (value: number): string => `${percent(value)} ${value < 0 ? "below" : "above"}`;

/** States consumer prices of the United States, the only country with a stored series. */
export function pricesEvidence({ code }: Subject, { prices }: EvidenceIngredients): readonly EvidenceDraft[] {
  if (code !== "US") return [];
  const [latest] = usable(prices)?.view.latest ?? [];
  const year = latest?.headline?.yearOverYear?.percent;
  const before = latest?.headline?.monthOverMonth?.percent;
  if (!latest || year === undefined) return [];
  const change = before === undefined ? "" : ` and ${beside(before)} the month before`;
  return [
    {
      kind: "economic",
      label: "Consumer prices, CPI-U",
      value: `${decimal(year, 2)} percent`,
      factText: `US consumer prices (CPI-U, seasonally adjusted) for ${month(latest.month)} were ${beside(year)} those of a year earlier${change}.`,
      at: latest.month,
      age: "consumerPrices",
      url: "https://fred.stlouisfed.org/series/CPIAUCSL",
    },
  ];
}

/** States Treasury yields of the United States, the only country with stored series. */
export function yieldsEvidence({ code }: Subject, { yields }: EvidenceIngredients): readonly EvidenceDraft[] {
  if (code !== "US") return [];
  const [curve] = usable(yields)?.view.latest ?? [];
  const tenors = [
    ...(curve?.twoYear === undefined ? [] : [`the 2-year par yield of the US Treasury was ${percent(curve.twoYear)}`]),
    ...(curve?.tenYear === undefined ? [] : [`the 10-year par yield of the US Treasury was ${percent(curve.tenYear)}`]),
  ];
  if (!curve || tenors.length === 0) return [];
  return [
    {
      kind: "economic",
      label: "Treasury par yields",
      value: `${percent(curve.tenYear ?? curve.twoYear ?? 0)}`,
      factText: `On ${day(curve.date)}, ${tenors.join(" and ")}.`,
      at: curve.date,
      age: "yields",
      url: "https://home.treasury.gov/resource-center/data-chart-center/interest-rates/TextView?type=daily_treasury_yield_curve",
    },
  ];
}

import { Type } from "typebox";
import { operation } from "../../../contract/operation.js";
import { flag } from "../../../contract/query-field.js";
import { usCpi } from "../datasets/us-cpi.js";
import { CpiMonth } from "../records.js";
import { CpiVintages, cpiVintages } from "../rules/cpi-vintages.js";

/** US consumer prices, seasonally adjusted, newest month last. Source: BLS through FRED. */
export const getUsCpiMonthly = operation({
  rpc: "get-us-cpi-monthly",
  summary: "US consumer price index by month",
  description:
    "Seasonally adjusted CPI-U and its changes, which are computed from the index. A change is absent if its base month is missing. `unavailable: true` means that there is no data.",
  cache: "daily",
  reads: { cpi: usCpi },
  revisionsFor: ({ vintages }) => (vintages ? ["cpi"] : []),
  query: {
    history: flag("Every stored month since 1947 instead of only the latest month"),
    vintages: flag(
      "Also return every value that the returned months have had, each with the time at which it became known",
    ),
  },
  response: Type.Object(
    {
      months: Type.Array(CpiMonth, { description: "Oldest first; without `history`, only the latest month" }),
      unavailable: Type.Boolean({ description: "True if no snapshot can be read" }),
      vintages: Type.Optional(CpiVintages),
    },
    { title: "GetUsCpiMonthlyResponse" },
  ),
  list: { rows: "months", identity: ({ month }) => String(month) },
  examples: [{}, { history: "true" }, { vintages: "true" }, { jmespath: "months[-1].headline.index" }],
  run({ history, vintages }, { cpi }, { tally }) {
    if (!cpi.available) return { months: [], unavailable: true };
    const { latest } = cpi.view;
    const months = tally.whole(cpi.view.months);
    const isLatest = (month: CpiMonth): boolean => latest.includes(month);
    const shown = history ? months : tally.narrowed("history", months, latest, isLatest);
    return {
      months: shown,
      unavailable: false,
      ...(vintages && cpi.revisions && { vintages: cpiVintages(shown, history, cpi.revisions) }),
    };
  },
});

import { Type } from "typebox";
import { operation } from "../../../contract/operation.js";
import { flag } from "../../../contract/query-field.js";
import { usTreasuryYields } from "../datasets/us-treasury-yields.js";
import { TreasuryParYieldCurve } from "../records.js";
import { YieldVintages, yieldVintages } from "../rules/yield-vintages.js";

/** US Treasury par yields in percent, newest day last. Source: US Treasury. */
export const getUsTreasuryParYieldCurve = operation({
  rpc: "get-us-treasury-par-yield-curve",
  summary: "US Treasury par yield curve by business day",
  description:
    "Par yields in percent for 14 tenors from one month to 30 years. A tenor that was not published on a day is absent. `unavailable: true` means that there is no data.",
  cache: "daily",
  reads: { yields: usTreasuryYields },
  revisionsFor: ({ vintages }) => (vintages ? ["yields"] : []),
  query: {
    history: flag("Every business day since 1990 instead of only the latest day"),
    vintages: flag(
      "Also return every value that the returned days have had, each with the time at which it became known",
    ),
  },
  response: Type.Object(
    {
      curves: Type.Array(TreasuryParYieldCurve, {
        description: "Oldest first; without `history`, only the latest business day",
      }),
      unavailable: Type.Boolean({ description: "True if no snapshot can be read" }),
      vintages: Type.Optional(YieldVintages),
    },
    { title: "GetUsTreasuryParYieldCurveResponse" },
  ),
  list: { rows: "curves", identity: ({ date }) => String(date) },
  examples: [
    {},
    { history: "true" },
    { vintages: "true" },
    { history: "true", jmespath: "curves[-5:].{date: date, tenYear: tenYear}" },
  ],
  run({ history, vintages }, { yields }, { tally }) {
    if (!yields.available) return { curves: [], unavailable: true };
    const { latest } = yields.view;
    const curves = tally.whole(yields.view.curves);
    const isLatest = (curve: TreasuryParYieldCurve): boolean => latest.includes(curve);
    const shown = history ? curves : tally.narrowed("history", curves, latest, isLatest);
    return {
      curves: shown,
      unavailable: false,
      ...(vintages && yields.revisions && { vintages: yieldVintages(shown, history, yields.revisions) }),
    };
  },
});

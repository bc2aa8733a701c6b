import { type Static, Type } from "typebox";
import { epochMs } from "../../../contract/field.js";
import type { Revisions } from "../../../contract/revisions.js";
import { TreasuryParYieldCurve } from "../records.js";
import { vintageFields, vintagesFields, vintagesOf, withdrawnTimes } from "./vintages.js";

type Tenor = Exclude<keyof TreasuryParYieldCurve, "date">;

const { date: _date, ...tenorFields } = TreasuryParYieldCurve.properties;
// The type is derived from the schema, so both have the same members.
const tenors = Object.keys(tenorFields) as readonly Tenor[];

const YieldVintage = Type.Object(
  { ...vintageFields, ...tenorFields },
  { title: "TreasuryParYieldVintage", description: "The yields that one generation published or changed for a day." },
);

/** All yields that were published for each day over time. */
export const YieldVintages = Type.Object(
  {
    ...vintagesFields,
    days: Type.Array(
      Type.Object({
        date: epochMs("The business day, at midnight"),
        vintages: Type.Array(YieldVintage, {
          description: "Oldest first; later vintages have only the yields that changed",
        }),
      }),
      { description: "Oldest first; with `history` also days that were withdrawn" },
    ),
  },
  { title: "TreasuryParYieldVintages", description: "Only with `vintages=true`." },
);

/** Returns all yields that were published for these days over time. With `isWhole`, withdrawn days are added. */
export function yieldVintages(
  curves: readonly TreasuryParYieldCurve[],
  isWhole: boolean,
  revisions: Revisions,
): Static<typeof YieldVintages> {
  const byDate = new Map(curves.map((curve) => [curve.date, curve]));
  const current = [...byDate.keys()];
  const dates = isWhole ? [...current, ...withdrawnTimes(current, revisions)].sort((a, b) => a - b) : current;
  const yields = {
    names: tenors,
    current: (date: number) => tenorsIn(byDate.get(date)),
    isIn: () => true,
    valueIn: (row: unknown, tenor: Tenor) => (row as TreasuryParYieldCurve | undefined)?.[tenor],
  };
  const { begin } = revisions;
  return {
    knownSince: begin.at,
    sinceGeneration: begin.generation,
    days: vintagesOf(dates, yields, revisions).map(([date, vintages]) => ({ date, vintages })),
  };
}

function tenorsIn(curve: TreasuryParYieldCurve | undefined): Omit<TreasuryParYieldCurve, "date"> | undefined {
  if (!curve) return undefined;
  const { date: _date, ...yields } = curve;
  return yields;
}

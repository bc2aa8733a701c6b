import { type Static, Type } from "typebox";
import { epochMs, optionalPercent } from "../../contract/field.js";

const CpiPercentChange = Type.Object(
  { percent: Type.Number({ description: "Change in percent, 4 decimals" }) },
  { title: "CpiPercentChange", description: "Change computed from the index." },
);

/** The index of one component in one month, with its changes. A change is absent if its base month has no value. */
const CpiReading = Type.Object(
  {
    index: Type.Number({ description: "Seasonally adjusted index, 1982-84 = 100" }),
    monthOverMonth: Type.Optional(CpiPercentChange),
    yearOverYear: Type.Optional(CpiPercentChange),
  },
  {
    title: "CpiReading",
    description: "One component of one month; a change is absent when its base month has no value.",
  },
);

/** Consumer prices of one month. A component without a value that month is absent. */
export const CpiMonth = Type.Object(
  {
    month: epochMs("First day of the month"),
    headline: Type.Optional(CpiReading),
    core: Type.Optional(CpiReading),
    food: Type.Optional(CpiReading),
    energy: Type.Optional(CpiReading),
    shelter: Type.Optional(CpiReading),
    services: Type.Optional(CpiReading),
  },
  { title: "CpiMonth", description: "A component without a value in the month is absent" },
);
export type CpiMonth = Static<typeof CpiMonth>;

/** One index value of one series. */
export interface IndexPoint {
  /** First day of the month, epoch ms UTC. */
  readonly month: number;
  readonly index: number;
}

/** The par yield curve of one business day. A tenor that was not published that day is absent. */
export const TreasuryParYieldCurve = Type.Object(
  {
    date: epochMs("The business day, at midnight"),
    oneMonth: optionalPercent("1 month (since 2001-07-31)"),
    oneAndAHalfMonth: optionalPercent("1.5 months (since 2025-02-18)"),
    twoMonth: optionalPercent("2 months (since 2018-10-16)"),
    threeMonth: optionalPercent("3 months"),
    fourMonth: optionalPercent("4 months (since 2022-10-19)"),
    sixMonth: optionalPercent("6 months"),
    oneYear: optionalPercent("1 year"),
    twoYear: optionalPercent("2 years"),
    threeYear: optionalPercent("3 years"),
    fiveYear: optionalPercent("5 years"),
    sevenYear: optionalPercent("7 years"),
    tenYear: optionalPercent("10 years"),
    twentyYear: optionalPercent("20 years (since 1993-10-01)"),
    thirtyYear: optionalPercent("30 years (not from 2002-02-19 to 2006-02-08)"),
  },
  { title: "TreasuryParYieldCurve", description: "A tenor that was not published that day is absent" },
);
export type TreasuryParYieldCurve = Static<typeof TreasuryParYieldCurve>;

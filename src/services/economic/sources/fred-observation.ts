import { Type } from "typebox";
import { BadRow, LeftOut, type Licence } from "../../../contract/source.js";
import type { IndexPoint } from "../records.js";
import { utcMonth } from "./calendar-date.js";

/** The series to request from either of FRED's interfaces: one monthly series, by its FRED id. */
export interface SeriesPlan {
  readonly series: string;
}

export const fredLicence: Licence = {
  name: "US government work (BLS); FRED terms of use for the service",
  url: "https://fred.stlouisfed.org/legal/",
  attribution: "US Bureau of Labor Statistics, retrieved from FRED, Federal Reserve Bank of St. Louis",
  open: true,
};

/** A row from either interface: a date and a value, as text. */
export const FredObservation = Type.Object({ date: Type.String(), value: Type.String() });

/**
 * Converts an observation to the index value of its month, unless FRED has none ("." in the API, blank or "." in the
 * CSV).
 */
export function indexPoint({ date, value }: { readonly date: string; readonly value: string }): IndexPoint | LeftOut {
  const month = utcMonth(date);
  if (value === "." || value === "") return new LeftOut("no value");
  const index = Number(value);
  if (!Number.isFinite(index) || index <= 0)
    throw new BadRow(`${date}: index must be a number above 0, got "${value}"`);
  return { month, index };
}

import { type Static, Type } from "typebox";
import { BadRow, LeftOut, type Licence } from "../../../contract/source.js";
import { alpha2 } from "../../../geography/countries.js";
import type { StoredSummary } from "../records.js";
import { eventKinds, type Figures } from "../rules/humanitarian.js";
import { countOf, dayOf, isoDay } from "./cells.js";

export const hapiLicence: Licence = {
  name: "Other: aggregates of ACLED, under its terms",
  url: "https://data.humdata.org/dataset/hdx-hapi-conflict-event",
  attribution: "ACLED, through the HDX Humanitarian API of OCHA's Centre for Humanitarian Data",
  open: false,
};

const Cell = Type.Union([Type.Number(), Type.String()]);

const Name = Type.Optional(Type.Union([Type.String(), Type.Null()]));

/** Columns that together identify the place of a row within its country; all are blank for the country as a whole. */
const placeColumns = {
  admin1_code: Name,
  admin1_name: Name,
  admin2_code: Name,
  admin2_name: Name,
  provider_admin1_name: Name,
  provider_admin2_name: Name,
};

/** One row of the API. The published CSV has the same columns, all of them strings. */
export const HapiRow = Type.Object({
  ...placeColumns,
  location_code: Type.String({ minLength: 1 }),
  admin_level: Cell,
  event_type: Type.Enum([...eventKinds]),
  events: Type.Union([Cell, Type.Null()]),
  // Blank in all rows about demonstrations (observed in May 2026).
  fatalities: Type.Optional(Type.Union([Cell, Type.Null()])),
  reference_period_start: Type.String(),
});

/** Columns that every CSV file must have; the columns of places may be missing. */
export const hapiColumns = Object.keys(HapiRow.properties).filter((column) => !(column in placeColumns));

/** Returns the figures of a row. Leaves out a row that has no known country or no count of events. */
export function figuresOf(row: Static<typeof HapiRow>): Figures | LeftOut {
  const countryCode = alpha2(row.location_code);
  const [events, deaths] = [countOf(row.events), countOf(row.fatalities ?? null)];
  const adminLevel = countOf(row.admin_level);
  if (adminLevel === undefined) throw new BadRow("a row without an admin level");
  if (countryCode === undefined) return new LeftOut("not a country");
  if (events === undefined) return new LeftOut("no value");
  return {
    kind: row.event_type,
    countryCode,
    place: placeOf(row),
    adminLevel,
    events,
    ...(deaths !== undefined && { deaths }),
    period: isoDay(dayOf(row.reference_period_start)),
  };
}

function placeOf(row: Static<typeof HapiRow>): string {
  return [
    row.admin1_code,
    row.admin1_name,
    row.admin2_code,
    row.admin2_name,
    row.provider_admin1_name,
    row.provider_admin2_name,
  ]
    .map((name) => name ?? "")
    .join("\t");
}

/** Returns the first day of a summary's month, epoch ms. */
export function monthOf({ referencePeriod }: StoredSummary): number {
  return dayOf(referencePeriod);
}

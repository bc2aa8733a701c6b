import { type Static, Type } from "typebox";
import { BadRow, type Licence } from "../../../contract/source.js";
import { DAY_MS } from "../../../kit/clock.js";
import { memberOf } from "../../../kit/member-of.js";
import { type BetaViolenceEvent, type ViolenceType, violenceTypes } from "../records.js";
import { countOf, dayOf, positionOf } from "./cells.js";

export const ucdpLicence: Licence = {
  name: "CC BY 4.0",
  url: "https://creativecommons.org/licenses/by/4.0/",
  attribution: "Uppsala Conflict Data Program (UCDP), Georeferenced Event Dataset, ucdp.uu.se",
  open: true,
};

/**
 * Length of the window from which events are read: the served year, which ends with the newest event, and 120 days
 * more, because the newest event may be that old.
 */
const REACH_MS = (365 + 120) * DAY_MS;

/** Returns the first instant whose events are read, epoch ms. */
export function reachStart(now: number): number {
  return now - REACH_MS;
}

const Cell = Type.Union([Type.Number(), Type.String()]);
const Text = Type.Optional(Type.Union([Type.String(), Type.Null()]));

/** One row of the API. The published CSV files have the same columns, all of them strings. */
export const GedRow = Type.Object({
  id: Cell,
  date_start: Type.String(),
  date_end: Type.String(),
  country: Type.String({ minLength: 1 }),
  side_a: Text,
  side_b: Text,
  best: Cell,
  low: Cell,
  high: Cell,
  type_of_violence: Cell,
  latitude: Type.Union([Cell, Type.Null()]),
  longitude: Type.Union([Cell, Type.Null()]),
  source_original: Text,
});

const typeOfCode: Readonly<Record<string, ViolenceType>> = {
  "1": violenceTypes[1],
  "2": violenceTypes[2],
  "3": violenceTypes[3],
};

export function gedEvent(row: Static<typeof GedRow>): BetaViolenceEvent {
  const location = positionOf(row.latitude, row.longitude);
  const sourceOriginal = row.source_original?.replace(/\s+/g, " ").trim();
  const [sideA, sideB] = [actorOf(row.side_a), actorOf(row.side_b)];
  return {
    id: `ucdp-${row.id}`,
    country: row.country,
    dateStart: dayOf(row.date_start),
    dateEnd: dayOf(row.date_end),
    deathsBest: estimateOf(row.best),
    deathsHigh: estimateOf(row.high),
    deathsLow: estimateOf(row.low),
    ...(location && { location }),
    ...(sideA && { sideA }),
    ...(sideB && { sideB }),
    ...(sourceOriginal && { sourceOriginal }),
    violenceType: memberOf(typeOfCode, String(row.type_of_violence)) ?? violenceTypes[0],
  };
}

/**
 * Returns the name of a side; undefined if it is blank or a placeholder for an unknown side (`XXX700`, seen 2026-09).
 */
function actorOf(name: string | null | undefined): string | undefined {
  const actor = name?.trim() ?? "";
  return actor === "" || /^XXX\s*\d+$/.test(actor) ? undefined : actor;
}

function estimateOf(cell: number | string): number {
  const count = countOf(cell);
  if (count === undefined) throw new BadRow("an estimate of deaths is blank");
  return count;
}

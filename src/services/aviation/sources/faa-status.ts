import { type Static, Type } from "typebox";
import type { XmlNode } from "../../../contract/format.js";
import { BadRow, LeftOut, SourceFailure, source, step } from "../../../contract/source.js";
import { airportByIata } from "../../../geography/airports.js";
import { isLimitedClosure, isWithinHours, validityIn, validityWithoutYears } from "../rules/airports/closure-notice.js";
import { flightRanges } from "./flight-ranges.js";

/** A received bulletin, with the time at which the FAA wrote it. */
interface FaaBulletin {
  readonly kind: "bulletin";
  readonly updatedAt: number;
}

/** A stop, programme, delay or closure at a monitored airport, in force when the bulletin was written. */
export interface FaaProgramme {
  readonly kind: "programme";
  readonly iata: string;
  /** `GROUND_STOP` for a closure too. */
  readonly type: "GROUND_STOP" | "GROUND_DELAY" | "DEPARTURE_DELAY" | "ARRIVAL_DELAY" | "GENERAL";
  readonly isClosure: boolean;
  /** As announced, or assumed if the FAA gives no duration. */
  readonly minutes: number;
  readonly isAssumed: boolean;
  readonly reason: string;
  readonly updatedAt: number;
}

export type FaaRecord = FaaBulletin | FaaProgramme;

/** The XML elements of each kind of announcement: the list, and the element of one airport in the list. */
const sections = {
  stop: ["Ground_Stop_List", "Program"],
  programme: ["Ground_Delay_List", "Ground_Delay"],
  delay: ["Arrival_Departure_Delay_List", "Delay"],
  closure: ["Airport_Closure_List", "Airport"],
} as const;

/** Assumed minutes for values that the FAA does not give. */
const assumedMinutes = { stop: 60, closure: 120, programme: 30, delayMin: 15, delayMax: 30 };

const Text = Type.Optional(Type.String());
/** Accepts any type, because skipping a closure with an unexpected member would make its airport look open. */
const AnyText = Type.Optional(Type.Unknown());
const Row = Type.Union([
  Type.Object({ section: Type.Literal("bulletin"), updatedAt: Type.Number() }),
  Type.Object({
    section: Type.Enum(Object.keys(sections)),
    updatedAt: Type.Number(),
    ARPT: Type.String({ pattern: "^[A-Z0-9]{3,4}$" }),
    Reason: AnyText,
    Avg: Text,
    Start: AnyText,
    Reopen: AnyText,
    // Delays have one element for arrivals and one for departures.
    Arrival_Departure: Type.Optional(Type.Object({ "@Type": Text, Min: Text, Max: Text })),
  }),
]);
type ProgrammeRow = Exclude<Static<typeof Row>, { section: "bulletin" }>;

/** Ground stops, ground delay programmes, delays and closures that the FAA announces. */
export const faaStatus = source({
  id: "faa-nas-status",
  title: "FAA National Airspace System status",
  home: "https://nasstatus.faa.gov/",
  seen: "recorded",
  unseen: "ground stops",
  licence: { name: "US government work", attribution: "Federal Aviation Administration", open: true },
  steps: {
    bulletin: step({
      request: () => ({
        key: "status",
        url: "https://nasstatus.faa.gov/api/airport-status-information",
      }),
      format: {
        kind: "xml",
        root: "AIRPORT_STATUS_INFORMATION",
        lists: ["Delay_type", "Arrival_Departure", ...Object.values(sections).map(([, item]) => item)],
      },
      row: Row,
      *rows(bulletin) {
        const updatedAt = updateTime(bulletin["Update_Time"]);
        yield { section: "bulletin", updatedAt };
        for (const [section, [list, item]] of Object.entries(sections)) {
          const lists = membersOf(membersOf(bulletin, "Delay_type"), list);
          for (const airport of membersOf(lists, item)) {
            const row = { ...(typeof airport === "object" && airport), section, updatedAt };
            const directions = section === "delay" ? membersOf(airport, "Arrival_Departure") : [];
            if (directions.length === 0) yield row;
            // An empty element is decoded as a string.
            for (const direction of directions)
              yield { ...row, Arrival_Departure: typeof direction === "object" ? direction : {} };
          }
        }
      },
      record(row): FaaRecord | LeftOut {
        if (row.section === "bulletin") return { kind: "bulletin", updatedAt: row.updatedAt };
        const programme = row as ProgrammeRow;
        const { ARPT: iata, updatedAt } = programme;
        const announced = announcementOf(programme);
        if (!announced) return new LeftOut("closure without effect on scheduled flights now");
        if (!airportByIata(iata)) return new LeftOut("airport not monitored");
        return { kind: "programme", iata, ...announced, reason: textOf(programme.Reason), updatedAt };
      },
    }),
  },
  ranges: flightRanges,
  observedAt: ({ updatedAt }) => updatedAt,
});

/** Collects all child elements with this name. A single element counts as a list of one. */
function membersOf(parents: XmlNode | readonly XmlNode[], name: string): readonly XmlNode[] {
  const nodes: readonly XmlNode[] = Array.isArray(parents) ? parents : [parents as XmlNode];
  return nodes.flatMap((node) => {
    const member = typeof node === "object" ? node[name] : undefined;
    return member === undefined ? [] : Array.isArray(member) ? (member as readonly XmlNode[]) : [member as XmlNode];
  });
}

type Announcement = Pick<FaaProgramme, "type" | "isClosure" | "minutes" | "isAssumed">;

/**
 * Parses the announcement of a row. Undefined for a closure that did not affect scheduled flights when the bulletin was
 * written.
 */
function announcementOf(row: ProgrammeRow): Announcement | undefined {
  const open = { isClosure: false };
  switch (row.section) {
    case "stop":
      return { ...open, type: "GROUND_STOP", minutes: assumedMinutes.stop, isAssumed: true };
    case "programme": {
      const average = minutesIn(row.Avg);
      return {
        ...open,
        type: "GROUND_DELAY",
        minutes: average ?? assumedMinutes.programme,
        isAssumed: average === undefined,
      };
    }
    case "delay": {
      const { "@Type": direction = "", Min, Max } = row.Arrival_Departure ?? {};
      const [min, max] = [minutesIn(Min), minutesIn(Max)];
      return {
        ...open,
        type: typeOfDirection(direction),
        minutes: Math.round(((min ?? assumedMinutes.delayMin) + (max ?? assumedMinutes.delayMax)) / 2),
        isAssumed: min === undefined || max === undefined,
      };
    }
    default:
      return isClosedNow(row)
        ? { isClosure: true, type: "GROUND_STOP", minutes: assumedMinutes.closure, isAssumed: true }
        : undefined;
  }
}

function typeOfDirection(direction: string): FaaProgramme["type"] {
  if (/^departure$/i.test(direction)) return "DEPARTURE_DELAY";
  return /^arrival$/i.test(direction) ? "ARRIVAL_DELAY" : "GENERAL";
}

/** Returns the text of an element; empty if the element is not plain text. */
function textOf(node: unknown): string {
  return typeof node === "string" ? node : "";
}

function isClosedNow({ Reason, Start, Reopen, updatedAt }: ProgrammeRow): boolean {
  const reason = textOf(Reason);
  if (isLimitedClosure(reason) || !isWithinHours(reason, updatedAt)) return false;
  if (Start === undefined && Reopen === undefined) return true;
  // `Start` and `Reopen` lack the year. The notice in `Reason` may state its validity with years.
  const validity = validityIn(reason) ?? validityWithoutYears(textOf(Start), textOf(Reopen), updatedAt);
  // An airport listed as closed stays closed even if the hours of its closure cannot be read.
  if (!validity) return true;
  return validity.startAt <= updatedAt && updatedAt < validity.endAt;
}

/** Parses a duration such as "2 hours and 59 minutes" to minutes; undefined for an empty text. */
function minutesIn(words: string | undefined): number | undefined {
  if (words === undefined || words === "") return undefined;
  const [match, hours = "0", minutes = "0"] =
    /^(?:(\d{1,3}) hours?)?(?: and )?(?:(\d{1,4}) minutes?)?$/i.exec(words.trim()) ?? [];
  if (!match) throw new BadRow(`"${words.slice(0, 40)}" is not a duration`);
  return Number(hours) * 60 + Number(minutes);
}

const UPDATE_TIME = /^\w{3} (\w{3}) (\d{1,2}) (\d{2}:\d{2}:\d{2}) (\d{4}) (?:GMT|UTC)$/;

/** Parses a time such as "Mon Oct 5 21:50:19 2026 GMT" to epoch ms. */
function updateTime(node: unknown): number {
  const [, month, day, time, year] = UPDATE_TIME.exec(typeof node === "string" ? node : "") ?? [];
  const at = Date.parse(`${day} ${month} ${year} ${time} GMT`);
  if (Number.isNaN(at))
    throw new SourceFailure("changed", "expected Update_Time, for example Mon Oct 5 21:50:19 2026 GMT");
  return at;
}

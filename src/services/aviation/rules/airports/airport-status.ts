import { type Airport, airports } from "../../../../geography/airports.js";
import type { AirportSample } from "../../sources/aviationstack-departures.js";
import type { FaaProgramme, FaaRecord } from "../../sources/faa-status.js";
import type { AirportNotice } from "../../sources/icao-notams.js";
import { isFaaAirport } from "./airport-coverage.js";

/** Summary of the NOTAMs in force at an airport. */
export interface NoticeStatus {
  readonly closure?: AirportNotice;
  readonly restriction?: AirportNotice;
  /** True if a readable NOTAM other than a closure or a restriction is in force. */
  readonly hasOthers: boolean;
  /** True if a NOTAM in force is unreadable. Such a NOTAM may close the airport. */
  readonly hasUnread: boolean;
  readonly readAt: number;
}

/** The data of all sources on one airport. The member of a source that has not answered is absent. */
export interface AirportStatus {
  readonly airport: Airport;
  /** The FAA's worst announcement. */
  readonly faa?: FaaProgramme;
  /** The time of the last FAA report that covers this airport, with or without an announcement. */
  readonly faaAt?: number;
  /** Absent if the sample has no flights. */
  readonly sample?: AirportSample;
  /** Absent if no NOTAM was read, or if the FAA covers the airport. */
  readonly notices?: NoticeStatus;
}

/** Returns the status of every monitored airport by its IATA code, in the order of the list of airports. */
export function airportStatuses(read: {
  readonly faa: readonly FaaRecord[];
  readonly samples: readonly AirportSample[];
  readonly notices: readonly AirportNotice[];
}): ReadonlyMap<string, AirportStatus> {
  const bulletin = read.faa.find(({ kind }) => kind === "bulletin");
  const programmes = byAirport(read.faa.filter((record) => record.kind === "programme"));
  const samples = new Map(
    read.samples.filter(({ totalFlights }) => totalFlights > 0).map((sample) => [sample.iata, sample]),
  );
  const notices = byAirport(read.notices.filter(({ isInForce }) => isInForce !== false));
  const noticesReadAt = read.notices[0]?.readAt;
  return new Map(
    airports.map((airport) => {
      const { iata } = airport;
      const faa = worstProgramme(programmes.get(iata) ?? []);
      const sample = samples.get(iata);
      const status: AirportStatus = {
        airport,
        ...(faa && { faa }),
        ...(bulletin && isFaaAirport(airport) && { faaAt: bulletin.updatedAt }),
        ...(sample && { sample }),
        ...(noticesReadAt !== undefined &&
          !isFaaAirport(airport) && { notices: noticeStatus(notices.get(iata) ?? [], noticesReadAt) }),
      };
      return [iata, status];
    }),
  );
}

/**
 * Returns the ground stop or closure if there is one, else the longest delay; undefined without announcements. The
 * minutes of a stop or closure are only assumed, so those of a longer announcement replace them.
 */
export function worstProgramme(programmes: readonly FaaProgramme[]): FaaProgramme | undefined {
  const byLength = programmes.toSorted((a, b) => b.minutes - a.minutes);
  // A closure also has the type GROUND_STOP. Its assumed minutes are more than those of a stop, so it comes first.
  const stop = byLength.find(({ type }) => type === "GROUND_STOP");
  const longest = byLength[0];
  return stop && longest ? { ...stop, minutes: longest.minutes, isAssumed: longest.isAssumed } : longest;
}

function noticeStatus(notices: readonly AirportNotice[], readAt: number): NoticeStatus {
  const first = (kind: AirportNotice["kind"]): AirportNotice | undefined =>
    notices.find((notice) => notice.kind === kind);
  const [closure, restriction] = [first("closure"), first("restriction")];
  return {
    ...(closure && { closure }),
    ...(restriction && { restriction }),
    hasOthers: first("other") !== undefined,
    hasUnread: first("unread") !== undefined,
    readAt,
  };
}

function byAirport<T extends { readonly iata: string }>(items: readonly T[]): ReadonlyMap<string, readonly T[]> {
  const groups = new Map<string, T[]>();
  for (const item of items) {
    const group = groups.get(item.iata);
    if (group) group.push(item);
    else groups.set(item.iata, [item]);
  }
  return groups;
}

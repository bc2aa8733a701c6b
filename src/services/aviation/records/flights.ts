import { type Static, Type } from "typebox";
import { epochMs } from "../../../contract/field.js";
import { memberOf } from "../../../kit/member-of.js";

export const Carrier = Type.Object(
  {
    iataCode: Type.Optional(Type.String({ description: "Absent when unknown" })),
    icaoCode: Type.Optional(Type.String({ description: "Absent when unknown" })),
    name: Type.Optional(Type.String({ description: "Absent when unknown" })),
  },
  { title: "Carrier", description: "An airline." },
);
export type Carrier = Static<typeof Carrier>;

const AirportRef = Type.Object(
  {
    iata: Type.Optional(Type.String({ description: "IATA code" })),
    icao: Type.Optional(Type.String({ description: "ICAO code" })),
    name: Type.Optional(Type.String({ description: "Name" })),
    timezone: Type.Optional(Type.String({ description: "IANA name" })),
  },
  { title: "AirportRef", description: "An airport of a flight." },
);
export type AirportRef = Static<typeof AirportRef>;

const flightStatuses = [
  "FLIGHT_INSTANCE_STATUS_UNSPECIFIED",
  "FLIGHT_INSTANCE_STATUS_SCHEDULED",
  "FLIGHT_INSTANCE_STATUS_BOARDING",
  "FLIGHT_INSTANCE_STATUS_DEPARTED",
  "FLIGHT_INSTANCE_STATUS_AIRBORNE",
  "FLIGHT_INSTANCE_STATUS_LANDED",
  "FLIGHT_INSTANCE_STATUS_ARRIVED",
  "FLIGHT_INSTANCE_STATUS_CANCELLED",
  "FLIGHT_INSTANCE_STATUS_DIVERTED",
  "FLIGHT_INSTANCE_STATUS_UNKNOWN",
] as const;
export type FlightStatus = (typeof flightStatuses)[number];

const time = (description: string) => Type.Optional(epochMs(description));

/** One flight on one day. */
export const FlightInstance = Type.Object(
  {
    actualArrival: time("Actual arrival"),
    actualDeparture: time("Actual departure"),
    aircraftIcao24: Type.Optional(Type.String({ description: "24-bit address in lower-case hexadecimal" })),
    aircraftType: Type.Optional(Type.String({ description: "Type designator" })),
    cancelled: Type.Optional(
      Type.Boolean({ description: "True if cancelled; absent if the source reports no status" }),
    ),
    codeshareFlightNumbers: Type.Array(Type.String(), {
      description: "For a codeshare, the operating carrier's flight number if known; otherwise empty",
    }),
    date: Type.String({ description: "Day of departure at the departure airport, YYYY-MM-DD" }),
    delayMinutes: Type.Optional(
      Type.Integer({
        format: "int32",
        description: "Delay of the departure, else of the arrival, in minutes; 0 if on time or early",
      }),
    ),
    destination: AirportRef,
    diverted: Type.Optional(
      Type.Boolean({ description: "True if diverted to another airport; absent if the source reports no status" }),
    ),
    estimatedArrival: time("Expected arrival"),
    estimatedDeparture: time("Expected departure"),
    flightNumber: Type.String({ description: "IATA flight number" }),
    gate: Type.Optional(Type.String({ description: "Gate at the departure airport" })),
    operatingCarrier: Carrier,
    origin: AirportRef,
    scheduledArrival: time("Scheduled arrival"),
    scheduledDeparture: time("Scheduled departure"),
    source: Type.String({ description: "Source of the row" }),
    status: Type.Enum([...flightStatuses], {
      description: "Status that the source reports; UNKNOWN if it reports none or one that this service does not know",
    }),
    terminal: Type.Optional(Type.String({ description: "Terminal of the departure airport" })),
    updatedAt: epochMs("Time at which the schedule was read"),
  },
  { title: "FlightInstance" },
);
export type FlightInstance = Static<typeof FlightInstance>;

/** A flight of the schedule, without the time at which the schedule was read. */
export interface ScheduledFlight extends Omit<FlightInstance, "updatedAt"> {
  /** True for a codeshare: another carrier operates the flight and has its own row. */
  readonly isCodeshare: boolean;
  /** Minutes late at departure; absent if the source does not give it. */
  readonly departureDelayMinutes?: number;
}

const statusOf: Readonly<Record<string, FlightStatus>> = {
  scheduled: "FLIGHT_INSTANCE_STATUS_SCHEDULED",
  active: "FLIGHT_INSTANCE_STATUS_AIRBORNE",
  landed: "FLIGHT_INSTANCE_STATUS_LANDED",
  cancelled: "FLIGHT_INSTANCE_STATUS_CANCELLED",
  diverted: "FLIGHT_INSTANCE_STATUS_DIVERTED",
};

/** Maps the schedule's status words to those of the contract. Any other word, such as `incident`, becomes UNKNOWN. */
export function flightStatus(word: string | null | undefined): FlightStatus {
  return memberOf(statusOf, word ?? "") ?? "FLIGHT_INSTANCE_STATUS_UNKNOWN";
}

export function served(scheduled: ScheduledFlight, updatedAt: number): FlightInstance {
  const { isCodeshare: _, departureDelayMinutes: __, ...flight } = scheduled;
  return { ...flight, updatedAt };
}

/** Normalizes a code for comparison: trimmed, in upper case. */
export function inUpperCase(text: string): string {
  return text.trim().toUpperCase();
}

/** Normalizes an IATA airport code to upper case; undefined for any other text. */
export function iataCode(text: string): string | undefined {
  const code = text.trim().toUpperCase();
  return /^[A-Z]{3}$/.test(code) ? code : undefined;
}

/** Normalizes a flight number: removes spaces and leading zeros. Undefined if the text is not a flight number. */
export function flightNumber(text: string): string | undefined {
  const match = /^([A-Z0-9]{2}|[A-Z]{3})0*(\d{1,4}[A-Z]?)$/.exec(text.replace(/\s+/g, "").toUpperCase());
  const [, carrier = "", number = ""] = match ?? [];
  return match && /[A-Z]/.test(carrier) ? carrier + number : undefined;
}

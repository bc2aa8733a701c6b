import { Type } from "typebox";
import { epochMs } from "../../../contract/field.js";
import { operation } from "../../../contract/operation.js";
import { normalText } from "../../../contract/query-field.js";
import { decimal } from "../../../contract/value-fields.js";
import { MINUTE_MS, SECOND_MS } from "../../../kit/clock.js";
import { inUpperCase } from "../records/flights.js";
import { type PositionPlan, PositionSample } from "../records/positions.js";
import { type Box, boxOf, isInside } from "../rules/box.js";
import { answeredAt, readOf } from "../rules/read-state.js";
import { adsbLol } from "../sources/adsb-lol.js";
import { opensky } from "../sources/opensky.js";

interface Query {
  readonly icao24: string;
  readonly callsign: string;
  readonly swLat: number;
  readonly swLon: number;
  readonly neLat: number;
  readonly neLon: number;
}

/** Returns the search that a query requests. An address takes precedence over a callsign, a callsign over a box. */
function soughtBy(query: Query): PositionPlan | "nothing" | "invalid" {
  const { icao24, callsign } = query;
  if (icao24 !== "") return /^~?[0-9a-f]{6}$/.test(icao24) ? { icao24 } : "invalid";
  if (callsign !== "") return /^[A-Z0-9]{2,8}$/.test(callsign) ? { callsign } : "invalid";
  const { swLat, swLon, neLat, neLon } = query;
  if ([swLat, swLon, neLat, neLon].every((degrees) => degrees === 0)) return "nothing";
  const box = boxOf([swLat, swLon], [neLat, neLon]);
  return box ? { box } : "invalid";
}

const positions = {
  source: adsbLol,
  alternatives: [opensky],
  missTtlMs: 10 * SECOND_MS,
  timeLimitMs: 9 * SECOND_MS,
  staleWhileErrorMs: 5 * MINUTE_MS,
  errorTtlMs: 5 * SECOND_MS,
};

function planFor(kind: "icao24" | "callsign" | "box"): (query: Query) => PositionPlan | undefined {
  return (query) => {
    const sought = soughtBy(query);
    return typeof sought === "object" && kind in sought ? sought : undefined;
  };
}

/** The last reported position of an aircraft, or of every aircraft in a box. Sources: adsb.lol, OpenSky. */
export const trackAircraft = operation({
  rpc: "track-aircraft",
  summary: "Positions of an aircraft by address or callsign, or of all aircraft in a box",
  description:
    "Newest positions by `icao24`, else by `callsign`, else in the box, which may cross the antimeridian. Positions by `callsign` are reused for one minute, other positions for two minutes. `source` names the network, or `none` (no receiver reports a matching aircraft, or the query names nothing to search for), `invalid` (bad address, callsign or box), `error` (no provider could be reached), `budget` (no calls left) or `unavailable` (no provider is configured).",
  cache: "no-store",
  reads: {},
  fetches: {
    byAddress: { ...positions, name: "aircraft by address", ttlMs: 2 * MINUTE_MS, plan: planFor("icao24") },
    byCallsign: { ...positions, name: "aircraft by callsign", ttlMs: MINUTE_MS, plan: planFor("callsign") },
    inBox: { ...positions, name: "aircraft in a box", ttlMs: 2 * MINUTE_MS, plan: planFor("box") },
  },
  query: {
    icao24: normalText("24-bit address in hexadecimal (case-insensitive)", (raw) => raw.trim().toLowerCase()),
    callsign: normalText("Callsign (case-insensitive); not used when `icao24` is given", inUpperCase),
    swLat: decimal("Southern edge of the box, degrees", { min: -90, max: 90 }),
    swLon: decimal("Western edge of the box, degrees", { min: -180, max: 180 }),
    neLat: decimal("Northern edge of the box, degrees", { min: -90, max: 90 }),
    neLon: decimal("Eastern edge of the box, degrees", { min: -180, max: 180 }),
  },
  response: Type.Object(
    {
      positions: Type.Array(PositionSample, { description: "Newest position of each aircraft" }),
      source: Type.String({ description: "adsb-lol, opensky, simulated, none, invalid, error, budget or unavailable" }),
      updatedAt: epochMs("Time of the read; 0 without data"),
    },
    { title: "TrackAircraftResponse" },
  ),
  examples: [
    { sw_lat: "45", sw_lon: "5", ne_lat: "50", ne_lon: "11" },
    { icao24: "3c6444" },
    { callsign: "VGL100" },
    { sw_lat: "45", sw_lon: "5", ne_lat: "50", ne_lon: "11", jmespath: "positions[].[callsign, altitudeM]" },
  ],
  run(query, _snapshots, { observations: { byAddress, byCallsign, inBox }, simulated }) {
    const sought = soughtBy(query);
    const observation = [byAddress, byCallsign, inBox].find(({ state }) => state !== "not-asked");
    if (sought === "invalid" || observation === undefined) {
      return { positions: [], source: sought === "invalid" ? "invalid" : "none", updatedAt: 0 };
    }
    const updatedAt = answeredAt([observation]);
    const read = readOf(observation);
    if (typeof read === "string") return { positions: [], source: read, updatedAt };
    const positions = within(read, typeof sought === "object" && "box" in sought ? sought.box : undefined);
    if (positions.length === 0) return { positions: [], source: "none", updatedAt };
    if (simulated) {
      const labelled = positions.map((position) => ({ ...position, source: "POSITION_SOURCE_SIMULATED" as const }));
      return { positions: labelled, source: "simulated", updatedAt };
    }
    return { positions: [...positions], source: providerOf(positions), updatedAt };
  },
});

/** Drops positions outside the box, because adsb.lol reports all positions in the circle around the box. */
function within(samples: readonly PositionSample[], box: Box | undefined): readonly PositionSample[] {
  return box ? samples.filter((sample) => isInside(box, sample)) : samples;
}

function providerOf([first]: readonly PositionSample[]): string {
  return first?.source === "POSITION_SOURCE_OPENSKY" ? "opensky" : "adsb-lol";
}

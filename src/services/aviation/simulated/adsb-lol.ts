import {
  rewriteMiddle,
  type SimulatedAnswer,
  type SimulatedRequest,
  simulatedUpstream,
} from "../../../simulator/upstream.js";
import { type AircraftState, aircraftAt } from "./models/aircraft.js";

/**
 * Simulates the open ADS-B network, which returns aircraft by address or callsign, or within a circle. The radius of
 * the circle is at most 250 nautical miles.
 */
export const upstream = simulatedUpstream({
  name: "adsb-lol",
  routes: [
    {
      host: "api.adsb.lol",
      path: "/v2/*",
      handle: answerAircraft,
      variants: {
        changed: (json) => json.replace('"ac":', '"aircraft":'),
        empty: (json) => json.replace(/"ac":\[.*?\n\]/s, '"ac":[\n]').replace(/"total": \d+/, '"total": 0'),
        badRow: (json) => rewriteMiddle(json, /"hex":"[^"]*"/g, () => '"hex":"nonsense"'),
      },
    },
  ],
});

const RADIUS_NM_MAX = 250;
const EARTH_RADIUS_NM = 3_440.065;

function answerAircraft({ url, clock, seed }: SimulatedRequest): SimulatedAnswer {
  const isSought = sought(url.pathname.split("/").slice(2).map(decodeURIComponent));
  if (!isSought) return { status: 404, contentType: "application/json", body: '{"detail":"Not Found"}' };
  const now = clock.now();
  const rows = aircraftAt(seed, now).flatMap((state, index) => (isSought(state) ? [rowOf(state, index)] : []));
  const tail = { msg: '"No error"', now, total: rows.length, ctime: now, ptime: 0 };
  const members = Object.entries(tail).map(([name, value]) => `,"${name}": ${value}`);
  return {
    status: 200,
    contentType: "application/json",
    body: `{"ac":[\n${rows.map((row) => JSON.stringify(row)).join(",\n")}\n]\n${members.join("\n")}\n}\n`,
  };
}

type Sought = (state: AircraftState) => boolean;

function sought([kind, first = "", , lon = "", , radius = ""]: readonly string[]): Sought | undefined {
  if (kind === "hex") return ({ icao24 }) => icao24 === first.toLowerCase();
  if (kind === "callsign") return ({ callsign }) => callsign === first.toUpperCase();
  if (kind !== "lat") return undefined;
  const limit = Math.min(Number(radius), RADIUS_NM_MAX);
  return (state) => distanceNm(state, { lat: Number(first), lon: Number(lon) }) <= limit;
}

/** Builds a row in the real layout: unknown values are absent, the callsign is padded, the altitude may be "ground". */
function rowOf(state: AircraftState, index: number): object {
  const isForeign = index % 41 === 40;
  const { onGround, feet, knots, track, feetPerMinute, lat, lon } = state;
  return {
    hex: isForeign ? `~${state.icao24}` : state.icao24,
    type: isForeign ? "tisb_other" : "adsb_icao",
    ...(index % 29 !== 28 && { flight: state.callsign.padEnd(8) }),
    ...(!isForeign && { r: state.registration, t: "A320" }),
    ...(index % 37 !== 36 && { alt_baro: onGround ? "ground" : feet }),
    ...(!onGround && { alt_geom: feet + 150 }),
    gs: knots,
    ...(onGround ? { true_heading: track } : { track, baro_rate: feetPerMinute }),
    squawk: "1000",
    emergency: "none",
    category: "A3",
    lat,
    lon,
    nic: 8,
    rc: 186,
    seen_pos: 0.3 + (index % 50) / 10,
    version: 2,
    mlat: [],
    tisb: [],
    messages: 1_000 + index,
    seen: 0.1,
    rssi: -15.5,
  };
}

function distanceNm(a: { lat: number; lon: number }, b: { lat: number; lon: number }): number {
  const radians = (degrees: number): number => (degrees * Math.PI) / 180;
  const [from, to] = [radians(a.lat), radians(b.lat)];
  const h = Math.sin((to - from) / 2) ** 2 + Math.cos(from) * Math.cos(to) * Math.sin(radians(b.lon - a.lon) / 2) ** 2;
  return 2 * EARTH_RADIUS_NM * Math.asin(Math.min(1, Math.sqrt(h)));
}

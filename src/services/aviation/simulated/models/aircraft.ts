import { HOUR_MS, MINUTE_MS } from "../../../../kit/clock.js";
import { places } from "../../../../simulator/models/places.js";
import { rememberPerSeed, streamFor } from "../../../../simulator/models/random-stream.js";

/** An aircraft that shuttles between two places. */
interface Aircraft {
  readonly icao24: string;
  readonly callsign: string;
  readonly registration: string;
  readonly from: Position;
  readonly to: Position;
  readonly legMs: number;
  readonly aheadMs: number;
  readonly cruiseFeet: number;
  readonly knots: number;
}

interface Position {
  readonly lat: number;
  readonly lon: number;
}

export interface AircraftState extends Position {
  readonly icao24: string;
  readonly callsign: string;
  readonly registration: string;
  readonly onGround: boolean;
  readonly feet: number;
  readonly knots: number;
  readonly track: number;
  readonly feetPerMinute: number;
}

const FLEET = 600;
const CLIMB_MS = 20 * MINUTE_MS;
/** Ground time at each end of a leg. */
const GROUND_MS = 10 * MINUTE_MS;

const fleetOf = rememberPerSeed((seed) => Array.from({ length: FLEET }, (_, index) => aircraftOf(seed, index)));

/** Returns the position of every simulated aircraft at an instant. */
export function aircraftAt(seed: number, now: number): readonly AircraftState[] {
  return fleetOf(seed).map((aircraft) => stateOf(aircraft, now));
}

function aircraftOf(seed: number, index: number): Aircraft {
  const random = streamFor(seed, `aircraft ${index}`);
  const near = (): Position => {
    const place = places[Math.floor(random() * places.length)];
    const { latitude = 0, longitude = 0 } = place ?? {};
    return { lat: latitude + (random() - 0.5) * 4, lon: longitude + (random() - 0.5) * 4 };
  };
  const from = near();
  const to = near();
  const knots = 380 + random() * 110;
  const degrees = Math.hypot(to.lat - from.lat, shortest(to.lon - from.lon));
  const legMs = Math.max(HOUR_MS, ((degrees * 60) / knots) * HOUR_MS) + 2 * GROUND_MS;
  // The example of `track-aircraft` asks for the aircraft `3c6444`.
  const icao24 = index === 1 ? "3c6444" : (0x100000 + Math.floor(random() * 0xd00000)).toString(16);
  return {
    icao24,
    callsign: `VGL${100 + index}`,
    registration: `V-${String(index).padStart(4, "0")}`,
    from,
    to,
    legMs,
    aheadMs: random() * legMs * 2,
    knots,
    cruiseFeet: 30_000 + Math.floor(random() * 12) * 1_000,
  };
}

function stateOf({ from, to, legMs, aheadMs, cruiseFeet, knots, ...names }: Aircraft, now: number): AircraftState {
  const within = (now + aheadMs) % (2 * legMs);
  const isReturning = within >= legMs;
  const [start, end] = isReturning ? [to, from] : [from, to];
  const legAt = within % legMs;
  const airMs = legMs - 2 * GROUND_MS;
  const flownMs = Math.min(Math.max(legAt - GROUND_MS, 0), airMs);
  const onGround = flownMs === 0 || flownMs === airMs;
  const ratio = flownMs / airMs;
  const [north, east] = [end.lat - start.lat, shortest(end.lon - start.lon)];
  const profile = Math.min(1, flownMs / CLIMB_MS, (airMs - flownMs) / CLIMB_MS);
  const rate = Math.round(cruiseFeet / (CLIMB_MS / MINUTE_MS) / 64) * 64;
  const isClimbing = flownMs < CLIMB_MS;
  return {
    ...names,
    lat: Number((start.lat + north * ratio).toFixed(6)),
    lon: Number(wrapped(start.lon + east * ratio).toFixed(6)),
    onGround,
    feet: Math.round((cruiseFeet * profile) / 25) * 25,
    knots: Number((onGround ? 0 : knots * (0.4 + 0.6 * profile)).toFixed(1)),
    track: Number((((Math.atan2(east, north) * 180) / Math.PI + 360) % 360).toFixed(2)) % 360,
    feetPerMinute: onGround || profile === 1 ? 0 : isClimbing ? rate : -rate,
  };
}

/** Converts a difference between longitudes to the shorter way around the globe, -180 to 180 degrees. */
function shortest(degrees: number): number {
  return ((degrees + 540) % 360) - 180;
}

function wrapped(lon: number): number {
  return shortest(lon);
}

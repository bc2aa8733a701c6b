import { HOUR_MS } from "../../../../kit/clock.js";
import { places } from "../../../../simulator/models/places.js";
import { streamFor } from "../../../../simulator/models/random-stream.js";

/** A simulated earthquake. */
export interface SimulatedQuake {
  readonly id: number;
  /** Origin time, epoch ms. */
  readonly at: number;
  readonly latitude: number;
  readonly longitude: number;
  readonly depthKm: number;
  readonly magnitude: number;
  readonly place: string;
  readonly isInCanada: boolean;
}

/** Length of a period. One event occurs in each period. */
const SPAN_MS = 2 * HOUR_MS;

const directions = ["N", "NNE", "ESE", "S", "WSW", "NW"];

/** A place next to a former nuclear test site, so that the demo includes earthquakes marked as `nearTestSite`. */
const TEST_SITE = { name: "Simulated station, Kazakhstan", latitude: 50.2, longitude: 77.9 };
const TEST_SITE_EVERY = 40;

/** A sea area off Canada that both the USGS and Natural Resources Canada cover. */
const CANADA = { name: "Port Alice, BC", latitude: 50.1, longitude: -129.4 };
const CANADA_EVERY = 9;

/** Returns the events of the last `spanMs` milliseconds before `now`, oldest first. */
export function quakesUntil(seed: number, now: number, spanMs: number): readonly SimulatedQuake[] {
  const first = Math.ceil((now - spanMs) / SPAN_MS);
  const last = Math.floor(now / SPAN_MS);
  return Array.from({ length: last - first + 1 }, (_, index) => quakeOf(seed, first + index))
    .filter(({ at }) => at <= now)
    .sort((a, b) => a.at - b.at);
}

function quakeOf(seed: number, id: number): SimulatedQuake {
  const random = streamFor(seed, `quake ${id}`);
  const isInCanada = id % CANADA_EVERY === 0;
  const isAtTestSite = id % TEST_SITE_EVERY === 1;
  const listed = places[Math.floor(random() * places.length)] ?? CANADA;
  const centre = isInCanada ? CANADA : isAtTestSite ? TEST_SITE : listed;
  const km = 10 + Math.floor(random() * 80);
  const direction = directions[Math.floor(random() * directions.length)] ?? "N";
  // Each additional unit of magnitude makes events ten times rarer.
  const magnitude = Math.min(8.2, 4.5 - Math.log10(1 - random() * 0.999));
  return {
    id,
    at: id * SPAN_MS + Math.floor(random() * SPAN_MS),
    latitude: rounded(centre.latitude + (random() - 0.5) / 2, 4),
    longitude: rounded(centre.longitude + (random() - 0.5) / 2, 4),
    depthKm: random() < 0.6 ? 10 : rounded(5 + random() ** 3 * 600, 1),
    magnitude: rounded(magnitude, 1),
    place: `${km} km ${direction} of ${centre.name}`,
    isInCanada,
  };
}

function rounded(value: number, digits: number): number {
  return Number(value.toFixed(digits));
}

import { createRequire } from "node:module";
import { feature } from "topojson-client";
import { alpha2OfNumber } from "./countries.js";

type Ring = readonly (readonly [longitude: number, latitude: number])[];

/**
 * The borders of a country as rings. The even-odd rule decides which points are inside, so the rings of holes need no
 * mark.
 */
interface Borders {
  readonly code: string;
  readonly pieces: readonly { readonly rings: readonly Ring[]; readonly box: Box }[];
}

interface Box {
  readonly west: number;
  readonly east: number;
  readonly south: number;
  readonly north: number;
}

export interface Position {
  readonly latitude: number;
  readonly longitude: number;
}

const require = createRequire(import.meta.url);
let loaded: readonly Borders[] | undefined;

/**
 * Alpha-2 code of the country whose land contains the position. If there is no such country and `nearKm` is given, the
 * code of the country with the nearest land within that many kilometres. The borders are those of Natural Earth at 1:50
 * million, and are loaded on the first call.
 */
export function countryAt({ latitude, longitude }: Position, nearKm = 0): string | undefined {
  if (!(Math.abs(latitude) <= 90) || !Number.isFinite(longitude)) return undefined;
  const position = { latitude, longitude: ((((longitude + 180) % 360) + 360) % 360) - 180 };
  loaded ??= loadBorders();
  const spellings = turns.map((turn) => ({ latitude, longitude: position.longitude + turn }));
  const containing = loaded.find(({ pieces }) =>
    pieces.some((piece) => spellings.some((spelling) => contains(piece, spelling))),
  );
  if (containing) return containing.code;
  return nearKm > 0 ? nearest(loaded, position, nearKm) : undefined;
}

/** Degrees to add to a longitude, because the rings of a country may continue beyond the date line. */
const turns = [-360, 0, 360];

function contains({ rings, box }: Borders["pieces"][number], { latitude, longitude }: Position): boolean {
  if (longitude < box.west || longitude > box.east || latitude < box.south || latitude > box.north) return false;
  let isInside = false;
  for (const ring of rings) {
    let before: Ring[number] | undefined;
    for (const point of ring) {
      if (before && before[1] > latitude !== point[1] > latitude) {
        const along = (latitude - before[1]) / (point[1] - before[1]);
        if (longitude < (point[0] - before[0]) * along + before[0]) isInside = !isInside;
      }
      before = point;
    }
  }
  return isInside;
}

const KM_PER_DEGREE = 111.2;
const RADIANS = Math.PI / 180;

function nearest(all: readonly Borders[], from: Position, nearKm: number): string | undefined {
  const reach = nearKm / KM_PER_DEGREE;
  const sideways = longitudesWithin(from.latitude, reach);
  let best: { readonly code: string; readonly degrees: number } | undefined;
  for (const { code, pieces } of all) {
    for (const piece of pieces) {
      for (const turn of turns) {
        const longitude = from.longitude + turn;
        if (!isWithin(piece.box, { latitude: from.latitude, longitude }, reach, sideways)) continue;
        const degrees = distanceTo(piece.rings, from.latitude, longitude);
        if (degrees <= reach && degrees < (best?.degrees ?? Number.POSITIVE_INFINITY)) best = { code, degrees };
      }
    }
  }
  return best?.code;
}

/**
 * Half the width, in degrees of longitude, of a circle with a radius of `reach` degrees around a point at this
 * latitude; 180 if the circle contains a pole.
 */
function longitudesWithin(latitude: number, reach: number): number {
  if (Math.abs(latitude) + reach >= 90) return 180;
  return Math.asin(Math.sin(reach * RADIANS) / Math.cos(latitude * RADIANS)) / RADIANS;
}

function isWithin(box: Box, { latitude, longitude }: Position, reach: number, sideways: number): boolean {
  return (
    latitude >= box.south - reach &&
    latitude <= box.north + reach &&
    longitude >= box.west - sideways &&
    longitude <= box.east + sideways
  );
}

/** Distance to the nearest border in degrees of a great circle. */
function distanceTo(rings: readonly Ring[], latitude: number, longitude: number): number {
  const cosine = Math.cos(latitude * RADIANS);
  let least = 1;
  for (const ring of rings) {
    let before: Ring[number] | undefined;
    for (const point of ring) {
      if (before) {
        const shrink = Math.cos(((latitude + (before[1] + point[1]) / 2) / 2) * RADIANS);
        // The nearest point of the segment, computed on a plane, which is accurate for short segments.
        const [dx, dy] = [(point[0] - before[0]) * shrink, point[1] - before[1]];
        const length = dx * dx + dy * dy;
        const towards = (longitude - before[0]) * shrink * dx + (latitude - before[1]) * dy;
        const along = length === 0 ? 0 : Math.min(1, Math.max(0, towards / length));
        const [lng, lat] = [before[0] + along * (point[0] - before[0]), before[1] + along * dy];
        const [north, east] = [Math.sin(((lat - latitude) / 2) * RADIANS), Math.sin(((lng - longitude) / 2) * RADIANS)];
        least = Math.min(least, north * north + cosine * Math.cos(lat * RADIANS) * east * east);
      }
      before = point;
    }
  }
  return (2 * Math.asin(Math.sqrt(least))) / RADIANS;
}

/**
 * Alpha-2 codes of map features without a numeric code. A feature without a numeric code that is not listed here is
 * omitted.
 */
const unnumbered: Readonly<Record<string, string>> = { Kosovo: "XK", Somaliland: "SO", "N. Cyprus": "CY" };

interface Feature {
  readonly id?: string | number;
  readonly properties: { readonly name: string };
  readonly geometry:
    | { readonly type: "Polygon"; readonly coordinates: readonly Ring[] }
    | { readonly type: "MultiPolygon"; readonly coordinates: readonly (readonly Ring[])[] };
}

function loadBorders(): readonly Borders[] {
  const atlas = require("world-atlas/countries-50m.json");
  const countries: unknown = feature(atlas, atlas.objects.countries);
  const { features } = countries as { readonly features: readonly Feature[] };
  return features.flatMap(({ id, properties, geometry }) => {
    const code = id === undefined ? unnumbered[properties.name] : alpha2OfNumber(String(id));
    if (code === undefined) return [];
    const polygons = geometry.type === "Polygon" ? [geometry.coordinates] : geometry.coordinates;
    return { code, pieces: polygons.map(pieceOf) };
  });
}

function pieceOf(polygon: readonly Ring[]): Borders["pieces"][number] {
  const rings = polygon.map(unwrapped);
  // The box includes all rings, because Antarctica's outer ring is stretched along the pole and its coast is one of the
  // holes.
  return { rings, box: boxOf(rings.flat()) };
}

/** Joins the pieces of a ring that crosses the date line. Closes a ring that goes round the globe along the pole. */
function unwrapped(ring: Ring): Ring {
  let turn = 0;
  const points = ring.map(([longitude, latitude], index): Ring[number] => {
    const step = longitude - (ring[index - 1]?.[0] ?? longitude);
    // The edge along a pole does not count as a crossing of the date line.
    if (Math.abs(step) > 180 && Math.abs(latitude) < 89) turn -= Math.sign(step) * 360;
    return [longitude + turn, latitude];
  });
  const [first, last] = [points[0], points.at(-1)];
  if (!first || !last || Math.abs(last[0] - first[0]) < 180) return points;
  const pole = Math.sign(first[1]) * 90;
  return [...points, [last[0], pole], [first[0], pole], first];
}

function boxOf(ring: Ring): Box {
  const [longitudes, latitudes] = [ring.map(([longitude]) => longitude), ring.map(([, latitude]) => latitude)];
  return {
    west: Math.min(...longitudes),
    east: Math.max(...longitudes),
    south: Math.min(...latitudes),
    north: Math.max(...latitudes),
  };
}

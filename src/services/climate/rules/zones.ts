/** A region represented by one point in it. */
export interface Zone {
  /** For request keys and provenance. */
  readonly id: string;
  readonly name: string;
  readonly latitude: number;
  readonly longitude: number;
  /** True if no anomalies are served without this zone. */
  readonly isMandatory: boolean;
}

const zone = (name: string, latitude: number, longitude: number): Zone => ({
  name,
  latitude,
  longitude,
  id: name.toLowerCase().replaceAll(" ", "-"),
  isMandatory: false,
});
const mandatory = (name: string, latitude: number, longitude: number): Zone => ({
  ...zone(name, latitude, longitude),
  isMandatory: true,
});

export const zones: readonly Zone[] = [
  zone("Ukraine", 48.4, 31.2),
  zone("Europe", 50.1, 9.7),
  zone("East Asia", 34.8, 113.6),
  zone("Middle East", 33.3, 44.4),
  zone("Sahel", 14.5, 2.1),
  zone("Horn of Africa", 6.5, 44.0),
  zone("South Asia", 25.4, 81.8),
  zone("California", 36.7, -119.8),
  zone("Amazon", -3.1, -60.0),
  zone("Australia", -25.3, 133.8),
  zone("Mediterranean", 37.5, 15.1),
  zone("Taiwan Strait", 24.4, 119.3),
  zone("Myanmar", 21.9, 96.1),
  zone("Central Africa", 4.4, 18.6),
  zone("Southern Africa", -24.7, 25.9),
  zone("Central Asia", 41.3, 64.6),
  zone("Latin America", -16.5, -64.0),
  zone("Caribbean", 18.4, -70.0),
  mandatory("Arctic", 78.2, 15.6),
  mandatory("Greenland", 70.0, -45.0),
  mandatory("Western Antarctic Ice Sheet", -79.5, -112.1),
  mandatory("Tibetan Plateau", 31.5, 92.1),
  mandatory("Congo Basin", -0.7, 21.5),
  mandatory("Coral Triangle", -3.7, 128.2),
  mandatory("North Atlantic", 50.0, -30.0),
];

const ZONES_MIN = 17;

export const coverageRule = `at least ${ZONES_MIN} of the ${zones.length} zones, including each of these: ${zones
  .filter(({ isMandatory }) => isMandatory)
  .map(({ name }) => name)
  .join(", ")}`;

/** Returns the reason why these zones are too few for a global picture, or undefined if they suffice. */
export function lackOfZones(covered: ReadonlySet<string>): string | undefined {
  const absent = zones.filter(({ id, isMandatory }) => isMandatory && !covered.has(id));
  if (absent.length > 0) return `no data for ${absent.map(({ name }) => name).join(", ")}`;
  const count = zones.filter(({ id }) => covered.has(id)).length;
  return count < ZONES_MIN ? `only ${count} of ${zones.length} zones; at least ${ZONES_MIN} are needed` : undefined;
}

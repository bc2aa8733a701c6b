import type { Random } from "../../../../kit/random.js";
import { type Place, places } from "../../../../simulator/models/places.js";

/** Countries with simulated violence. */
const codes = new Set("AFG BFA CAF COD COL ETH IRQ MLI MMR NER NGA PAK SDN SOM SSD SYR TCD UKR YEM".split(" "));
export const violentPlaces: readonly Place[] = places.filter(({ alpha3 }) => codes.has(alpha3));

const armies = ["Military Forces", "Police Forces", "Border Guards"];
const groups = ["Northern Front", "Liberation Army", "Communal Militia", "Unidentified Armed Group"];

/** A violent event between two sides. */
export interface Incident {
  readonly place: Place;
  /** Number of the first-level division, 1 to 9. Divisions with higher numbers lie farther north. */
  readonly division: number;
  readonly latitude: number;
  readonly longitude: number;
  readonly sides: readonly [string, string];
  readonly deaths: number;
}

export function incidentFrom(random: Random): Incident {
  const place = violentPlaces[Math.floor(random() * violentPlaces.length)] as Place;
  const division = 1 + Math.floor(random() * 9);
  const round = (degrees: number): number => Math.round(degrees * 1e4) / 1e4;
  return {
    place,
    division,
    latitude: round(place.latitude + 0.2 * (division - 5)),
    longitude: round(place.longitude + random() - 0.5),
    sides: [
      `${armies[Math.floor(random() * armies.length)]} of ${place.name}`,
      groups[Math.floor(random() * groups.length)] ?? "",
    ],
    deaths: Math.floor(12 * random() ** 4),
  };
}

import { distanceKm } from "../../../geography/distance.js";
import type { ConcernLevel, Earthquake, StoredEarthquake } from "../records.js";

interface TestSite {
  readonly name: string;
  readonly latitude: number;
  readonly longitude: number;
}

const site = (name: string, latitude: number, longitude: number): TestSite => ({ name, latitude, longitude });

/** Sites of nuclear tests. */
const testSites: readonly TestSite[] = [
  site("Lop Nur", 40.81, 89.79),
  site("Punggye-ri", 41.28, 129.09),
  site("Novaya Zemlya", 73.37, 54.78),
  site("Nevada", 37.12, -116.05),
  site("Semipalatinsk", 50.38, 77.78),
  site("Moruroa", -21.83, -138.92),
  site("Fangataufa", -22.25, -138.75),
  site("Reggane", 26.31, -0.06),
  site("In Eker", 24.06, 5.05),
  site("Pokhran", 27.08, 71.75),
  site("Chagai", 28.43, 63.86),
];

const RADIUS_KM = 100;
const DEEP_KM = 100;
const MAGNITUDE_MAX = 9;

const levels: readonly (readonly [level: ConcernLevel, scoreMin: number])[] = [
  ["critical", 75],
  ["elevated", 50],
  ["moderate", 25],
];

/**
 * Marks an earthquake within 100 km of a test site, with the name of the site and a score of concern. Returns any other
 * earthquake unchanged. An unknown depth is treated as deep.
 */
export function withTestSite(earthquake: StoredEarthquake): Earthquake {
  const { location, magnitude, depthKm = DEEP_KM } = earthquake;
  if (!location) return earthquake;
  const [nearest] = testSites
    .map(({ name, ...position }) => ({ name, km: distanceKm(location, position) }))
    .filter(({ km }) => km <= RADIUS_KM)
    .sort((a, b) => a.km - b.km);
  if (!nearest) return earthquake;
  const nearness = (RADIUS_KM - nearest.km) / RADIUS_KM;
  const shallowness = Math.min(1, Math.max(0, 1 - depthKm / DEEP_KM));
  const score = 100 * ((0.6 * magnitude) / MAGNITUDE_MAX + 0.25 * nearness + 0.15 * shallowness);
  const concernScore = Math.min(100, Math.max(0, Math.round(score * 10) / 10));
  return {
    ...earthquake,
    nearTestSite: true,
    testSiteName: nearest.name,
    concernScore,
    concernLevel: levels.find(([, scoreMin]) => concernScore >= scoreMin)?.[0] ?? "low",
  };
}

import type { AirQualityStation } from "../records.js";

/** The highest PM2.5 concentration (µg/m³) and the highest index of each class, as the US EPA defines them. */
const BREAKPOINTS = [
  [12.0, 50],
  [35.4, 100],
  [55.4, 150],
  [150.4, 200],
  [250.4, 300],
  [350.4, 400],
  [500.4, 500],
] as const;
const INDEX_MAX = 500;
/** A class begins one index step, and a tenth of a microgram, above the end of the previous class. */
const STEP = { concentration: 0.1, index: 1 };

/**
 * Computes the US air quality index of a PM2.5 concentration. The concentration is first truncated to a tenth of a
 * microgram.
 */
export function aqiOfPm25(pm25: number): number {
  // The addend corrects binary errors such as 0.3 * 10 = 3.0000000000000004.
  const concentration = Math.floor(pm25 * 10 + 1e-6) / 10;
  let low = { concentration: 0, index: 0 };
  for (const [highest, index] of BREAKPOINTS) {
    if (concentration <= highest) {
      const share = (concentration - low.concentration) / (highest - low.concentration);
      return Math.round(low.index + share * (index - low.index));
    }
    low = { concentration: highest + STEP.concentration, index: index + STEP.index };
  }
  return INDEX_MAX;
}

const [GOOD_MAX, MODERATE_MAX, UNHEALTHY_MAX] = [50, 100, 300];

export function riskLevelOf(aqi: number): AirQualityStation["riskLevel"] {
  if (aqi <= GOOD_MAX) return "good";
  if (aqi <= MODERATE_MAX) return "moderate";
  return aqi <= UNHEALTHY_MAX ? "unhealthy" : "hazardous";
}

/** Sorts stations by index, highest first. Stations with equal indexes are sorted by city, source and latitude. */
export function worstFirst(stations: readonly AirQualityStation[]): readonly AirQualityStation[] {
  return stations.toSorted(
    (a, b) => b.aqi - a.aqi || compare(a.city, b.city) || compare(a.source, b.source) || (a.lat ?? 0) - (b.lat ?? 0),
  );
}

/** Compares by code units, which is the same on every machine and much faster than a locale's rules. */
function compare(a: string, b: string): number {
  return a < b ? -1 : Number(a > b);
}

import type { AnomalySeverity, AnomalyType, ClimateAnomaly } from "../records.js";
import { zones } from "./zones.js";

/** The last seven complete days of a zone. */
export interface RecentWeather {
  readonly zone: string;
  /** First and last day, UTC midnight, epoch ms. */
  readonly firstDay: number;
  readonly lastDay: number;
  readonly temperatureC: number;
  readonly precipitationMm: number;
}

/** Mean weather of a zone in each month of the year, over 1991-2020. `months` begins with January. */
export interface ZoneNormals {
  readonly zone: string;
  /** The point to which the normals apply. If the point of a zone changes, the zone needs new normals. */
  readonly latitude: number;
  readonly longitude: number;
  readonly months: readonly { readonly temperatureC: number; readonly precipitationMm: number }[];
}

const EXTREME = { temperatureC: 5, precipitationMm: 12 };
const MODERATE = { temperatureC: 3, precipitationMm: 6 };

/** Rates a deviation from normal by its degrees or by its millimetres per day, whichever is worse. */
export function severityOf(tempDelta: number, precipDelta: number): AnomalySeverity {
  const reaches = (limit: typeof EXTREME): boolean =>
    Math.abs(tempDelta) >= limit.temperatureC || Math.abs(precipDelta) >= limit.precipitationMm;
  if (reaches(EXTREME)) return "ANOMALY_SEVERITY_EXTREME";
  return reaches(MODERATE) ? "ANOMALY_SEVERITY_MODERATE" : "ANOMALY_SEVERITY_NORMAL";
}

/** Three millimetres per day count as much as one degree. */
const MM_PER_DEGREE = 3;
const DRY_SPELL_MM = -3;

/**
 * Classifies an anomaly. The first rule that applies decides. Rules 1 and 2 apply only if the temperature difference
 * counts at least as much as the precipitation difference.
 * 1. The zone is warmer and much drier than normal: mixed.
 * 2. The temperature differs much: warm or cold.
 * 3. Precipitation differs much: wet or dry.
 * 4. The temperature differs at all: warm or cold.
 * Otherwise, the type is unspecified.
 */
export function typeOf(tempDelta: number, precipDelta: number): AnomalyType {
  // Both deviations are multiplied by 10 and compared as integers, because in floating point a third of 4.2 is slightly
  // more than 1.4.
  if (MM_PER_DEGREE * Math.round(10 * Math.abs(tempDelta)) >= Math.round(10 * Math.abs(precipDelta))) {
    if (tempDelta > 0 && precipDelta < DRY_SPELL_MM) return "ANOMALY_TYPE_MIXED";
    if (tempDelta > MODERATE.temperatureC) return "ANOMALY_TYPE_WARM";
    if (tempDelta < -MODERATE.temperatureC) return "ANOMALY_TYPE_COLD";
  }
  if (precipDelta > MODERATE.precipitationMm) return "ANOMALY_TYPE_WET";
  if (precipDelta < -MODERATE.precipitationMm) return "ANOMALY_TYPE_DRY";
  if (tempDelta === 0) return "ANOMALY_TYPE_UNSPECIFIED";
  return tempDelta > 0 ? "ANOMALY_TYPE_WARM" : "ANOMALY_TYPE_COLD";
}

/** Returns the anomalies of all zones with both recent weather and normals, in the order of the zones. */
export function anomaliesOf(
  recent: ReadonlyMap<string, RecentWeather>,
  normals: ReadonlyMap<string, ZoneNormals>,
): readonly ClimateAnomaly[] {
  return zones.flatMap(({ id, name, latitude, longitude }) => {
    const weather = recent.get(id);
    const normal = weather && normals.get(id)?.months[new Date(weather.lastDay).getUTCMonth()];
    if (!weather || !normal) return [];
    const tempDelta = oneDecimal(weather.temperatureC - normal.temperatureC);
    const precipDelta = oneDecimal(weather.precipitationMm - normal.precipitationMm);
    return {
      zone: name,
      period: `${dayOf(weather.firstDay)} to ${dayOf(weather.lastDay)}`,
      location: { latitude, longitude },
      tempDelta,
      precipDelta,
      severity: severityOf(tempDelta, precipDelta),
      type: typeOf(tempDelta, precipDelta),
    };
  });
}

function oneDecimal(value: number): number {
  // Adding 0 turns -0 into 0.
  return Math.round(value * 10) / 10 + 0;
}

function dayOf(at: number): string {
  return new Date(at).toISOString().slice(0, 10);
}

import { type AnswerCheck, allRowsOf, Copied, copied, type Expected, rounded, rowsOf, type Stored } from "../check.js";
import { dateOf } from "./dates.js";
import { textOrder } from "./text-order.js";

interface WeekRow {
  /** The zone's name in lower case, with hyphens. */
  readonly zone: string;
  readonly firstDay: number;
  readonly lastDay: number;
  readonly temperatureC: number;
  readonly precipitationMm: number;
}

interface NormalsRow {
  readonly zone: string;
  readonly latitude: number;
  readonly longitude: number;
  /** Values by month, January first. */
  readonly months: readonly { readonly temperatureC: number; readonly precipitationMm: number }[];
}

interface ServedAnomaly {
  readonly zone: string;
  readonly tempDelta: number;
  readonly precipDelta: number;
}

function anomalyLevel({ tempDelta, precipDelta }: ServedAnomaly): string {
  const [degrees, millimetres] = [Math.abs(tempDelta), Math.abs(precipDelta)];
  if (degrees >= 5 || millimetres >= 12) return "ANOMALY_SEVERITY_EXTREME";
  if (degrees >= 3 || millimetres >= 6) return "ANOMALY_SEVERITY_MODERATE";
  return "ANOMALY_SEVERITY_NORMAL";
}

function anomalyType({ tempDelta, precipDelta }: ServedAnomaly): string {
  // Both values are multiplied by 10 and compared as integers, because in floating point a third of 4.2 is slightly
  // more than 1.4.
  const isThermal = 3 * Math.round(10 * Math.abs(tempDelta)) >= Math.round(10 * Math.abs(precipDelta));
  if (isThermal && tempDelta > 0 && precipDelta < -3) return "ANOMALY_TYPE_MIXED";
  if (isThermal && tempDelta > 3) return "ANOMALY_TYPE_WARM";
  if (isThermal && tempDelta < -3) return "ANOMALY_TYPE_COLD";
  if (precipDelta > 6) return "ANOMALY_TYPE_WET";
  if (precipDelta < -6) return "ANOMALY_TYPE_DRY";
  if (tempDelta > 0) return "ANOMALY_TYPE_WARM";
  return tempDelta < 0 ? "ANOMALY_TYPE_COLD" : "ANOMALY_TYPE_UNSPECIFIED";
}

/** An anomaly is the value of a week in a zone minus the normal of the month in which the week ends. */
export const climateAnomalies: AnswerCheck = {
  operation: "climate/list-climate-anomalies",
  what: "deviations of temperature and precipitation from normal, their severity and type",
  recompute({ from, served }) {
    const normals = new Map(rowsOf<NormalsRow>(from("climate-normals"), "normals").map((row) => [row.zone, row]));
    const weeks = new Map(allRowsOf<WeekRow>(from("climate-anomalies")).map((row) => [row.zone, row]));
    const { anomalies } = served as { readonly anomalies: readonly ServedAnomaly[] };
    return {
      anomalies: anomalies.map((anomaly): Expected => {
        const zone = anomaly.zone.toLowerCase().replaceAll(" ", "-");
        const [week, normal] = [weeks.get(zone), normals.get(zone)];
        const usual = week && normal?.months[dateOf(week.lastDay).month - 1];
        if (!week || !normal || !usual) return { zone: undefined };
        const [first, last] = [week.firstDay, week.lastDay].map((at) => new Date(at).toISOString().slice(0, 10));
        return {
          period: `${first} to ${last}`,
          location: copied({ latitude: normal.latitude, longitude: normal.longitude }),
          tempDelta: rounded(week.temperatureC - usual.temperatureC, 1),
          precipDelta: rounded(week.precipitationMm - usual.precipitationMm, 1),
          severity: anomalyLevel(anomaly),
          type: anomalyType(anomaly),
        };
      }),
      pagination: { totalCount: [...weeks.keys()].filter((zone) => normals.has(zone)).length },
    };
  },
};

interface Station {
  readonly city: string;
  readonly source: string;
  readonly lat?: number;
  readonly countryCode?: string;
  readonly aqi: number;
  readonly riskLevel: string;
  readonly pm25?: number;
  readonly measuredAt: number;
}

/** The classes of the US index for PM2.5: lowest and highest concentration (µg/m³), lowest and highest index. */
const pm25Classes = [
  [0, 12, 0, 50],
  [12.1, 35.4, 51, 100],
  [35.5, 55.4, 101, 150],
  [55.5, 150.4, 151, 200],
  [150.5, 250.4, 201, 300],
  [250.5, 350.4, 301, 400],
  [350.5, 500.4, 401, 500],
] as const;

function indexOf(pm25: number): Expected {
  // Corrects rounding errors of floating point: a product such as 3.9999999999999996 is treated as 4 tenths.
  const tenths = Math.floor(pm25 * 10 + 0.000_001);
  for (const [low, high, indexLow, indexHigh] of pm25Classes) {
    if (tenths > Math.round(high * 10)) continue;
    const share = (tenths - low * 10) / (high * 10 - low * 10);
    return rounded(indexLow + share * (indexHigh - indexLow), 0);
  }
  return 500;
}

function riskOf(aqi: number): string {
  if (aqi > 300) return "hazardous";
  if (aqi > 100) return "unhealthy";
  return aqi > 50 ? "moderate" : "good";
}

/** The stations, worst first. */
export function stationsIn(stored: Stored): readonly Station[] {
  return [...allRowsOf<Station>(stored)].sort(
    (a, b) =>
      b.aqi - a.aqi || textOrder(a.city, b.city) || textOrder(a.source, b.source) || (a.lat ?? 0) - (b.lat ?? 0),
  );
}

export const airQuality: AnswerCheck = {
  operation: "climate/list-air-quality-data",
  what: "air quality index of each concentration, and its risk level",
  recompute({ from }) {
    const stored = from("air-quality");
    return {
      fetchedAt: new Copied(stored.builtAt),
      stations: stationsIn(stored).map((station) => ({
        ...copied(station),
        ...(station.pm25 !== undefined && { aqi: indexOf(station.pm25) }),
        riskLevel: riskOf(station.aqi),
      })),
    };
  },
};

interface Disaster {
  readonly id: string;
  readonly type: string;
  readonly name: string;
  readonly country: string;
  readonly status: string;
  readonly countryCode?: string;
  readonly countryCodes?: readonly string[];
  readonly startedAt?: number;
  readonly observedAt: number;
}

/**
 * Returns one key for each country of an entry, made of type, country, name and day. Two entries that share a key
 * report the same disaster.
 */
function disasterKeys({ startedAt, observedAt, ...disaster }: Disaster): readonly string[] {
  const { type, country, countryCode, countryCodes } = disaster;
  const name = disaster.name.toLowerCase().split(/\s+/).filter(Boolean).join(" ");
  const day = new Date(startedAt ?? observedAt).toISOString().slice(0, 10);
  return (countryCodes ?? [countryCode ?? country.toLowerCase()]).map((code) => [type, code, name, day].join("|"));
}

/** The disasters without duplicates, newest first. */
export function disastersIn(stored: Stored): readonly Disaster[] {
  const ids = new Set<string>();
  const events = new Set<string>();
  const once: Disaster[] = [];
  for (const disaster of allRowsOf<Disaster>(stored)) {
    if (ids.has(disaster.id)) continue;
    ids.add(disaster.id);
    const keys = disasterKeys(disaster);
    if (!keys.some((key) => events.has(key))) once.push(disaster);
    for (const key of keys) events.add(key);
  }
  const timeOf = ({ startedAt, observedAt }: Disaster): number => startedAt ?? observedAt;
  return once.sort((a, b) => timeOf(b) - timeOf(a) || a.id.localeCompare(b.id));
}

export const disasters: AnswerCheck = {
  operation: "climate/list-climate-disasters",
  what: "number of disasters, each counted once",
  queries: () => ["page_size=100"],
  recompute({ from }) {
    const once = disastersIn(from("climate-disasters"));
    return {
      disasters: once.slice(0, 100).map(({ observedAt: _observedAt, ...row }) => copied(row)),
      pagination: { totalCount: Math.min(300, once.length) },
    };
  },
};

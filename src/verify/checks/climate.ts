import { type AnswerCheck, allRowsOf, Copied, copied, type Expected, rounded, rowsOf, type Stored } from "../check.js";

const DAY_MS = 86_400_000;

/** Year, month (January is 1) and day of an instant, UTC. */
function dateOf(at: number): { readonly year: number; readonly month: number; readonly day: number } {
  const date = new Date(at);
  return { year: date.getUTCFullYear(), month: date.getUTCMonth() + 1, day: date.getUTCDate() };
}

function monthName(at: number): string {
  const { year, month } = dateOf(at);
  return `${year}-${String(month).padStart(2, "0")}`;
}

/** The newest of some rows; undefined if there are none. */
function newest<T>(rows: readonly T[], atOf: (row: T) => number): T | undefined {
  let found: T | undefined;
  for (const row of rows) if (found === undefined || atOf(row) > atOf(found)) found = row;
  return found;
}

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
  /** January first. */
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
  // In tenths, which are whole: a third of 4.2 is a little more than 1.4.
  const isThermal = 3 * Math.round(10 * Math.abs(tempDelta)) >= Math.round(10 * Math.abs(precipDelta));
  if (isThermal && tempDelta > 0 && precipDelta < -3) return "ANOMALY_TYPE_MIXED";
  if (isThermal && tempDelta > 3) return "ANOMALY_TYPE_WARM";
  if (isThermal && tempDelta < -3) return "ANOMALY_TYPE_COLD";
  if (precipDelta > 6) return "ANOMALY_TYPE_WET";
  if (precipDelta < -6) return "ANOMALY_TYPE_DRY";
  if (tempDelta > 0) return "ANOMALY_TYPE_WARM";
  return tempDelta < 0 ? "ANOMALY_TYPE_COLD" : "ANOMALY_TYPE_UNSPECIFIED";
}

/** An anomaly is the week of a zone minus the normal of the month in which the week ends. */
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

interface Mean {
  readonly at: number;
  readonly value: number;
}

interface Year {
  readonly at: number;
  readonly globalMeanPpm?: number;
  readonly stationGrowthPpm?: number;
}

function growthOf(years: readonly Year[]): Expected {
  const inOrder = [...years].sort((a, b) => a.at - b.at);
  const [last, before] = [inOrder.at(-1), inOrder.at(-2)];
  if (last?.stationGrowthPpm !== undefined) return new Copied(last.stationGrowthPpm);
  return rounded((last?.globalMeanPpm ?? Number.NaN) - (before?.globalMeanPpm ?? Number.NaN), 2);
}

/** The day of the previous calendar year that is nearest to the same date; the earlier of two. */
function yearBefore(days: readonly Mean[], today: number): Mean | undefined {
  const { year, month, day } = dateOf(today);
  const wanted = Date.UTC(year - 1, month - 1, month === 2 && day === 29 ? 28 : day);
  const ofYear = days.filter(({ at }) => dateOf(at).year === year - 1);
  return ofYear.sort((a, b) => Math.abs(a.at - wanted) - Math.abs(b.at - wanted) || a.at - b.at)[0];
}

function monthsOf(means: readonly Mean[]): readonly Expected[] {
  const ppmOf = new Map(means.map(({ at, value }) => [monthName(at), value]));
  const lastTwelve = [...means].sort((a, b) => a.at - b.at).slice(-12);
  return lastTwelve.map(({ at, value }) => {
    const { year, month } = dateOf(at);
    const base = ppmOf.get(`${year - 1}-${String(month).padStart(2, "0")}`);
    return { month: monthName(at), ppm: value, anomaly: base === undefined ? undefined : rounded(value - base, 2) };
  });
}

export const greenhouseGases: AnswerCheck = {
  operation: "climate/get-co2-monitoring",
  what: "growth of CO2, its value a year ago, and the changes of twelve months",
  recompute({ from }) {
    const stored = from("co2-monitoring");
    const series = (part: string): readonly Mean[] => rowsOf<Mean>(stored, part);
    const [today, month, methane, nitrousOxide] = ["daily", "monthly", "methane", "nitrousOxide"].map((part) =>
      newest(series(part), ({ at }) => at),
    );
    const years = rowsOf<Year>(stored, "annual");
    const yearAgo = today && yearBefore(series("daily"), today.at);
    return {
      monitoring: {
        currentPpm: today?.value,
        measuredAt: today?.at,
        monthlyAverage: month?.value,
        monthlyAverageObservedAt: month?.at,
        yearAgoPpm: yearAgo?.value,
        yearAgoPpmObservedAt: yearAgo?.at,
        annualGrowthRate: growthOf(years),
        annualGrowthRateObservedAt: newest(years, ({ at }) => at)?.at,
        methanePpb: methane?.value,
        methanePpbObservedAt: methane?.at,
        nitrousOxidePpb: nitrousOxide?.value,
        nitrousOxidePpbObservedAt: nitrousOxide?.at,
        preIndustrialBaseline: 280,
        trend12m: monthsOf(series("monthly")),
      },
    };
  },
};

interface IceDay {
  readonly day: number;
  readonly extentMkm2: number;
}

type Members = { readonly [member: string]: Expected };

interface ServedIce {
  readonly data?: { readonly arcticExtentAnomalyMkm2?: number };
}

/** The difference of a day's ice from the median of the same day of the year. */
function iceAnomaly({ day, extentMkm2 }: IceDay, medians: ReadonlyMap<number, number>): Expected {
  const dayOfYear = (day - Date.UTC(dateOf(day).year, 0, 1)) / DAY_MS + 1;
  const median = medians.get(dayOfYear);
  return median === undefined ? undefined : rounded(extentMkm2 - median, 3);
}

function iceTrend(today: IceDay, days: readonly IceDay[], anomaly: number | undefined): string | undefined {
  const { month, day } = dateOf(today.day);
  const before = days.filter((other) => {
    const date = dateOf(other.day);
    return other.day !== today.day && date.month === month && date.day === day;
  });
  if (before.length > 0 && before.every(({ extentMkm2 }) => extentMkm2 >= today.extentMkm2)) return "record_low";
  if (anomaly === undefined) return undefined;
  if (anomaly <= -0.5) return "below_average";
  return anomaly >= 0.5 ? "above_average" : "average";
}

function iceMembers(days: readonly IceDay[], medians: ReadonlyMap<number, number>, served: ServedIce): Members {
  const today = newest(days, ({ day }) => day);
  if (!today) return { arcticExtentMkm2: undefined, iceTrend12m: undefined };
  const lastOfMonth = new Map<string, IceDay>();
  for (const row of [...days].sort((a, b) => a.day - b.day)) lastOfMonth.set(monthName(row.day), row);
  return {
    arcticExtentMkm2: today.extentMkm2,
    arcticExtentObservedAt: today.day,
    arcticExtentAnomalyMkm2: iceAnomaly(today, medians),
    arcticTrend: iceTrend(today, days, served.data?.arcticExtentAnomalyMkm2),
    iceTrend12m: [...lastOfMonth].slice(-12).map(([month, row]) => ({
      month,
      extentMkm2: row.extentMkm2,
      anomalyMkm2: iceAnomaly(row, medians),
    })),
  };
}

interface OceanMonth {
  readonly month: number;
  readonly anomalyC: number;
}

/** The newest month minus the mean of the same month in the thirty years from 1971. */
function surfaceMembers(months: readonly OceanMonth[]): Members {
  const last = newest(months, ({ month }) => month);
  const base = months.filter(({ month }) => {
    const date = dateOf(month);
    return last && date.month === dateOf(last.month).month && date.year >= 1971 && date.year <= 2000;
  });
  if (!last || base.length < 30) return { sstAnomalyC: undefined, sstAnomalyCObservedAt: undefined };
  let sum = 0;
  for (const { anomalyC } of base) sum += anomalyC;
  return { sstAnomalyC: rounded(last.anomalyC - sum / base.length, 3), sstAnomalyCObservedAt: last.month };
}

export const oceans: AnswerCheck = {
  operation: "climate/get-ocean-ice-data",
  what: "anomalies and trend of sea ice, anomaly of sea surface temperature",
  recompute({ from, served }) {
    const stored = from("ocean-ice");
    const days = rowsOf<IceDay>(stored, "extent");
    const medianRows = rowsOf<{ readonly dayOfYear: number; readonly medianMkm2: number }>(stored, "median");
    const medians = new Map(medianRows.map(({ dayOfYear, medianMkm2 }) => [dayOfYear, medianMkm2]));
    const [level] = rowsOf<{
      readonly mmAbove1993?: number;
      readonly mmPerYear?: number;
      readonly unchangedSince?: number;
    }>(stored, "seaLevel");
    const heats = rowsOf<{ readonly at: number; readonly zettajoules: number }>(stored, "heat");
    const heat = newest(heats, ({ at }) => at);
    const months = rowsOf<OceanMonth>(stored, "temperature");
    const times = [...days.map(({ day }) => day), ...heats.map(({ at }) => at), ...months.map(({ month }) => month)];
    return {
      data: {
        ...iceMembers(days, medians, served as ServedIce),
        ...surfaceMembers(months),
        seaLevelMmAbove1993: level?.mmAbove1993,
        seaLevelAnnualRiseMm: level?.mmPerYear,
        seaLevelUnchangedSince: level?.unchangedSince,
        ohc0700mZj: heat?.zettajoules,
        ohc0700mZjObservedAt: heat?.at,
        measuredAt: newest(times, (at) => at),
      },
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
  // Binary tenths such as 3.9999999999999996 are meant as 4.
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

function order(a: string, b: string): number {
  if (a === b) return 0;
  return a < b ? -1 : 1;
}

/** The stations, worst first. */
export function stationsIn(stored: Stored): readonly Station[] {
  return [...allRowsOf<Station>(stored)].sort(
    (a, b) => b.aqi - a.aqi || order(a.city, b.city) || order(a.source, b.source) || (a.lat ?? 0) - (b.lat ?? 0),
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

/** Type, country, name and day: two lists that agree on them report the same disaster. */
function disasterKeys({ startedAt, observedAt, ...disaster }: Disaster): readonly string[] {
  const { type, country, countryCode, countryCodes } = disaster;
  const name = disaster.name.toLowerCase().split(/\s+/).filter(Boolean).join(" ");
  const day = new Date(startedAt ?? observedAt).toISOString().slice(0, 10);
  return (countryCodes ?? [countryCode ?? country.toLowerCase()]).map((code) => [type, code, name, day].join("|"));
}

/** Each disaster once, newest first. */
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
  what: "number of disasters, each once",
  queries: () => ["page_size=100"],
  recompute({ from }) {
    const once = disastersIn(from("climate-disasters"));
    return {
      disasters: once.slice(0, 100).map(({ observedAt: _observedAt, ...row }) => copied(row)),
      pagination: { totalCount: Math.min(300, once.length) },
    };
  },
};

import { type AnswerCheck, type Expected, rounded, rowsOf, type Stored } from "../check.js";

/** What the FAA's bulletin announces for an airport (a stop, programme, delay or closure), or the bulletin itself. */
interface Programme {
  readonly kind: "bulletin" | "programme";
  readonly iata?: string;
  readonly type?: string;
  readonly isClosure?: boolean;
  readonly minutes?: number;
  readonly isAssumed?: boolean;
  readonly updatedAt: number;
}

interface Sample {
  readonly iata: string;
  readonly totalFlights: number;
  readonly countedFlights: number;
  readonly cancelledFlights: number;
  readonly delayedFlights?: number;
  readonly averageDelayMinutes?: number;
  readonly sampledAt?: number;
}

interface Notice {
  readonly iata: string;
  readonly kind: "closure" | "restriction" | "other" | "unread";
  readonly readAt?: number;
  readonly isInForce?: boolean;
}

const levels = ["NORMAL", "MINOR", "MODERATE", "MAJOR", "SEVERE"] as const;
const [NORMAL, MINOR, MODERATE, MAJOR, SEVERE] = [0, 1, 2, 3, 4];

/** Counts the limits that a value reaches. */
function level(value: number, limits: readonly number[]): number {
  return limits.filter((limit) => value >= limit).length;
}

const scheduleLimits = [15, 30, 45, 60];
const cancellationLimits = [10, 20, 50, 80];
const faaLimits = [15, 30, 60, 90];

/** The rows about one airport. */
interface Airport {
  readonly programme: Programme | undefined;
  readonly bulletinAt: number | undefined;
  readonly sample: Sample | undefined;
  /** The notices in force; undefined if notices are not read for the airport. */
  readonly notices: readonly Notice[] | undefined;
  readonly noticesReadAt: number | undefined;
}

function airportIn(stored: Stored, iata: string, isAmerican: boolean): Airport {
  const faa = rowsOf<Programme>(stored, "faa");
  const notices = rowsOf<Notice>(stored, "notams");
  const noticesReadAt = isAmerican ? undefined : notices[0]?.readAt;
  const samples = rowsOf<Sample>(stored, "departures");
  return {
    programme: worstOf(faa.filter((row) => row.kind === "programme" && row.iata === iata)),
    bulletinAt: isAmerican ? faa.find(({ kind }) => kind === "bulletin")?.updatedAt : undefined,
    sample: samples.find((sample) => sample.iata === iata && sample.totalFlights > 0),
    notices:
      noticesReadAt === undefined
        ? undefined
        : notices.filter((notice) => notice.iata === iata && notice.isInForce !== false),
    noticesReadAt,
  };
}

/**
 * Combines the programmes of an airport. Returns the longest programme; if there is a ground stop, the result is a
 * ground stop with the minutes of the longest programme.
 */
function worstOf(programmes: readonly Programme[]): Programme | undefined {
  const longest = [...programmes].sort((a, b) => (b.minutes ?? 0) - (a.minutes ?? 0));
  const stop = longest.find(({ type }) => type === "GROUND_STOP");
  const [first] = longest;
  if (!first || !stop) return first;
  return { ...first, type: "GROUND_STOP", isClosure: stop.isClosure ?? false, updatedAt: stop.updatedAt };
}

interface Verdict {
  readonly level: number;
  readonly type: string;
  readonly source: "FAA" | "AVIATIONSTACK" | "NOTAM";
  readonly updatedAt: number;
}

function share(count: number, total: number): number {
  return (100 * count) / total;
}

function verdictOfSample(sample: Sample): Verdict {
  const about = { source: "AVIATIONSTACK", updatedAt: sample.sampledAt ?? 0 } as const;
  const cancelled = cancellationLevel(sample);
  if (sample.countedFlights >= 10 && cancelled > NORMAL) {
    const type = ["", "GENERAL", "GROUND_DELAY", "GROUND_STOP", "CLOSURE"][cancelled] ?? "";
    return { ...about, level: cancelled, type };
  }
  const minutes = sample.averageDelayMinutes ?? 0;
  const percent = sample.countedFlights === 0 ? 0 : share(sample.delayedFlights ?? 0, sample.countedFlights);
  return {
    ...about,
    level: Math.max(level(minutes, scheduleLimits), level(percent, scheduleLimits)),
    type: minutes >= 60 ? "GROUND_DELAY" : "GENERAL",
  };
}

function cancellationLevel({ cancelledFlights, countedFlights }: Sample): number {
  return level(share(cancelledFlights, countedFlights), cancellationLimits);
}

/**
 * Returns the worse of two verdicts: that of the FAA's programme and that of the sampled departures. If neither exists,
 * the verdict is normal for an airport that the FAA's bulletin covers, and undefined for any other.
 */
function verdictOfFlights({ programme, bulletinAt, sample }: Airport): Verdict | undefined {
  const bySample = sample && verdictOfSample(sample);
  if (programme) {
    const { minutes = 0, type = "", updatedAt } = programme;
    const byFaa: Verdict = { level: level(minutes, faaLimits), type, source: "FAA", updatedAt };
    return bySample && bySample.level > byFaa.level ? bySample : byFaa;
  }
  if (bySample) return bySample;
  return bulletinAt === undefined
    ? undefined
    : { level: NORMAL, type: "UNSPECIFIED", source: "FAA", updatedAt: bulletinAt };
}

function has(airport: Airport, kind: Notice["kind"]): boolean {
  return airport.notices?.some((notice) => notice.kind === kind) === true;
}

function verdictWithNotices(airport: Airport): Verdict | undefined {
  const flights = verdictOfFlights(airport);
  const isClosed = has(airport, "closure");
  if (!isClosed && !has(airport, "restriction")) return flights;
  const about = {
    source: "NOTAM",
    updatedAt: Math.max(airport.noticesReadAt ?? 0, flights?.updatedAt ?? 0),
  } as const;
  if (!flights) return { ...about, level: isClosed ? SEVERE : MAJOR, type: isClosed ? "CLOSURE" : "GENERAL" };
  const otherType = flights.level === NORMAL ? "GENERAL" : flights.type;
  const cancelled = airport.sample ? cancellationLevel(airport.sample) : NORMAL;
  return {
    ...about,
    level: Math.max(flights.level, cancelled, MODERATE),
    type: isClosed ? "CLOSURE" : otherType,
  };
}

/** The severity of the delays at an airport; undefined if no source reports on the airport. */
export function delayLevelOf(
  stored: Stored,
  { iata, icao }: { readonly iata: string; readonly icao: string },
): string | undefined {
  const verdict = verdictWithNotices(airportIn(stored, iata, isAmerican(icao)));
  return verdict && levels[verdict.level];
}

function minutesOf(airport: Airport): number | undefined {
  const { programme, sample } = airport;
  if (verdictOfFlights(airport)?.source === "AVIATIONSTACK") return sample?.averageDelayMinutes;
  return programme?.isAssumed ? undefined : programme?.minutes;
}

function percentOf(count: number | undefined, { countedFlights }: Sample): Expected {
  if (count === undefined) return undefined;
  return countedFlights === 0 ? 0 : rounded(share(count, countedFlights), 1);
}

const prefixes = { FAA: "faa", AVIATIONSTACK: "avstack", NOTAM: "notam" };

function alertOf(airport: Airport, iata: string): Expected {
  const verdict = verdictWithNotices(airport);
  const { sample } = airport;
  if (!verdict) {
    return { id: `unknown-${iata}`, severity: "FLIGHT_DELAY_SEVERITY_UNKNOWN", totalFlights: undefined };
  }
  const isNormal = verdict.level === NORMAL;
  return {
    id: `${isNormal ? "status" : prefixes[verdict.source]}-${iata}`,
    severity: `FLIGHT_DELAY_SEVERITY_${levels[verdict.level]}`,
    delayType: `FLIGHT_DELAY_TYPE_${isNormal ? "UNSPECIFIED" : verdict.type}`,
    source: `FLIGHT_DELAY_SOURCE_${verdict.source}`,
    avgDelayMinutes: minutesOf(airport),
    delayedFlightsPct: sample && percentOf(sample.delayedFlights, sample),
    cancelledFlights: sample?.cancelledFlights,
    totalFlights: sample?.totalFlights,
    updatedAt: verdict.updatedAt,
  };
}

interface ServedAlert {
  readonly iata: string;
  readonly icao: string;
}

/**
 * True if the airport with this ICAO code is in the contiguous United States, Alaska or Hawaii, which the FAA covers.
 */
function isAmerican(icao: string): boolean {
  return /^(?:K|PA|PH)/.test(icao);
}

/** The served airports are taken as given, because a table defines them; the values of each are recomputed. */
export const airportDelays: AnswerCheck = {
  operation: "aviation/list-airport-delays",
  what: "severity, type, minutes and shares of the delays of each airport",
  queries: () => ["page_size=500"],
  recompute({ from, served }) {
    const stored = from("airport-delays");
    const { alerts } = served as { readonly alerts: readonly ServedAlert[] };
    return {
      alerts: alerts.map(({ iata, icao }) => alertOf(airportIn(stored, iata, isAmerican(icao)), iata)),
      pagination: { totalCount: alerts.length },
    };
  },
};

function summaryOf(airport: Airport): { readonly [member: string]: Expected } {
  const { programme, bulletinAt, sample, notices, noticesReadAt } = airport;
  const flights = verdictOfFlights(airport);
  const [isClosed, isRestricted] = [has(airport, "closure"), has(airport, "restriction")];
  const closedLevel = sample ? MODERATE : SEVERE;
  const statedLevels = [
    ...(flights ? [flights.level] : []),
    ...(isClosed ? [closedLevel] : []),
    ...(isRestricted ? [MINOR] : []),
  ];
  const times = [programme?.updatedAt ?? bulletinAt, sample?.sampledAt, noticesReadAt].flatMap((at) => at ?? []);
  const isShut = isClosed || programme?.isClosure === true;
  const isAnswered = bulletinAt !== undefined || (notices !== undefined && !has(airport, "unread"));
  return {
    severity: `FLIGHT_DELAY_SEVERITY_${statedLevels.length === 0 ? "UNKNOWN" : levels[Math.max(...statedLevels)]}`,
    avgDelayMinutes: minutesOf(airport),
    delayPct: sample && percentOf(sample.delayedFlights, sample),
    cancellationRate: sample && percentOf(sample.cancelledFlights, sample),
    totalFlights: sample?.totalFlights,
    closureStatus: isShut || isAnswered ? isShut : undefined,
    updatedAt: statedLevels.length === 0 || times.length === 0 ? undefined : Math.max(...times),
  };
}

interface ServedSummary {
  readonly iata: string;
  /** Absent for an airport that is not monitored. */
  readonly icao?: string;
}

export const airportSummaries: AnswerCheck = {
  operation: "aviation/get-airport-ops-summary",
  what: "severity, minutes, shares and closure of each airport",
  queries(stored) {
    const rows = ["faa", "departures", "notams"].flatMap((part) => rowsOf<{ readonly iata?: string }>(stored, part));
    const codes = [...new Set(rows.flatMap(({ iata }) => iata ?? []))].sort();
    const groups = codes.flatMap((_, at) => (at % 20 === 0 ? [codes.slice(at, at + 20)] : []));
    return ["", ...groups.map((group) => `airports=${group.join(",")}`)];
  },
  recompute({ query, from, served }) {
    const stored = from("airport-delays");
    const { summaries } = served as { readonly summaries: readonly ServedSummary[] };
    const requested = query.get("airports")?.split(",") ?? summaries.map(({ iata }) => iata);
    return {
      cacheHit: false,
      summaries: requested.map((iata, index) => {
        const icao = summaries[index]?.icao;
        return { iata, ...(icao !== undefined && summaryOf(airportIn(stored, iata, isAmerican(icao)))) };
      }),
    };
  },
};

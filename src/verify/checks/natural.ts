import { HOUR_MS } from "../../kit/clock.js";
import { type AnswerCheck, allRowsOf, Copied, copied, type Expected, type Stored } from "../check.js";
import { kilometresBetween } from "./distance.js";

interface Report {
  /** `<list>:<id>` */
  readonly id: string;
  readonly category: string;
  readonly lat: number;
  readonly lon: number;
  readonly date: number;
  readonly windKt?: number;
  readonly stormCategory?: number;
  readonly stormName?: string;
  readonly canonicalAliases?: readonly string[];
  readonly agencyObservations?: readonly { readonly agency: string }[];
  readonly forecastTrack?: readonly { readonly windKt?: number }[];
  readonly conePolygon?: unknown;
  readonly pastTrack?: unknown;
}

const precedence = ["nhc", "gdacs", "eonet", "hko"];
const precedenceInWesternPacific = ["eonet", "hko", "gdacs", "nhc"];

function listOf({ id }: Report): string {
  return id.split(":")[0] ?? "";
}

function rank(report: Report, lists: readonly string[] = precedence): number {
  return lists.indexOf(listOf(report));
}

/** Saffir-Simpson category of a wind in knots. */
function categoryOf(windKt: number): number {
  if (windKt >= 137) return 5;
  if (windKt >= 113) return 4;
  if (windKt >= 96) return 3;
  if (windKt >= 83) return 2;
  return windKt >= 64 ? 1 : 0;
}

function isInWesternPacific({ lat, lon }: Report): boolean {
  return lat >= 0 && lon >= 100 && lon <= 180;
}

type Ground = "alias-bounded" | "proximity-bounded";

/** The reason why two reports from different lists describe one storm; undefined for different storms. */
function groundOf(a: Report, b: Report): Ground | undefined {
  const hours = Math.abs(a.date - b.date) / HOUR_MS;
  const km = kilometresBetween({ latitude: a.lat, longitude: a.lon }, { latitude: b.lat, longitude: b.lon });
  const names = new Set(a.canonicalAliases ?? []);
  if ((b.canonicalAliases ?? []).some((name) => names.has(name))) {
    if (isInWesternPacific(a) || isInWesternPacific(b)) return hours <= 18 && km <= 750 ? "alias-bounded" : undefined;
    const apart = Math.abs(a.lon - b.lon) % 360;
    return Math.abs(a.lat - b.lat) < 10 && Math.min(apart, 360 - apart) < 30 ? "alias-bounded" : undefined;
  }
  const hasTwoNames = a.stormName !== undefined && b.stormName !== undefined;
  return !hasTwoNames && hours <= 3 && km <= 90 ? "proximity-bounded" : undefined;
}

interface Storm {
  readonly reports: Report[];
  ground: Ground | undefined;
}

function stormsOf(reports: readonly Report[]): readonly Storm[] {
  const storms: Storm[] = [];
  for (const report of [...reports].sort((a, b) => rank(a) - rank(b) || a.id.localeCompare(b.id))) {
    const matches = storms.flatMap((storm) =>
      storm.reports
        .filter((other) => listOf(other) !== listOf(report))
        .map((other) => ({ storm, ground: groundOf(other, report) })),
    );
    const match = matches.find(({ ground }) => ground !== undefined);
    if (!match) {
      storms.push({ reports: [report], ground: undefined });
      continue;
    }
    match.storm.reports.push(report);
    if (match.storm.ground === undefined || match.ground === "alias-bounded") match.storm.ground = match.ground;
  }
  return storms;
}

/** An event with the members that an answer should have for it. */
interface Served {
  readonly event: Report;
  readonly members: { readonly [member: string]: Expected };
}

function servedStorm({ reports, ground }: Storm): Served {
  const isWest = reports[0] !== undefined && isInWesternPacific(reports[0]);
  const lists = isWest ? precedenceInWesternPacific : precedence;
  const all = [...reports].sort((a, b) => rank(a, lists) - rank(b, lists));
  const [leader] = all;
  if (!leader) throw new Error("a storm has no report");
  const firstOf = (member: "forecastTrack" | "conePolygon" | "pastTrack"): Copied =>
    new Copied(all.find((report) => report[member] !== undefined)?.[member]);
  return {
    event: leader,
    members: {
      ...reported(leader),
      forecastTrack: all.find(({ forecastTrack }) => forecastTrack)?.forecastTrack?.map(forecast),
      conePolygon: firstOf("conePolygon"),
      pastTrack: firstOf("pastTrack"),
      canonicalId: leader.id,
      canonicalAliases: [...new Set(all.flatMap(({ canonicalAliases = [] }) => canonicalAliases))].sort(),
      matchingConfidence: ground ?? "single-source",
      agencyObservations: observationsOf(all).map(copies),
    },
  };
}

/** The observations of a storm. EONET repeats those of other agencies, so only the first of each agency counts. */
function observationsOf(reports: readonly Report[]): readonly unknown[] {
  const agencies = new Set<string>();
  return reports
    .flatMap(({ agencyObservations = [] }) => agencyObservations)
    .filter(({ agency }) => !agencies.has(agency) && agencies.add(agency));
}

function copies(value: unknown): Copied {
  return new Copied(value);
}

function forecast(point: { readonly windKt?: number }): Expected {
  return { ...copied(point), ...(point.windKt !== undefined && { category: categoryOf(point.windKt) }) };
}

function reported(report: Report): { readonly [member: string]: Expected } {
  const { windKt } = report;
  return { ...copied(report), ...(windKt !== undefined && { stormCategory: categoryOf(windKt) }) };
}

/**
 * Returns the events that are not storms. If several lists report the same category and place, only the reports of the
 * list with the highest precedence are events. Each of these reports is a separate event.
 */
function othersOf(reports: readonly Report[]): readonly Report[] {
  const firsts = new Map<string, Report>();
  const kept: Report[] = [];
  for (const report of [...reports].sort((a, b) => rank(a) - rank(b) || b.date - a.date)) {
    const place = `${report.category} ${report.lat.toFixed(1)} ${report.lon.toFixed(1)}`;
    const first = firsts.get(place);
    if (!first) firsts.set(place, report);
    if (!first || listOf(first) === listOf(report)) kept.push(report);
  }
  return kept;
}

function eventsIn(stored: Stored): readonly Served[] {
  const reports = allRowsOf<Report>(stored);
  const isStorm = ({ agencyObservations }: Report): boolean => agencyObservations !== undefined;
  const storms = stormsOf(reports.filter(isStorm)).map(servedStorm);
  const others = othersOf(reports.filter((report) => !isStorm(report)));
  return [...storms, ...others.map((event) => ({ event, members: reported(event) }))].sort(
    (a, b) => b.event.date - a.event.date || a.event.id.localeCompare(b.event.id),
  );
}

export const naturalEvents: AnswerCheck = {
  operation: "natural/list-natural-events",
  what: "number of events, each counted once; categories of storms",
  queries(stored) {
    const categories = [...new Set(allRowsOf<Report>(stored).map(({ category }) => category))];
    const parameters = ["", "days=7", ...categories.map((category) => `category=${category}`)];
    return parameters.map((parameter) => ["page_size=500", parameter].filter(Boolean).join("&"));
  },
  recompute({ query, from }) {
    const stored = from("natural-events");
    const category = query.get("category");
    const since = stored.builtAt - Number(query.get("days") ?? 30) * 24 * HOUR_MS;
    const events = eventsIn(stored).filter(
      ({ event }) => (category === null || event.category === category) && event.date >= since,
    );
    return {
      events: events.slice(0, 500).map(({ members }) => members),
      fetchedAt: new Copied(stored.builtAt),
      dataAvailable: true,
      pagination: { totalCount: events.length },
    };
  },
};

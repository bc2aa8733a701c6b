import { distanceKm } from "../../../geography/distance.js";
import { HOUR_MS } from "../../../kit/clock.js";
import type { NaturalEvent, ReportedEvent, StormAgencyObservation } from "../records.js";

/** The lists in order of precedence, except for storms in the western Pacific. */
const lists = ["nhc", "gdacs", "eonet", "hko"] as const;
/**
 * The order of precedence in the western Pacific: lists with reports of the region's agencies come first. EONET is such
 * a list, because it repeats the reports of the Joint Typhoon Warning Center (JTWC).
 */
const westernPacificLists = ["eonet", "hko", "gdacs", "nhc"] as const;

type Confidence = NonNullable<NaturalEvent["matchingConfidence"]>;

/** Merges the events of all lists and sorts them newest first. Reports of the same event become one event. */
export function mergedEvents(reported: readonly ReportedEvent[]): readonly NaturalEvent[] {
  const storms = reported.filter(({ agencyObservations }) => agencyObservations !== undefined);
  const others = reported.filter(({ agencyObservations }) => agencyObservations === undefined);
  return [...mergedStorms(storms), ...oncePerPlace(others)].sort((a, b) => b.date - a.date || a.id.localeCompare(b.id));
}

const listOf = ({ id }: ReportedEvent): string => id.slice(0, id.indexOf(":"));
const rankIn = (order: readonly string[], event: ReportedEvent): number => order.indexOf(listOf(event));

/** Keeps the leading list's events of each category and position (rounded to 0.1 degrees), and drops the others. */
function oncePerPlace(events: readonly ReportedEvent[]): readonly ReportedEvent[] {
  const byPlace = new Map<string, ReportedEvent>();
  for (const event of events.toSorted((a, b) => rankIn(lists, a) - rankIn(lists, b) || b.date - a.date)) {
    const place = `${event.category} ${event.lat.toFixed(1)} ${event.lon.toFixed(1)}`;
    const first = byPlace.get(place);
    // Two events of the same list are never duplicates.
    if (first === undefined || listOf(first) === listOf(event)) byPlace.set(first ? event.id : place, event);
  }
  return [...byPlace.values()];
}

interface StormGroup {
  readonly reports: ReportedEvent[];
  confidence: Confidence;
}

function mergedStorms(storms: readonly ReportedEvent[]): readonly NaturalEvent[] {
  const groups: StormGroup[] = [];
  for (const storm of storms.toSorted((a, b) => rankIn(lists, a) - rankIn(lists, b) || a.id.localeCompare(b.id))) {
    const match = firstMatch(groups, storm);
    if (match) {
      match.group.reports.push(storm);
      if (match.confidence === "alias-bounded" || match.group.confidence === "single-source") {
        match.group.confidence = match.confidence;
      }
    } else groups.push({ reports: [storm], confidence: "single-source" });
  }
  return groups.map(joined);
}

function firstMatch(groups: readonly StormGroup[], storm: ReportedEvent) {
  for (const group of groups) {
    for (const report of group.reports) {
      const confidence = listOf(report) === listOf(storm) ? undefined : confidenceOf(report, storm);
      if (confidence !== undefined) return { group, confidence };
    }
  }
  return undefined;
}

const WESTERN_PACIFIC = { west: 100, east: 180 };
const isWesternPacific = ({ lat, lon }: ReportedEvent): boolean =>
  lat >= 0 && lon >= WESTERN_PACIFIC.west && lon <= WESTERN_PACIFIC.east;

/**
 * Returns the confidence with which two reports describe the same storm; undefined if they describe different storms.
 */
function confidenceOf(a: ReportedEvent, b: ReportedEvent): Confidence | undefined {
  const apartMs = Math.abs(a.date - b.date);
  const apartKm = distanceKm({ latitude: a.lat, longitude: a.lon }, { latitude: b.lat, longitude: b.lon });
  if (sharesAlias(a, b)) {
    const isNear =
      isWesternPacific(a) || isWesternPacific(b)
        ? apartMs <= 18 * HOUR_MS && apartKm <= 750
        : Math.abs(a.lat - b.lat) < 10 && longitudeBetween(a.lon, b.lon) < 30;
    return isNear ? "alias-bounded" : undefined;
  }
  const isNameless = a.stormName === undefined || b.stormName === undefined;
  return isNameless && apartMs <= 3 * HOUR_MS && apartKm <= 90 ? "proximity-bounded" : undefined;
}

function longitudeBetween(a: number, b: number): number {
  const degrees = Math.abs(a - b) % 360;
  return Math.min(degrees, 360 - degrees);
}

function sharesAlias(a: ReportedEvent, b: ReportedEvent): boolean {
  const aliases = new Set(a.canonicalAliases ?? []);
  return (b.canonicalAliases ?? []).some((alias) => aliases.has(alias));
}

function joined({ reports, confidence }: StormGroup): NaturalEvent {
  const [first] = reports;
  const order = first && isWesternPacific(first) ? westernPacificLists : lists;
  const [leader, ...further] = reports.toSorted((a, b) => rankIn(order, a) - rankIn(order, b));
  if (!leader) throw new Error("a group of storms is never empty");
  const all = [leader, ...further];
  const aliases = [...new Set(all.flatMap(({ canonicalAliases = [] }) => canonicalAliases))].sort();
  return {
    ...tracksOf(all),
    ...leader,
    canonicalId: leader.id,
    canonicalAliases: aliases,
    matchingConfidence: confidence,
    agencyObservations: oncePerAgency(all.flatMap(({ agencyObservations = [] }) => agencyObservations)),
  };
}

/** Keeps the first observation of each agency. EONET repeats reports that the agency itself also publishes. */
function oncePerAgency(observations: readonly StormAgencyObservation[]): StormAgencyObservation[] {
  return observations.filter(
    ({ agency }, index) => observations.findIndex((other) => other.agency === agency) === index,
  );
}

/** Returns the forecast track, the cone and the past track, each from the first report that has it. */
function tracksOf(reports: readonly ReportedEvent[]): Partial<NaturalEvent> {
  const forecast = reports.find(({ forecastTrack }) => forecastTrack)?.forecastTrack;
  const cone = reports.find(({ conePolygon }) => conePolygon)?.conePolygon;
  const past = reports.find(({ pastTrack }) => pastTrack)?.pastTrack;
  return {
    ...(forecast && { forecastTrack: forecast }),
    ...(cone && { conePolygon: cone }),
    ...(past && { pastTrack: past }),
  };
}

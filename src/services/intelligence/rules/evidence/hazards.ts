import { counted } from "../../../../kit/counted.js";
import { day, days, decimal, listed, moment, plain } from "../phrases.js";
import { zonesNear } from "../zones-near.js";
import type { EvidenceDraft, Subject } from "./draft.js";
import { type EvidenceIngredients, usable } from "./ingredients.js";

const NAMED_MAX = 2;
const NAME_CHARACTERS_MAX = 80;

/** Severities, worst first. Unknown severities rank last. */
const severities = ["red", "high", "orange", "medium", "green"];

function rankOf(severity: string | undefined): number {
  const rank = severities.indexOf(severity ?? "");
  return rank < 0 ? severities.length : rank;
}

/** Describes the two worst ongoing disasters. If more than one is ongoing, first states their number by kind. */
export function disasterEvidence(
  { code, inText }: Subject,
  { disasters }: EvidenceIngredients,
): readonly EvidenceDraft[] {
  const snapshot = usable(disasters);
  if (!snapshot) return [];
  const present = snapshot.view.filter(
    (disaster) => isIn(disaster, code) && disaster.status !== "past" && hasBegun(disaster, snapshot.checkedAt),
  );
  if (present.length === 0) return [];
  const about = { kind: "disaster", at: snapshot.checkedAt, age: "disaster" } as const;
  const byType = new Map<string, number>();
  for (const { type } of present) byType.set(type, (byType.get(type) ?? 0) + 1);
  const types = [...byType].sort(([a, m], [b, n]) => n - m || a.localeCompare(b));
  const all = counted(present.length, "climate disaster");
  const worst = present
    .map((disaster, index) => ({ disaster, index }))
    .sort((a, b) => rankOf(a.disaster.severity) - rankOf(b.disaster.severity) || a.index - b.index)
    .slice(0, NAMED_MAX);
  const summary: EvidenceDraft[] = [
    {
      ...about,
      label: "Climate disasters under way",
      value: counted(present.length, "disaster"),
      factText: `The lists of current disasters contain ${all} in ${inText}: ${listed(types.map(([type, number]) => counted(number, type)))}.`,
      url: listOf(worst[0]?.disaster.source),
    },
  ];
  return [
    ...(present.length > 1 ? summary : []),
    ...worst.map(({ disaster }): EvidenceDraft => {
      const { name, type, severity, source, sourceUrl, startedAt } = disaster;
      const title = plain(name, NAME_CHARACTERS_MAX);
      const level = severity === undefined ? "" : ` at severity ${plain(severity, NAME_CHARACTERS_MAX)}`;
      const since = startedAt === undefined ? "" : ` since ${day(startedAt)}`;
      return {
        ...about,
        label: `Disaster: ${type}`,
        value: severity ?? "under way",
        factText: `${source} lists the ${type} '${title}' in ${inText} as under way${since}${level}.`,
        url: sourceUrl ?? listOf(source),
      };
    }),
  ];
}

interface Disaster {
  readonly countryCode?: string;
  readonly countryCodes?: readonly string[];
  readonly startedAt?: number;
}

function isIn({ countryCode, countryCodes }: Disaster, code: string): boolean {
  return countryCode === code || countryCodes?.includes(code) === true;
}

/** Tests whether a disaster has begun. A disaster without a start date is assumed to have begun. */
function hasBegun({ startedAt }: Disaster, now: number): boolean {
  return startedAt === undefined || startedAt <= now;
}

const lists: Readonly<Record<string, string>> = {
  "NASA EONET": "https://eonet.gsfc.nasa.gov/",
  "NOAA NHC": "https://www.nhc.noaa.gov/",
  ReliefWeb: "https://reliefweb.int/disasters",
};

/** Returns the address of a publisher's disaster list. For several disasters, pass the publisher of the worst one. */
function listOf(source: string | undefined): string {
  return lists[source ?? ""] ?? "https://www.gdacs.org/";
}

/**
 * A week's weather is regarded as unusual if it deviates from the normal by at least this much. The list of climate
 * anomalies uses the same limits.
 */
const ODD = { temperatureC: 3, precipitationMm: 6 };
const ZONES_MAX = 2;
const tenths = (value: number): number => Math.round(value * 10) / 10 + 0;

/** States unusual weeks in the climate zones in or beside the country. */
export function climateEvidence(
  { code }: Subject,
  { weather, normals }: EvidenceIngredients,
): readonly EvidenceDraft[] {
  const [recent, usual] = [usable(weather), usable(normals)];
  if (!recent || !usual) return [];
  const drafts = zonesNear(code).flatMap(({ id, name }): readonly EvidenceDraft[] => {
    const week = recent.view.get(id);
    const normal = week && usual.view.get(id)?.months[new Date(week.lastDay).getUTCMonth()];
    if (!week || !normal) return [];
    const degrees = tenths(week.temperatureC - normal.temperatureC);
    const millimetres = tenths(week.precipitationMm - normal.precipitationMm);
    if (Math.abs(degrees) < ODD.temperatureC && Math.abs(millimetres) < ODD.precipitationMm) return [];
    const heat = `${decimal(Math.abs(degrees))} °C ${degrees < 0 ? "colder" : "warmer"}`;
    const rain = `${decimal(Math.abs(millimetres))} mm a day ${millimetres < 0 ? "drier" : "wetter"}`;
    return [
      {
        kind: "climate",
        label: `Climate zone ${name}`,
        value: `${decimal(degrees)} °C, ${decimal(millimetres)} mm a day`,
        factText: `At the reference point of the climate zone ${name}, the days from ${days(week.firstDay, week.lastDay)} were ${heat} and ${rain} than the normal of 1991-2020.`,
        at: week.lastDay,
        age: "climate",
        url: "https://open-meteo.com/en/docs/historical-weather-api",
      },
    ];
  });
  return drafts.slice(0, ZONES_MAX);
}

const airPages: Readonly<Record<string, string>> = {
  OpenAQ: "https://openaq.org/",
  WAQI: "https://aqicn.org/",
  "Open-Meteo (model)": "https://open-meteo.com/en/docs/air-quality-api",
};

/** States the worst air quality known in the country. */
export function airEvidence({ code, inText }: Subject, { air }: EvidenceIngredients): readonly EvidenceDraft[] {
  const worst = usable(air)?.view.find(({ countryCode }) => countryCode === code);
  if (!worst) return [];
  const { aqi, riskLevel, pm25, measuredAt, source } = worst;
  const dust = pm25 === undefined ? "" : ` and PM2.5 at ${decimal(pm25)} µg/m³`;
  const how = source.includes("model") ? "modelled" : "measured";
  return [
    {
      kind: "air-quality",
      label: "Worst air quality",
      value: `US AQI ${aqi}`,
      factText: `The worst air known in ${inText} is that of ${plain(worst.city, NAME_CHARACTERS_MAX)} with a US AQI of ${aqi} (${riskLevel})${dust}, ${how} on ${moment(measuredAt)} (${source.replace(" (model)", "")}).`,
      at: measuredAt,
      age: "airQuality",
      url: airPages[source] ?? "https://openaq.org/",
    },
  ];
}

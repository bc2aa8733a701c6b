import { airportByIata } from "../../../../geography/airports.js";
import { DAY_MS } from "../../../../kit/clock.js";
import { counted } from "../../../../kit/counted.js";
import { day, listed, plain } from "../phrases.js";
import type { EvidenceDraft, Subject } from "./draft.js";
import { type EvidenceIngredients, usable } from "./ingredients.js";

const ANOMALY_DAYS = 7;
const NAME_CHARACTERS_MAX = 80;

/** Returns evidence about the country's internet traffic anomalies of the last seven days. */
export function internetEvidence(
  { code, inText }: Subject,
  { internet }: EvidenceIngredients,
): readonly EvidenceDraft[] {
  const snapshot = usable(internet);
  const since = (snapshot?.checkedAt ?? 0) - ANOMALY_DAYS * DAY_MS;
  const listedNow = (snapshot?.view.byCountry.get(code) ?? []).filter(({ startDate }) => startDate >= since);
  const [newest] = listedNow;
  if (!snapshot || !newest) return [];
  const lasting = listedNow.filter(({ endDate }) => endDate === 0).length;
  const network = newest.asnName ? `, in the network ${plain(newest.asnName, NAME_CHARACTERS_MAX)}` : "";
  const began = `began on ${day(newest.startDate)}${network}`;
  const lastingText = `${counted(lasting, "anomaly has", "anomalies have")} not ended`;
  const course =
    listedNow.length === 1
      ? `it ${began}${network ? "," : ""} and has ${lasting === 0 ? "" : "not "}ended`
      : `${lasting === 0 ? "all have ended" : lastingText}; the newest ${began}`;
  const all = counted(listedNow.length, "internet traffic anomaly", "internet traffic anomalies");
  return [
    {
      kind: "internet",
      label: "Internet traffic anomalies, Cloudflare Radar",
      value: counted(listedNow.length, "anomaly", "anomalies"),
      factText: `Cloudflare Radar lists ${all} of the last seven days in ${inText}; ${course}.`,
      at: snapshot.checkedAt,
      age: "internet",
      url: "https://radar.cloudflare.com/outage-center",
    },
  ];
}

const severities = ["SEVERE", "MAJOR", "MODERATE", "MINOR"];
const AIRPORTS_MAX = 2;
const REASON_CHARACTERS_MAX = 80;

const troubles: Readonly<Record<string, string>> = {
  GROUND_STOP: "a ground stop",
  GROUND_DELAY: "a ground delay",
  DEPARTURE_DELAY: "departure delays",
  ARRIVAL_DELAY: "arrival delays",
  CLOSURE: "a closure",
};

/** Returns evidence that lists the country's airports with delays or closures, and evidence about the worst of them. */
export function aviationEvidence(
  { code, inText }: Subject,
  { airports }: EvidenceIngredients,
): readonly EvidenceDraft[] {
  const alerts = usable(airports)?.view.alerts ?? [];
  const disrupted = alerts
    .filter(({ iata }) => airportByIata(iata)?.countryCode === code)
    .map((alert) => ({ alert, rank: severities.indexOf(alert.severity.replace("FLIGHT_DELAY_SEVERITY_", "")) }))
    .filter(({ rank }) => rank >= 0)
    .sort((a, b) => a.rank - b.rank || a.alert.iata.localeCompare(b.alert.iata));
  if (disrupted.length === 0) return [];
  const about = { kind: "aviation", age: "aviation" } as const;
  const all = counted(disrupted.length, "monitored airport");
  return [
    {
      ...about,
      label: "Airport disruption",
      value: counted(disrupted.length, "airport"),
      factText: `Delays or closures are reported for ${all} in ${inText}: ${listed(disrupted.slice(0, 10).map(({ alert }) => alert.iata))}${disrupted.length > 10 ? " and others" : ""}.`,
      at: Math.max(...disrupted.map(({ alert }) => alert.updatedAt ?? 0)),
      url: pageOf(disrupted[0]?.alert.source),
    },
    ...disrupted.slice(0, AIRPORTS_MAX).map(({ alert, rank }): EvidenceDraft => {
      const { iata, name, avgDelayMinutes, delayType, reason, updatedAt = 0 } = alert;
      const trouble = troubles[delayType.replace("FLIGHT_DELAY_TYPE_", "")] ?? "disruption";
      const minutes = avgDelayMinutes === undefined ? "" : ` averaging ${counted(avgDelayMinutes, "minute")}`;
      const why = reason === undefined ? "" : `; the stated reason is '${plain(reason, REASON_CHARACTERS_MAX)}'`;
      const severity = (severities[rank] ?? "").toLowerCase();
      return {
        ...about,
        label: `Airport ${iata}`,
        value: severity,
        factText: `${plain(name, NAME_CHARACTERS_MAX)} (${iata}) reports ${trouble}${minutes}, severity ${severity}${why}.`,
        at: updatedAt,
        url: pageOf(alert.source),
      };
    }),
  ];
}

const pages: Readonly<Record<string, string>> = {
  FLIGHT_DELAY_SOURCE_FAA: "https://nasstatus.faa.gov/",
  FLIGHT_DELAY_SOURCE_NOTAM: "https://dataservices.icao.int/",
};

/** Returns the address of an alert's publisher. For several alerts, pass the publisher of the worst one. */
function pageOf(source: string | undefined): string {
  return pages[source ?? ""] ?? "https://aviationstack.com/documentation";
}

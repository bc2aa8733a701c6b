import { dataset, type Opened, part, type RecordsOf } from "../../../contract/dataset.js";
import type { Source } from "../../../contract/source.js";
import { HOUR_MS } from "../../../kit/clock.js";
import type { AirQualityStation } from "../records.js";
import { worstFirst } from "../rules/air-quality.js";
import { contentAges } from "../rules/content-ages.js";
import { openMeteoAirQuality } from "../sources/stations/open-meteo-air-quality.js";
import { OPENAQ_ROWS_MAX, type OpenAqPlan, openAq } from "../sources/stations/openaq.js";
import { waqi } from "../sources/stations/waqi.js";

const READING_AGE_MS_MAX = 2 * HOUR_MS;
const STALE_AFTER_MS = 3 * HOUR_MS;

/**
 * Declares the part for one network of stations. The readings are dropped once the network has been unreadable for
 * `keptMaxMs`.
 */
const network = (source: Source<OpenAqPlan, AirQualityStation>) =>
  part<AirQualityStation, OpenAqPlan>({
    sources: [source],
    identity: ["city", "station", "lat", "lng"],
    plan: ({ now }) => ({ since: now - READING_AGE_MS_MAX }),
    optional: true,
    keptMaxMs: STALE_AFTER_MS,
    select: (stations, now, tally) =>
      tally.filter(stations, { "older than two hours": ({ measuredAt }) => measuredAt >= now - READING_AGE_MS_MAX }),
  });

const parts = {
  openaq: { ...network(openAq), opened: withoutCuts },
  waqi: network(waqi),
  cities: network(openMeteoAirQuality),
};

const STATIONS_MIN = 20;

/**
 * Removes the markers of incomplete lists, `{ kind: "cut", of }`, which an earlier version stored among the stations.
 */
function withoutCuts(stored: readonly unknown[]): Opened<AirQualityStation> {
  const cut = stored.flatMap((record) => {
    const { kind, of } = record as { readonly kind?: unknown; readonly of?: unknown };
    return kind === "cut" ? [of === "locations" ? "stations" : "readings"] : [];
  });
  // The cast is safe, because all other records are stations that this part stored.
  const records = stored.filter((record) => "aqi" in (record as object)) as readonly AirQualityStation[];
  if (cut.length === 0) return { records };
  const lacking = `it lists more than ${OPENAQ_ROWS_MAX} ${cut.join(" and ")}; the rest was not read`;
  return { records, lacking };
}

const stationsOf = (records: RecordsOf<typeof parts>): readonly AirQualityStation[] => Object.values(records).flat();

/** Current air quality, measured at stations and modelled for cities. */
export const airQuality = dataset({
  name: "air-quality",
  title: "Air quality of stations and cities",
  description:
    "PM2.5 and the US air quality index. Values for a fixed list of cities are modelled and need no key. Values from the stations of OpenAQ and WAQI are measured; each of the two networks needs its key.",
  cadenceMs: HOUR_MS,
  staleAfterMs: STALE_AFTER_MS,
  partAges: contentAges.airQuality.parts,
  gaps: [
    "Rows from Open-Meteo are model values, not measurements.",
    "WAQI publishes its index without naming the pollutant.",
    `At most ${OPENAQ_ROWS_MAX.toLocaleString("en")} stations of OpenAQ and as many readings are read; with more, the dataset is partial.`,
    "A station of OpenAQ is named by its town; several stations in one town are named by station and town.",
    "Readings older than two hours at collection are left out.",
  ],
  parts,
  gateRule: `at least ${STATIONS_MIN} readings of the last two hours`,
  gate(records) {
    const count = stationsOf(records).length;
    return count < STATIONS_MIN ? `${count} readings of the last two hours, needed ${STATIONS_MIN}` : undefined;
  },
  view: (records: RecordsOf<typeof parts>) => worstFirst(stationsOf(records)),
  newestAt: (records) =>
    stationsOf(records).reduce<number | null>(
      (newest, { measuredAt }) => Math.max(newest ?? measuredAt, measuredAt),
      null,
    ),
});

import { dataset, part, type RecordsOf } from "../../../contract/dataset.js";
import type { SourceOf } from "../../../contract/source.js";
import { HOUR_MS } from "../../../kit/clock.js";
import { contentAges } from "../../content-ages.js";
import { worstFirst } from "../air-quality.js";
import type { AirQualityStation } from "../records.js";
import { openMeteoAirQuality } from "../sources/open-meteo-air-quality.js";
import { type OpenAqRecord, openAq } from "../sources/openaq.js";
import { waqi } from "../sources/waqi.js";

const READING_AGE_MS_MAX = 2 * HOUR_MS;
const STALE_AFTER_MS = 3 * HOUR_MS;

/** One network, its records stations once their halves are joined; when it cannot be read for long its readings are taken out rather than shown as present. */
const network = (source: SourceOf<object, AirQualityStation | OpenAqRecord>) =>
  part<AirQualityStation | OpenAqRecord, object>({
    ...{ sources: [source], plan: () => ({}), optional: true, keptMaxMs: STALE_AFTER_MS },
    select: (stations, now) =>
      stations.filter((station) => isStation(station) && station.measuredAt >= now - READING_AGE_MS_MAX),
  });

const parts = {
  openaq: network(openAq),
  waqi: network(waqi),
  cities: network(openMeteoAirQuality),
};

const STATIONS_MIN = 20;

function isStation(record: AirQualityStation | OpenAqRecord): record is AirQualityStation {
  return "aqi" in record;
}

const stationsOf = (records: RecordsOf<typeof parts>): readonly AirQualityStation[] =>
  Object.values(records).flat().filter(isStation);

/** Air quality of now, measured by stations and modelled for cities. */
export const airQuality = dataset({
  name: "air-quality",
  title: "Air quality of stations and cities",
  description:
    "PM2.5 and the US air quality index: modelled for a fixed list of cities without a key, and measured at the stations of OpenAQ and WAQI with theirs.",
  cadenceMs: HOUR_MS,
  staleAfterMs: STALE_AFTER_MS,
  partAges: contentAges.airQuality.parts,
  gaps: [
    "Rows of the source Open-Meteo come from a model, not from an instrument in the city.",
    "WAQI gives its index without saying from which pollutant.",
    "Readings older than two hours when they are collected are left out.",
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

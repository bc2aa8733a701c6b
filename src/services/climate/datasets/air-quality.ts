import { dataset, part, type RecordsOf } from "../../../contract/dataset.js";
import type { SourceOf } from "../../../contract/source.js";
import { HOUR_MS } from "../../../kit/clock.js";
import type { AirQualityStation } from "../records.js";
import { worstFirst } from "../rules/air-quality.js";
import { contentAges } from "../rules/content-ages.js";
import { openMeteoAirQuality } from "../sources/stations/open-meteo-air-quality.js";
import { OPENAQ_ROWS_MAX, type OpenAqPlan, type OpenAqRecord, openAq } from "../sources/stations/openaq.js";
import { waqi } from "../sources/stations/waqi.js";

const READING_AGE_MS_MAX = 2 * HOUR_MS;
const STALE_AFTER_MS = 3 * HOUR_MS;

type Stored = AirQualityStation | OpenAqRecord;

/**
 * One network, its records stations once their halves are joined; when it cannot be read for long its readings are taken
 * out rather than shown as present.
 */
const network = (source: SourceOf<OpenAqPlan, Stored>) =>
  part<Stored, OpenAqPlan>({
    sources: [source],
    plan: ({ now }) => ({ since: now - READING_AGE_MS_MAX }),
    optional: true,
    keptMaxMs: STALE_AFTER_MS,
    select: (records, now) =>
      records.filter((record) =>
        isStation(record) ? record.measuredAt >= now - READING_AGE_MS_MAX : record.kind === "cut",
      ),
  });

const parts = {
  openaq: network(openAq),
  waqi: network(waqi),
  cities: network(openMeteoAirQuality),
};

const STATIONS_MIN = 20;

function isStation(record: Stored): record is AirQualityStation {
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
    `OpenAQ is read to at most ${OPENAQ_ROWS_MAX} stations and readings; where it lists more, the dataset is partial and says so.`,
    "A station of OpenAQ is named by its town; where several stand in one town, by its own name and the town.",
    "Readings older than two hours when they are collected are left out.",
  ],
  parts,
  gateRule: `at least ${STATIONS_MIN} readings of the last two hours`,
  gate(records) {
    const count = stationsOf(records).length;
    return count < STATIONS_MIN ? `${count} readings of the last two hours, needed ${STATIONS_MIN}` : undefined;
  },
  lacking({ openaq }) {
    const cut = openaq.flatMap((record) => ("kind" in record && record.kind === "cut" ? [record.of] : []));
    if (cut.length === 0) return undefined;
    const lists = cut.map((list) => (list === "locations" ? "stations" : "readings")).join(" and ");
    return `openaq: it lists more than ${OPENAQ_ROWS_MAX} ${lists}; those behind them were not read`;
  },
  view: (records: RecordsOf<typeof parts>) => worstFirst(stationsOf(records)),
  newestAt: (records) =>
    stationsOf(records).reduce<number | null>(
      (newest, { measuredAt }) => Math.max(newest ?? measuredAt, measuredAt),
      null,
    ),
});

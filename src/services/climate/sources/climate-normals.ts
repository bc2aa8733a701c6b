import { BadRow, source, step } from "../../../contract/source.js";
import type { ZoneNormals } from "../rules/anomaly.js";
import type { Zone } from "../rules/zones.js";
import { weatherRanges } from "./climate-ranges.js";
import {
  type ArchiveSpan,
  archiveRequest,
  completeDays,
  meanOf,
  openMeteoLicence,
  type WeatherDay,
  ZoneWeather,
  zoneRows,
} from "./open-meteo-archive.js";

const SPAN = { firstDay: Date.UTC(1991, 0, 1), lastDay: Date.UTC(2020, 11, 31) };
/** The free service tolerates at most thirty years of two zones per call. */
const ZONES_PER_CALL = 2;
/**
 * Minimum share of the days of a calendar month, over all thirty years, that must have values. If a month has a lower
 * share, the zone has no normals.
 */
const DAYS_RATIO_MIN = 0.9;
const YEARS = 30;

/** Normals of 1991-2020 by month, computed from thirty years of daily values of the ERA5 archive. */
export const climateNormals = source({
  id: "open-meteo-normals",
  title: "Open-Meteo historical weather, 1991 to 2020",
  home: "https://open-meteo.com/en/docs/historical-weather-api",
  seen: "described",
  licence: openMeteoLicence,
  steps: {
    years: step({
      ask: ({ zones }: { readonly zones: readonly Zone[] }): readonly ArchiveSpan[] =>
        Array.from({ length: Math.ceil(zones.length / ZONES_PER_CALL) }, (_, call) => ({
          ...SPAN,
          zones: zones.slice(call * ZONES_PER_CALL, (call + 1) * ZONES_PER_CALL),
        })),
      request: archiveRequest,
      format: { kind: "json" },
      row: ZoneWeather,
      rows: zoneRows,
      record({ zone: id, location }, { zones }): ZoneNormals {
        const zone = zones.find((candidate) => candidate.id === id);
        if (!zone) throw new BadRow(`no zone is called ${id}`);
        const byMonth: WeatherDay[][] = Array.from({ length: 12 }, () => []);
        for (const day of completeDays(location)) byMonth[Number(day.day.slice(5, 7)) - 1]?.push(day);
        const months = byMonth.map((days, month) => {
          const needed = new Date(Date.UTC(2021, month + 1, 0)).getUTCDate() * YEARS * DAYS_RATIO_MIN;
          if (days.length < needed)
            throw new BadRow(`month ${month + 1} of ${id} has ${days.length} days, needed ${needed}`);
          return meanOf(days);
        });
        return { zone: id, latitude: zone.latitude, longitude: zone.longitude, months };
      },
    }),
  },
  ranges: weatherRanges,
  observedAt: () => SPAN.lastDay,
});

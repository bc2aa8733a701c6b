import { BadRow, LeftOut, source, step } from "../../../contract/source.js";
import { DAY_MS } from "../../../kit/clock.js";
import type { RecentWeather } from "../rules/anomaly.js";
import type { Zone } from "../rules/zones.js";
import { weatherRanges } from "./climate-ranges.js";
import {
  archiveRequest,
  completeDays,
  meanOf,
  openMeteoLicence,
  yesterday,
  ZoneWeather,
  zoneRows,
} from "./open-meteo-archive.js";

const SPAN_DAYS = 21;
const MEAN_DAYS = 7;

/** Mean weather of the last seven complete days, from the last three weeks of the ERA5 archive. */
export const recentWeather = source({
  id: "open-meteo-archive",
  title: "Open-Meteo historical weather, last three weeks",
  home: "https://open-meteo.com/en/docs/historical-weather-api",
  seen: "described",
  licence: openMeteoLicence,
  steps: {
    days: step({
      ask({ zones, now }: { readonly zones: readonly Zone[]; readonly now: number }) {
        const lastDay = yesterday(now);
        return [{ zones, firstDay: lastDay - (SPAN_DAYS - 1) * DAY_MS, lastDay }];
      },
      request: archiveRequest,
      format: { kind: "json" },
      row: ZoneWeather,
      rows: zoneRows,
      record({ zone, location }): RecentWeather | LeftOut {
        const days = completeDays(location).slice(-MEAN_DAYS);
        const [first, last] = [days[0], days.at(-1)];
        if (!first || !last || days.length < MEAN_DAYS) return new LeftOut("fewer than seven complete days");
        const [firstDay, lastDay] = [first, last].map(({ day }) => Date.parse(`${day}T00:00:00Z`));
        if (!firstDay || !lastDay) throw new BadRow(`${first.day} or ${last.day} is not a calendar date`);
        return { zone, firstDay, lastDay, ...meanOf(days) };
      },
    }),
  },
  ranges: weatherRanges,
  observedAt: ({ lastDay }) => lastDay,
});

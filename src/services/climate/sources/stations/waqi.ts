import { Type } from "typebox";
import { Value } from "typebox/value";
import { query } from "../../../../contract/auth.js";
import { BadRow, LeftOut, SourceFailure, source, step } from "../../../../contract/source.js";
import { countryAt } from "../../../../geography/country-at.js";
import type { AirQualityStation } from "../../records.js";
import { riskLevelOf } from "../../rules/air-quality.js";
import { airRanges } from "../climate-ranges.js";
import { instantOf } from "../instant.js";
import { positionOf } from "./coordinates.js";

/** The world in six tiles, each as "south,west,north,east" in degrees. */
const tiles = [-90, 0].flatMap((south) =>
  [-180, -60, 60].map((west) => [south, west, south + 90, west + 120].join(",")),
);

const Answer = Type.Object({ status: Type.Literal("ok"), data: Type.Array(Type.Unknown()) });
const Refusal = Type.Object({ status: Type.String(), data: Type.String() });

const AQI_MAX = 999;

/** Air quality index of the stations of the World Air Quality Index project. */
export const waqi = source({
  id: "waqi",
  title: "World Air Quality Index, stations on a map",
  home: "https://aqicn.org/api/",
  seen: "described",
  licence: {
    name: "Non-commercial, with attribution",
    url: "https://aqicn.org/api/tos/",
    attribution: "World Air Quality Index Project and the agencies it names",
    open: false,
  },
  auth: query("token", {
    variable: "WAQI_API_KEY",
    description: "Free token for WAQI; adds the air quality index of its stations",
  }),
  steps: {
    tile: step({
      ask: () => tiles,
      request: (latlng) => ({ key: `tile ${latlng}`, url: `https://api.waqi.info/map/bounds/?latlng=${latlng}` }),
      format: { kind: "json" },
      row: Type.Object({
        lat: Type.Unknown(),
        lon: Type.Unknown(),
        aqi: Type.Union([Type.String(), Type.Number()]),
        station: Type.Object({ name: Type.String({ minLength: 1 }), time: Type.String() }),
      }),
      *rows(document, latlng) {
        // Errors have status 200, with a message in place of the stations.
        if (Value.Check(Refusal, document))
          throw new SourceFailure("unavailable", `WAQI answered "${document.data.slice(0, 80)}"`);
        if (!Value.Check(Answer, document)) throw new SourceFailure("changed", `expected data[] in tile ${latlng}`);
        yield* document.data;
      },
      record({ lat, lon, aqi: index, station }): AirQualityStation | LeftOut {
        if (index === "-" || index === "") return new LeftOut("no value");
        const measuredAt = instantOf(station.time);
        const aqi = Number(index);
        if (!Number.isInteger(aqi) || aqi < 0 || aqi > AQI_MAX)
          throw new BadRow(`"${String(index).slice(0, 20)}" is not an index`);
        const position = positionOf(lat, lon);
        const countryCode = position && countryAt({ latitude: position.lat, longitude: position.lng });
        return {
          city: station.name,
          ...(countryCode !== undefined && { countryCode }),
          ...position,
          aqi,
          riskLevel: riskLevelOf(aqi),
          measuredAt,
          source: "WAQI",
        };
      },
    }),
  },
  ranges: airRanges,
  observedAt: ({ measuredAt }) => measuredAt,
});

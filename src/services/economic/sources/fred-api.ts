import { Type } from "typebox";
import { Value } from "typebox/value";
import { query } from "../../../contract/auth.js";
import { SourceFailure, source, step } from "../../../contract/source.js";
import { indexRanges } from "./economic-ranges.js";
import { FredObservation, fredLicence, indexPoint, type SeriesPlan } from "./fred-observation.js";

const Envelope = Type.Object({ observations: Type.Array(Type.Unknown()) });

/** One monthly index series from FRED's API, which needs a free key. */
export const fredApi = source({
  id: "fred-api",
  title: "FRED API, series observations",
  home: "https://fred.stlouisfed.org/docs/api/fred/series_observations.html",
  seen: "recorded",
  licence: fredLicence,
  auth: query("api_key", {
    variable: "FRED_API_KEY",
    description: "Free key for the FRED API; without it the CSV export is used",
  }),
  steps: {
    series: step({
      request: ({ series }: SeriesPlan) => ({
        key: series,
        url: `https://api.stlouisfed.org/fred/series/observations?series_id=${series}&file_type=json&observation_start=1947-01-01`,
      }),
      format: { kind: "json" },
      row: FredObservation,
      *rows(document) {
        if (!Value.Check(Envelope, document))
          throw new SourceFailure("changed", "expected an object with observations[]");
        yield* document.observations;
      },
      record: indexPoint,
    }),
  },
  ranges: indexRanges,
  observedAt: (point) => point.month,
});

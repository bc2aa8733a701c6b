import { SourceFailure, source, step } from "../../../contract/source.js";
import { indexRanges } from "./economic-ranges.js";
import { FredObservation, fredLicence, indexPoint, type SeriesPlan } from "./fred-observation.js";

/** One monthly index series from FRED's graph export, which needs no key. */
export const fredGraph = source({
  id: "fred-graph",
  title: "FRED graph export (CSV)",
  home: "https://fred.stlouisfed.org/",
  seen: "recorded",
  licence: fredLicence,
  steps: {
    series: step({
      request: ({ series }: SeriesPlan) => ({
        key: series,
        url: `https://fred.stlouisfed.org/graph/fredgraph.csv?id=${series}`,
      }),
      format: { kind: "csv" },
      row: FredObservation,
      *rows(table, { series }) {
        const [dateColumn, valueColumn] = table.header;
        // The date column was called DATE until 2024.
        if ((dateColumn !== "observation_date" && dateColumn !== "DATE") || valueColumn !== series) {
          const columns = table.header.join(",").slice(0, 80);
          throw new SourceFailure("changed", `expected the columns observation_date,${series}, got ${columns}`);
        }
        for (const row of table.rows) yield { date: row[dateColumn], value: row[valueColumn] };
      },
      record: indexPoint,
    }),
  },
  ranges: indexRanges,
  observedAt: (point) => point.month,
});

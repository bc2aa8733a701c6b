import { type CsvTable, SourceFailure, type SourceRequest, source } from "../../../contract/source.js";
import { annualYears, type CandidateRelease, earlierCandidates, firstOf, newestCandidates } from "./ucdp-releases.js";
import { GedRow, gedEvent, reachStart, ucdpLicence } from "./ucdp-row.js";

const DOWNLOADS = "https://ucdp.uu.se/downloads/";
const MIB = 1024 * 1024;
/** All events since 1989: some 40 MiB packed and 300 unpacked, growing by a tenth a year. */
const ANNUAL_BYTES_MAX = 160 * MIB;
const ANNUAL_UNZIPPED_BYTES_MAX = 768 * MIB;

interface Plan {
  readonly now: number;
}

type CsvRequest = SourceRequest<{ readonly kind: "csv" }>;

/** Events of the newest annual release, from its zipped CSV file; those of the years that may be served. */
export const gedAnnualFile = source({
  id: "ucdp-annual",
  title: "UCDP Georeferenced Event Dataset, annual file",
  home: DOWNLOADS,
  seen: "recorded",
  unseen: "a file of 2020 or later",
  licence: ucdpLicence,
  requests: ({ now }: Plan) => [
    firstOf(
      annualYears(now).map((year) => ({
        key: `annual file of ${year}`,
        url: `${DOWNLOADS}ged/ged${year % 100}1-csv.zip`,
        format: {
          kind: "csv" as const,
          unzippedBytesMax: ANNUAL_UNZIPPED_BYTES_MAX,
          // The year of an event is the one in which it ends.
          where: { column: "year", from: String(new Date(reachStart(now)).getUTCFullYear()) },
        },
        bytesMax: ANNUAL_BYTES_MAX,
        timeoutMs: 180_000,
      })),
    ),
  ],
  row: GedRow,
  rows: (document, { key }) => rowsOf(document, key),
  record: gedEvent,
  observedAt: ({ dateEnd }) => dateEnd,
  // Before a year's release is out, the last one may hold nothing that is young enough.
  rowsMin: 0,
});

/** Events since the newest annual release, from one CSV file for each month. */
export const gedCandidateFiles = source({
  id: "ucdp-candidate",
  title: "UCDP Georeferenced Event Dataset, monthly candidate files",
  home: DOWNLOADS,
  seen: "recorded",
  unseen: "a whole file; two rows were seen",
  licence: ucdpLicence,
  requests: ({ now }: Plan) => [firstOf(newestCandidates(now).map((release) => candidateFile("newest", release)))],
  row: GedRow,
  rows: (document, { key }) => rowsOf(document, key),
  more(document, request): readonly CsvRequest[] {
    const [, year, month] = (/^newest candidate file (\d+)-(\d+)$/.exec(request.key) ?? []).map(Number);
    if (year === undefined || month === undefined) return [];
    if (document.rows.length === 0) return request.orElse ? [request.orElse] : [];
    return earlierCandidates({ year, month }).map((release) => ({
      ...candidateFile("earlier", release),
      orElse: null,
    }));
  },
  record: gedEvent,
  observedAt: ({ dateEnd }) => dateEnd,
});

function candidateFile(place: "newest" | "earlier", { year, month }: CandidateRelease): CsvRequest {
  return {
    key: `${place} candidate file ${year}-${month}`,
    url: `${DOWNLOADS}candidateged/GEDEvent_v${year % 100}_0_${month}.csv`,
    format: { kind: "csv" },
    timeoutMs: 60_000,
  };
}

function rowsOf({ header, rows }: CsvTable, key: string): CsvTable["rows"] {
  const missing = Object.keys(GedRow.properties).filter((column) => !header.includes(column));
  if (missing.length > 0) throw new SourceFailure("changed", `${key} lacks the columns ${missing.join(", ")}`);
  return rows;
}

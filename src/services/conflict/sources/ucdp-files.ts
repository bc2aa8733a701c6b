import type { CsvTable } from "../../../contract/format.js";
import { SourceFailure, source, step } from "../../../contract/source.js";
import { eventRanges } from "./event-ranges.js";
import { annualYears, type CandidateRelease, earlierCandidates, newestCandidates } from "./ucdp-releases.js";
import { GedRow, gedEvent, reachStart, ucdpLicence } from "./ucdp-row.js";

const DOWNLOADS = "https://ucdp.uu.se/downloads/";
const MIB = 1024 * 1024;
/**
 * The annual file has all events since 1989: about 40 MiB zipped and 300 MiB unzipped. It grows by a tenth every year.
 */
const ANNUAL_BYTES_MAX = 160 * MIB;
const ANNUAL_UNZIPPED_BYTES_MAX = 768 * MIB;

interface Plan {
  readonly now: number;
}

/** The file of a year, and the earlier years to try if it is missing. */
interface AnnualFile {
  readonly year: number;
  readonly older: readonly number[];
  /** The first year whose events may be served. */
  readonly fromYear: number;
}

/** Events of the served years from the zipped CSV file of the newest annual release. */
export const gedAnnualFile = source({
  id: "ucdp-annual",
  title: "UCDP Georeferenced Event Dataset, annual file",
  home: DOWNLOADS,
  seen: "recorded",
  unseen: "a file of 2020 or later",
  licence: ucdpLicence,
  steps: {
    file: step({
      ask: ({ now }: Plan) => annualFiles(annualYears(now), new Date(reachStart(now)).getUTCFullYear()),
      request: ({ year, fromYear }) => ({
        key: `annual file of ${year}`,
        url: `${DOWNLOADS}ged/ged${year % 100}1-csv.zip`,
        // An event belongs to the year in which it ends.
        where: { column: "year", from: String(fromYear) },
        bytesMax: ANNUAL_BYTES_MAX,
        timeoutMs: 180_000,
      }),
      instead: ({ status }, { older, fromYear }) =>
        status === 404 && older.length > 0 ? annualFiles(older, fromYear) : undefined,
      format: { kind: "csv", unzippedBytesMax: ANNUAL_UNZIPPED_BYTES_MAX },
      row: GedRow,
      rows: (table, { year }) => rowsOf(table, `the annual file of ${year}`),
      record: gedEvent,
      // Until a year's release is published, the previous release may have no recent event.
      rowsMin: 0,
    }),
  },
  ranges: eventRanges,
  observedAt: ({ dateEnd }) => dateEnd,
});

/** Requests the file of the first year. If the file is missing, the other years are tried in their order. */
function annualFiles([year, ...older]: readonly number[], fromYear: number): readonly AnnualFile[] {
  return year === undefined ? [] : [{ year, older, fromYear }];
}

/** The file of one month's candidate release, and the older releases to try if it is missing or empty. */
interface CandidateFile {
  readonly release: CandidateRelease;
  /** The newest file is requested first. The earlier files are requested once the newest has been read. */
  readonly place: "newest" | "earlier";
  readonly older: readonly CandidateRelease[];
}

/** Events after the period that the newest annual release covers, from one CSV file for each month. */
export const gedCandidateFiles = source({
  id: "ucdp-candidate",
  title: "UCDP Georeferenced Event Dataset, monthly candidate files",
  home: DOWNLOADS,
  seen: "recorded",
  unseen: "complete files (only two rows have been recorded)",
  licence: ucdpLicence,
  steps: {
    file: step({
      ask: ({ now }: Plan) => newestFile(newestCandidates(now)),
      request: ({ place, release: { year, month } }) => ({
        key: `${place} candidate file ${year}-${month}`,
        url: `${DOWNLOADS}candidateged/GEDEvent_v${year % 100}_0_${month}.csv`,
        timeoutMs: 60_000,
      }),
      /**
       * If the newest file is missing, the previous month's file is tried instead. Earlier months without a file are
       * skipped.
       */
      instead({ status }, { place, older }) {
        if (status !== 404) return undefined;
        if (place === "earlier") return [];
        return older.length > 0 ? newestFile(older) : undefined;
      },
      format: { kind: "csv" },
      row: GedRow,
      rows: (table, { release: { year, month } }) => rowsOf(table, `the candidate file of ${year}-${month}`),
      record: gedEvent,
      more({ rows }, { place, release, older }) {
        if (place === "earlier") return [];
        const [firstRow] = rows;
        if (firstRow === undefined) return newestFile(older);
        return earlierCandidates(release).map(
          (earlier): CandidateFile => ({ place: "earlier", release: earlier, older: [] }),
        );
      },
    }),
  },
  ranges: eventRanges,
  observedAt: ({ dateEnd }) => dateEnd,
});

/**
 * Requests the file of the first release as the newest. If the file is missing or empty, the other releases are tried
 * in their order.
 */
function newestFile([release, ...older]: readonly CandidateRelease[]): readonly CandidateFile[] {
  return release === undefined ? [] : [{ release, place: "newest", older }];
}

function rowsOf({ header, rows }: CsvTable, file: string): CsvTable["rows"] {
  const missing = Object.keys(GedRow.properties).filter((column) => !header.includes(column));
  if (missing.length > 0) throw new SourceFailure("changed", `${file} lacks the columns ${missing.join(", ")}`);
  return rows;
}

import { Type } from "typebox";
import { Value } from "typebox/value";
import { followUp, LeftOut, SourceFailure, source, step } from "../../../contract/source.js";
import { summariesOf } from "../rules/humanitarian.js";
import { dayOf } from "./cells.js";
import { eventRanges } from "./event-ranges.js";
import { figuresOf, HapiRow, hapiColumns, hapiLicence, monthOf } from "./hapi-row.js";

const PACKAGE = "https://data.humdata.org/api/3/action/package_show?id=hdx-hapi-conflict-event";
const FILE_BYTES_MAX = 64 * 1024 * 1024;

const Package = Type.Object({
  success: Type.Literal(true),
  result: Type.Object({ resources: Type.Array(Type.Unknown()) }),
});

/** A yearly file of the package. */
interface YearlyFile {
  readonly url: string;
  readonly year: string;
}

const file = followUp({
  request: ({ url, year }: YearlyFile) => ({
    key: `file of ${year}`,
    url,
    bytesMax: FILE_BYTES_MAX,
    timeoutMs: 120_000,
  }),
  format: { kind: "csv" },
  row: HapiRow,
  rows({ header, rows }, { year }) {
    const missing = hapiColumns.filter((column) => !header.includes(column));
    if (missing.length === 0) return rows;
    throw new SourceFailure("changed", `the file of ${year} lacks the columns ${missing.join(", ")}`);
  },
  record: figuresOf,
  observedAt: ({ period }) => dayOf(period),
});

const list = step({
  request: () => ({ key: "package", url: PACKAGE }),
  format: { kind: "json" },
  row: Type.Object({ url: Type.String() }),
  rows(document) {
    if (Value.Check(Package, document)) return document.result.resources;
    throw new SourceFailure("changed", "expected success and result.resources[]");
  },
  /** Keeps the yearly files that are on HDX's own host. */
  record({ url }): YearlyFile | LeftOut {
    const year = /^https:\/\/data\.humdata\.org\/.*_(\d{4})\.csv$/.exec(url)?.[1];
    return year === undefined ? new LeftOut("not a yearly file") : { url, year };
  },
  // A package without resources fails in `next`, like a package without yearly files.
  rowsMin: 0,
  next(files) {
    if (files.length === 0) throw new SourceFailure("changed", "no resource is a yearly CSV file; expected one");
    const newest = files.toSorted((a, b) => b.year.localeCompare(a.year)).slice(0, 2);
    return newest.map(file.about);
  },
});

/**
 * Reads the figures that the HDX Humanitarian API also serves, from HDX's two newest yearly CSV files. One file is not
 * enough, because the file of a new year is empty until the second month of that year.
 */
export const hapiConflictCsv = source({
  id: "hdx-hapi-conflict-csv",
  title: "HDX, conflict events as yearly CSV",
  home: "https://data.humdata.org/dataset/hdx-hapi-conflict-event",
  seen: "recorded",
  unseen: "the list of yearly files",
  licence: hapiLicence,
  steps: { list, file },
  combine({ list, file: { records } }, tally) {
    tally.joined("entries of the list of files", list.records.length);
    return summariesOf(records, tally);
  },
  ranges: eventRanges,
  observedAt: monthOf,
});

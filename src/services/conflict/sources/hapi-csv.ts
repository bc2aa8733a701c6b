import { Type } from "typebox";
import { Value } from "typebox/value";
import { type CsvTable, SourceFailure, type SourceRequest, source } from "../../../contract/source.js";
import { summariesOf } from "../rules/humanitarian.js";
import {
  figuresOf,
  HapiRow,
  type HumanitarianRecord,
  hapiColumns,
  hapiLicence,
  isFigures,
  monthOf,
} from "./hapi-row.js";

const PACKAGE = "https://data.humdata.org/api/3/action/package_show?id=hdx-hapi-conflict-event";
const FILE_BYTES_MAX = 64 * 1024 * 1024;

type PackageFormat = { readonly kind: "json" } | { readonly kind: "csv" };

const Package = Type.Object({
  success: Type.Literal(true),
  result: Type.Object({ resources: Type.Array(Type.Object({ url: Type.String() })) }),
});

/** The same figures from the two newest of HDX's yearly CSV files: the year's own has nothing until its second month. */
export const hapiConflictCsv = source({
  id: "hdx-hapi-conflict-csv",
  title: "HDX, conflict events as yearly CSV",
  home: "https://data.humdata.org/dataset/hdx-hapi-conflict-event",
  seen: "recorded",
  unseen: "the list of yearly files",
  licence: hapiLicence,
  requests: (_plan: { readonly now: number }): readonly SourceRequest<PackageFormat>[] => [
    { key: "package", url: PACKAGE, format: { kind: "json" } },
  ],
  row: HapiRow,
  rows(document, { key, format }) {
    if (format.kind === "json") {
      newestFiles(document);
      return [];
    }
    const { header, rows } = document as CsvTable; // What the format of this request decodes to.
    const missing = hapiColumns.filter((column) => !header.includes(column));
    if (missing.length > 0) throw new SourceFailure("changed", `${key} lacks the columns ${missing.join(", ")}`);
    return rows;
  },
  more: (document, { format }) =>
    format.kind === "json"
      ? newestFiles(document).map(({ url, year }) => ({
          ...{ key: `file of ${year}`, url, format: { kind: "csv" } },
          ...{ bytesMax: FILE_BYTES_MAX, timeoutMs: 120_000 },
        }))
      : [],
  record: (row): HumanitarianRecord | undefined => figuresOf(row),
  observedAt: monthOf,
  assemble: (records): readonly HumanitarianRecord[] => summariesOf(records.filter(isFigures)),
});

/** Where the files of the newest two years are, on HDX's own host. */
function newestFiles(document: unknown): readonly { readonly url: string; readonly year: string }[] {
  if (!Value.Check(Package, document)) throw new SourceFailure("changed", "expected success and result.resources[]");
  const files = document.result.resources.flatMap(({ url }) => {
    const year = /^https:\/\/data\.humdata\.org\/.*_(\d{4})\.csv$/.exec(url)?.[1];
    return year === undefined ? [] : [{ url, year }];
  });
  if (files.length === 0) throw new SourceFailure("changed", "no resource is a yearly CSV file; expected one");
  return files.toSorted((a, b) => b.year.localeCompare(a.year)).slice(0, 2);
}

import { countryName } from "../../format.js";
import { type Column, DataTable } from "../../parts/data-table.js";
import type { FileRow } from "./company-file.js";
import { domicileCode } from "./company-texts.js";

interface ImportPreviewProps {
  readonly rows: readonly FileRow[];
  readonly isSent: boolean;
  readonly onImport: () => void;
}

/** The rows of a file, each with what the import will do or has done with it. */
export function ImportPreview({ rows, isSent, onImport }: ImportPreviewProps) {
  const countOf = (kind: FileRow["stage"]["kind"]): number => rows.filter(({ stage }) => stage.kind === kind).length;
  const ready = countOf("ready");
  return (
    <>
      <p class="row">
        <span role="status">
          {ready} ready, {countOf("created")} created, {countOf("there")} already present, {countOf("refused")} refused.
        </span>
        {ready > 0 && (
          <button type="button" class="primary" disabled={isSent} onClick={onImport}>
            Import {ready} {ready === 1 ? "company" : "companies"}
          </button>
        )}
      </p>
      <DataTable caption="Rows of the file" columns={columns} rows={rows} idOf={({ line }) => String(line)} />
    </>
  );
}

const kinds = { ready: "ready", created: "created", there: "already present", refused: "refused" } as const;

const columns: readonly Column<FileRow>[] = [
  { id: "line", name: "Line", cell: ({ line }) => line, sort: ({ line }) => line, isNumber: true },
  {
    id: "stage",
    name: "Outcome",
    cell: ({ stage }) => (
      <>
        <span class={stage.kind === "refused" ? "field-failure" : undefined}>{kinds[stage.kind]}</span>
        {"reason" in stage && <span class="quiet">: {stage.reason}</span>}
      </>
    ),
    sort: ({ stage }) => stage.kind,
  },
  { id: "name", name: "Company", cell: ({ company }) => company.name, sort: ({ company }) => company.name },
  {
    id: "country",
    name: "Domicile",
    cell: ({ company }) => countryName(domicileCode(company.domicileCountry)),
    sort: ({ company }) => company.domicileCountry,
  },
  { id: "reference", name: "Your reference", cell: ({ company }) => company.customerReference },
  {
    id: "claims",
    name: "Names and numbers",
    cell: ({ company: { aliases = [], domains = [], identifiers = [], socialHandles = [], locations = [] } }) =>
      [...identifiers, ...aliases, ...domains, ...socialHandles, ...locations].join("; "),
  },
];

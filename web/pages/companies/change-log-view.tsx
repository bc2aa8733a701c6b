import type { CompanyEventChange } from "../../../src/sdk/index.js";
import { useNow } from "../../clock.js";
import { agoText, instantText } from "../../format.js";
import { useParam } from "../../location.js";
import { type Column, DataTable } from "../../parts/data-table.js";
import { LogSign } from "../../parts/log-sign.js";
import type { ChangeLog, LogEntry } from "../../reads/change-log.js";
import { directionText, magnitudeText, revisionText } from "./company-texts.js";

interface ChangeLogViewProps {
  readonly names: ReadonlyMap<string, string>;
  readonly companyId: string | undefined;
  readonly log: ChangeLog<CompanyEventChange>;
}

/** Impact changes as they arrive, newest first. */
export function ChangeLogView({ names, companyId, log }: ChangeLogViewProps) {
  const now = useNow();
  const [, setImpact] = useParam("impact");
  const rows = log.entries.filter(({ change }) => companyId === undefined || change.impact.companyId === companyId);
  const columns: readonly Column<LogEntry<CompanyEventChange>>[] = [
    {
      id: "changed",
      name: "Changed (UTC)",
      isTight: true,
      cell: ({ change: { impact } }) => (
        <span title={agoText(impact.changedAt, now)}>{instantText(impact.changedAt)}</span>
      ),
    },
    {
      id: "company",
      name: "Company",
      cell: ({ change: { impact } }) => names.get(impact.companyId) ?? impact.companyId,
    },
    { id: "revision", name: "Revision", cell: ({ change: { impact } }) => revisionText(impact) },
    {
      id: "impact",
      name: "Impact",
      cell: ({ change: { impact } }) => `${directionText(impact.direction)}, ${magnitudeText(impact)}`,
    },
    { id: "position", name: "Position", cell: ({ position }) => position, isNumber: true },
  ];
  return (
    <section class="card">
      <header class="read-head">
        <h2>Impact changes</h2>
        <LogSign log={log} />
      </header>
      {rows.length === 0 && log.version > 0 && (
        <p class="notice empty">
          {companyId === undefined ? "The log has no changes yet." : "The log has no changes of this company yet."} The
          first one appears here automatically.
        </p>
      )}
      {rows.length > 0 && (
        <DataTable
          caption="Impact changes"
          columns={columns}
          rows={rows}
          idOf={({ position }) => String(position)}
          onChoice={({ change: { impact } }) => setImpact(impact.impactId)}
        />
      )}
    </section>
  );
}

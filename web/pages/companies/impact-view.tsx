import { useEffect } from "preact/hooks";
import type { CompanyEventChange, CompanyEvidenceReference, CompanyMaterialImpact } from "../../../src/sdk/index.js";
import { enumText, instantText, numberText } from "../../format.js";
import { type Column, DataTable } from "../../parts/data-table.js";
import { ReadFrame } from "../../parts/read-frame.js";
import { SafeLink } from "../../parts/safe-link.js";
import type { ChangeLog } from "../../reads/change-log.js";
import { useRead } from "../../reads/read.js";
import { directionText, magnitudeText, revisionText } from "./company-texts.js";

interface ImpactViewProps {
  readonly impactId: string;
  readonly names: ReadonlyMap<string, string>;
  readonly log: ChangeLog<CompanyEventChange>;
  readonly onClose: () => void;
}

/** One impact: its event, why it was admitted, its evidence and its revisions. */
export function ImpactView({ impactId, names, log, onClose }: ImpactViewProps) {
  const read = useRead("get-company-material-event", { impactId }, { hasPast: false, isLive: false });
  const revisions = log.entries.map(({ change }) => change.impact).filter((impact) => impact.impactId === impactId);
  useEffect(() => {
    if (revisions.length > 0) read.again();
  }, [revisions.length, read.again]);
  return (
    <ReadFrame
      read={read}
      title="Impact"
      tools={
        <button type="button" onClick={onClose}>
          Close
        </button>
      }
    >
      {({ event, impact, evidence, evidenceTotalCount, evidenceTruncated }) => (
        <>
          <h3>
            <SafeLink href={event.canonicalUrl}>{event.title}</SafeLink>
          </h3>
          <p>{event.summary}</p>
          <dl class="facts">
            <dt>Company</dt>
            <dd>{names.get(impact.companyId) ?? impact.companyId}</dd>
            <dt>Event</dt>
            <dd>
              {event.category.replaceAll("_", " ")}, {instantText(event.occurredAt)} UTC
            </dd>
            <dt>Impact</dt>
            <dd>
              {directionText(impact.direction)}, {magnitudeText(impact)}; {revisionText(impact)}
            </dd>
            <dt>Why</dt>
            <dd>{impact.rationale}</dd>
            <dt>Confidence (0–1)</dt>
            <dd>
              {numberText(impact.confidence.overall, 2)} overall, the lowest of three: concerns the company{" "}
              {numberText(impact.confidence.attribution, 2)}, has happened{" "}
              {numberText(impact.confidence.occurrenceTruth, 2)}, is material{" "}
              {numberText(impact.confidence.materialImpact, 2)}
            </dd>
          </dl>
          <h3>
            Evidence <span class="quiet">({evidenceTotalCount})</span>
          </h3>
          <DataTable
            caption="Evidence"
            columns={evidenceColumns}
            rows={evidence}
            idOf={({ evidenceId }) => evidenceId}
          />
          {evidenceTruncated && (
            <p class="quiet">
              The first {evidence.length} of {evidenceTotalCount} references.
            </p>
          )}
          <h3>Revisions</h3>
          <Revisions revisions={revisions} isCut={log.isCut} current={impact} />
        </>
      )}
    </ReadFrame>
  );
}

interface RevisionsProps {
  readonly revisions: readonly CompanyMaterialImpact[];
  readonly isCut: boolean;
  readonly current: CompanyMaterialImpact;
}

function Revisions({ revisions, isCut, current }: RevisionsProps) {
  // The log may not have delivered the newest revision yet, or may not reach back to it.
  const isListed = revisions.some(({ impactRevision }) => impactRevision === current.impactRevision);
  const rows = isListed ? revisions : [current, ...revisions];
  return (
    <>
      <DataTable
        caption="Revisions"
        columns={revisionColumns}
        rows={rows}
        idOf={({ impactRevision }) => String(impactRevision)}
      />
      {(isCut || rows.at(-1)?.impactRevision !== 1) && (
        <p class="quiet">Earlier revisions are outside the part of the log that this page follows.</p>
      )}
    </>
  );
}

const evidenceColumns: readonly Column<CompanyEvidenceReference>[] = [
  {
    id: "published",
    name: "Published (UTC)",
    isTight: true,
    cell: ({ publishedAt }) => instantText(publishedAt),
    sort: ({ publishedAt }) => publishedAt,
  },
  {
    id: "publisher",
    name: "Publisher",
    cell: ({ publisher, canonicalUrl }) => <SafeLink href={canonicalUrl}>{publisher}</SafeLink>,
    sort: ({ publisher }) => publisher,
  },
  { id: "tier", name: "Authority", cell: ({ authorityTier }) => enumText(authorityTier, "EVIDENCE_AUTHORITY_TIER_") },
  { id: "provider", name: "Found by", cell: ({ provider }) => enumText(provider, "MONITORING_PROVIDER_") },
  { id: "excerpt", name: "Excerpt", cell: ({ excerpt }) => excerpt },
];

const revisionColumns: readonly Column<CompanyMaterialImpact>[] = [
  { id: "revision", name: "Revision", cell: ({ impactRevision }) => impactRevision, isNumber: true },
  { id: "changed", name: "Changed (UTC)", isTight: true, cell: ({ changedAt }) => instantText(changedAt) },
  { id: "lifecycle", name: "State", cell: ({ lifecycle }) => enumText(lifecycle, "MATERIAL_IMPACT_LIFECYCLE_") },
  { id: "impact", name: "Impact", cell: (impact) => `${directionText(impact.direction)}, ${magnitudeText(impact)}` },
  {
    id: "confidence",
    name: "Confidence (0–1)",
    cell: ({ confidence }) => numberText(confidence.overall, 2),
    isNumber: true,
  },
  { id: "evidence", name: "Evidence", cell: ({ evidenceTotalCount }) => evidenceTotalCount, isNumber: true },
  { id: "why", name: "Why", cell: ({ rationale }) => rationale },
];

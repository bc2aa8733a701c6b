import { useEffect, useMemo, useState } from "preact/hooks";
import type {
  CompanyEventChange,
  CompanyMaterialImpact,
  GetCompanyMaterialEventResponse,
  ListCompanyEventImpactsResponse,
} from "../../../src/sdk/index.js";
import { instantText, numberText } from "../../format.js";
import { useParam } from "../../location.js";
import { type Column, DataTable } from "../../parts/data-table.js";
import { ReadFrame } from "../../parts/read-frame.js";
import type { ChangeLog } from "../../reads/change-log.js";
import { useEach } from "../../reads/each.js";
import { useRead } from "../../reads/read.js";
import { channelsText, directionText, magnitudeText, revisionText } from "./company-texts.js";
import { ImpactView } from "./impact-view.js";

const PAGE_SIZE = 100;
const EVERY_MS = 60_000;

interface ImpactListProps {
  readonly names: ReadonlyMap<string, string>;
  /** The company whose impacts are shown; all companies if undefined. */
  readonly companyId: string | undefined;
  readonly log: ChangeLog<CompanyEventChange>;
}

/** The current impacts on the companies, and the details of the selected impact. */
export function ImpactList({ names, companyId, log }: ImpactListProps) {
  const [impactId, setImpact] = useParam("impact");
  const [direction, setDirection] = useParam("direction");
  const params = {
    pageSize: PAGE_SIZE,
    ...(companyId !== undefined && { companyId: [companyId] }),
    ...(direction !== "" && { direction: [direction] }),
  };
  const options = { hasPast: false, isLive: false, everyMs: EVERY_MS, allPages: true };
  const read = useRead("list-company-event-impacts", params, options);
  useEffect(() => {
    if (log.version > 0) read.again();
  }, [log.version, read.again]);
  const impacts = read.kind === "ready" ? read.answer.data.impacts : [];
  const [drawn, setDrawn] = useState<ReadonlySet<string>>(NONE_DRAWN);
  const events = useEach(
    "get-company-material-event",
    impacts
      .filter(({ impactId: id }) => drawn.has(id))
      .map((impact) => [keyOf(impact), { impactId: impact.impactId }] as const),
  );
  const columns = useMemo(() => columnsOf(names, events), [names, events]);
  const tools = (
    <span class="field">
      <label for="impact-direction">Direction</label>
      <select
        id="impact-direction"
        value={direction}
        onChange={({ currentTarget }) => setDirection(currentTarget.value)}
      >
        <option value="">any</option>
        <option value="MATERIAL_IMPACT_DIRECTION_NEGATIVE">negative</option>
        <option value="MATERIAL_IMPACT_DIRECTION_POSITIVE">positive</option>
        <option value="MATERIAL_IMPACT_DIRECTION_MIXED">mixed</option>
      </select>
    </span>
  );
  const empty = {
    when: ({ impacts: rows }: ListCompanyEventImpactsResponse) => rows.length === 0,
    text: "No impacts are known. Each company's coverage shows whether, and up to when, this can be trusted.",
  };
  const name = companyId === undefined ? undefined : names.get(companyId);
  return (
    <>
      <ReadFrame read={read} title={name === undefined ? "Impacts" : `Impacts on ${name}`} empty={empty} tools={tools}>
        {({ impacts: rows }) => (
          <DataTable
            caption="Impacts"
            columns={columns}
            rows={rows}
            idOf={({ impactId: id }) => id}
            chosen={impactId}
            onChoice={({ impactId: id }) => setImpact(id)}
            onDrawn={setDrawn}
          />
        )}
      </ReadFrame>
      {impactId !== "" && (
        <ImpactView key={impactId} impactId={impactId} names={names} log={log} onClose={() => setImpact("")} />
      )}
    </>
  );
}

const NONE_DRAWN: ReadonlySet<string> = new Set();

type Events = ReadonlyMap<string, GetCompanyMaterialEventResponse>;

/** The key contains the revision, because a revision can change the event's title. */
const keyOf = ({ impactId, impactRevision }: CompanyMaterialImpact): string => `${impactId} ${impactRevision}`;

function columnsOf(names: ReadonlyMap<string, string>, events: Events): readonly Column<CompanyMaterialImpact>[] {
  const nameOf = ({ companyId }: CompanyMaterialImpact): string => names.get(companyId) ?? companyId;
  return [
    {
      id: "occurred",
      name: "Occurred (UTC)",
      isTight: true,
      cell: ({ occurredAt }) => instantText(occurredAt),
      sort: ({ occurredAt }) => occurredAt,
    },
    { id: "company", name: "Company", cell: nameOf, sort: nameOf },
    { id: "event", name: "Event", cell: (impact) => events.get(keyOf(impact))?.event.title ?? "…" },
    {
      id: "impact",
      name: "Impact",
      cell: (impact) => `${directionText(impact.direction)}, ${magnitudeText(impact)}`,
      sort: ({ direction }) => direction,
    },
    { id: "channels", name: "On", cell: channelsText },
    { id: "lifecycle", name: "State", cell: revisionText, sort: ({ lifecycle }) => lifecycle },
    {
      id: "confidence",
      name: "Confidence (0–1)",
      cell: ({ confidence }) => numberText(confidence.overall, 2),
      sort: ({ confidence }) => confidence.overall,
      isNumber: true,
    },
    {
      id: "evidence",
      name: "Evidence",
      cell: ({ evidenceTotalCount }) => evidenceTotalCount,
      sort: ({ evidenceTotalCount }) => evidenceTotalCount,
      isNumber: true,
    },
  ];
}

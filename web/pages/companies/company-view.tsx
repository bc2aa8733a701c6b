import { useEffect, useRef, useState } from "preact/hooks";
import type { MonitoredCompany } from "../../../src/sdk/index.js";
import { vigil } from "../../client.js";
import { countryName, enumText } from "../../format.js";
import { ConfirmDialog } from "../../parts/confirm-dialog.js";
import { ReadFrame } from "../../parts/read-frame.js";
import { SafeLink } from "../../parts/safe-link.js";
import { failureText } from "../../reads/failure-text.js";
import { useRead } from "../../reads/read.js";
import { useWrite } from "../../writes/write.js";
import { ClaimTable } from "./claim-table.js";
import { domicileCode } from "./company-texts.js";
import { CoverageFacts } from "./coverage-facts.js";
import { EditForm } from "./edit-form.js";

const EVERY_MS = 30_000;
type Lifecycle = MonitoredCompany["lifecycle"];

interface CompanyViewProps {
  readonly company: MonitoredCompany;
  readonly version: number;
  readonly onChange: () => void;
  readonly onClose: () => void;
}

/** One company: its scan coverage, its identifiers, and buttons to edit, pause and remove it. */
export function CompanyView({ company, version, onChange, onClose }: CompanyViewProps) {
  const { companyId, name, lifecycle, claims, canonicalUrl, domicileCountry } = company;
  const isRemoved = lifecycle === "MONITORED_COMPANY_LIFECYCLE_REMOVED";
  const read = useRead(
    "get-company-coverage",
    { companyId },
    { hasPast: false, isLive: false, everyMs: EVERY_MS, isWanted: !isRemoved },
  );
  const readVersion = useRef(version);
  useEffect(() => {
    if (version === readVersion.current) return;
    readVersion.current = version;
    read.again();
  }, [version, read.again]);
  const country = countryName(domicileCode(domicileCountry));
  const [isEdited, setEdited] = useState(false);
  const editButton = useRef<HTMLButtonElement>(null);
  const stopEditing = (): void => {
    setEdited(false);
    editButton.current?.focus();
  };
  const facts = (
    <p class="row">
      <span>
        {country || "Domicile not known"}, {enumText(lifecycle, "MONITORED_COMPANY_LIFECYCLE_")}
      </span>
      {canonicalUrl !== undefined && <SafeLink href={canonicalUrl}>{canonicalUrl}</SafeLink>}
      <span class="spacer" />
      {!isRemoved && (
        <>
          <button ref={editButton} type="button" aria-expanded={isEdited} onClick={() => setEdited(!isEdited)}>
            Edit
          </button>
          <Lifecycles company={company} onChange={onChange} onClose={onClose} />
        </>
      )}
      <button type="button" onClick={onClose}>
        Close
      </button>
    </p>
  );
  if (isRemoved) {
    return (
      <section class="card" aria-label={name}>
        <h2>{name}</h2>
        {facts}
        <p class="notice">This company was removed, which is final. Add the company again to monitor it.</p>
      </section>
    );
  }
  return (
    <ReadFrame read={read} title={`Coverage of ${name}`}>
      {({ coverage }) => (
        <>
          {facts}
          {isEdited && <EditForm company={company} onChange={onChange} onClose={stopEditing} />}
          <CoverageFacts coverage={coverage} />
          <ClaimTable claims={claims} />
        </>
      )}
    </ReadFrame>
  );
}

/** Pauses, resumes and removes a company. */
function Lifecycles({ company, onChange, onClose }: Omit<CompanyViewProps, "version">) {
  const { companyId, name, lifecycle } = company;
  const [isAsked, setAsked] = useState(false);
  const set = (targetLifecycle: Lifecycle) =>
    vigil.companyMonitoring.setMonitoredCompanyState({ companyId, targetLifecycle });
  const { isSent, failure, send } = useWrite(async (targetLifecycle: Lifecycle) => {
    await set(targetLifecycle);
    onChange();
  });
  const isPaused = lifecycle === "MONITORED_COMPANY_LIFECYCLE_PAUSED";
  const other = isPaused ? "MONITORED_COMPANY_LIFECYCLE_ACTIVE" : "MONITORED_COMPANY_LIFECYCLE_PAUSED";
  const closed = (isDone: boolean): void => {
    setAsked(false);
    if (!isDone) return;
    onClose();
    onChange();
    // The button that had the focus was removed together with the company.
    document.getElementById("main")?.focus();
  };
  return (
    <>
      {failure !== undefined && (
        <span class="field-failure" role="alert">
          {failureText(failure)}
        </span>
      )}
      <button type="button" disabled={isSent} onClick={() => send(other)}>
        {isPaused ? "Resume" : "Pause"}
      </button>
      <button type="button" onClick={() => setAsked(true)}>
        Remove…
      </button>
      {isAsked && (
        <ConfirmDialog
          title={`Remove ${name}?`}
          action="Remove"
          onConfirm={() => set("MONITORED_COMPANY_LIFECYCLE_REMOVED")}
          onClose={closed}
        >
          <p>
            Its scans end and its names and numbers are deleted. This is final; its impacts stay in the log. To stop for
            a while, pause it instead.
          </p>
        </ConfirmDialog>
      )}
    </>
  );
}

import { useState } from "preact/hooks";
import type { MonitoredCompany } from "../../../src/sdk/index.js";
import { vigil } from "../../client.js";
import { type CompanyDraft, draftOf, patchOf } from "./company-draft.js";
import { CompanyForm } from "./company-form.js";

interface EditFormProps {
  readonly company: MonitoredCompany;
  readonly onChange: () => void;
  readonly onClose: () => void;
}

/** Edits the names and identifiers of a company. */
export function EditForm({ company, onChange, onClose }: EditFormProps) {
  // The patch is computed against the company as it was when the form opened. It therefore contains only the user's
  // changes and does not undo changes that others make at the same time.
  const [before] = useState(company);
  const { companyId, name } = before;
  const patch = (draft: CompanyDraft) => patchOf(before, draft);
  return (
    <CompanyForm
      title={`Edit ${name}`}
      action="Save"
      initial={draftOf(before)}
      hasFocus
      patchOf={patch}
      onSend={(draft) => vigil.companyMonitoring.updateMonitoredCompany({ companyId, patch: patch(draft) })}
      onSent={() => {
        onChange();
        onClose();
      }}
    >
      <button type="button" onClick={onClose}>
        Cancel
      </button>
      <span class="quiet">After a new name or register number, coverage starts anew.</span>
    </CompanyForm>
  );
}

import { useState } from "preact/hooks";
import { vigil } from "../../client.js";
import { EMPTY_DRAFT, inputOf } from "./company-draft.js";
import { CompanyForm } from "./company-form.js";

/** Adds companies to the portfolio one by one. */
export function AddForm({ onChange }: { readonly onChange: () => void }) {
  const [added, setAdded] = useState<readonly string[]>([]);
  const last = added.at(-1);
  return (
    <CompanyForm
      key={added.length}
      title="Add a company"
      action="Add"
      initial={EMPTY_DRAFT}
      hasFocus={last !== undefined}
      onSend={(draft) => vigil.companyMonitoring.createMonitoredCompany({ company: inputOf(draft) })}
      onSent={({ name }) => {
        setAdded([...added, name]);
        onChange();
      }}
    >
      <span role="status">{last !== undefined && `${last} is monitored now.`}</span>
    </CompanyForm>
  );
}

import { useState } from "preact/hooks";
import type { MonitoredCompany } from "../../../src/sdk/index.js";
import { AddForm } from "./add-form.js";
import { ImportForm } from "./import-form.js";

interface NewCompaniesProps {
  readonly portfolio: readonly MonitoredCompany[];
  readonly onChange: () => void;
}

/** The two ways to add companies to the portfolio. */
export function NewCompanies({ portfolio, onChange }: NewCompaniesProps) {
  const [open, setOpen] = useState<"add" | "import">();
  const toggle = (form: "add" | "import") => () => setOpen(open === form ? undefined : form);
  return (
    <div class="new-companies">
      <div class="row">
        <button type="button" class="primary" aria-expanded={open === "add"} onClick={toggle("add")}>
          Add a company
        </button>
        <button type="button" aria-expanded={open === "import"} onClick={toggle("import")}>
          Import a CSV file
        </button>
      </div>
      {open === "add" && <AddForm onChange={onChange} />}
      {open === "import" && <ImportForm portfolio={portfolio} onChange={onChange} />}
    </div>
  );
}

import { useMemo, useRef, useState } from "preact/hooks";
import { vigil } from "../../client.js";
import { countries } from "../../countries.js";
import { Field } from "../../parts/field.js";
import { fieldFailures, otherFailureText } from "../../writes/field-failures.js";
import { useWrite } from "../../writes/write.js";
import { listed } from "./company-file.js";

/** The members of a company that are lists, with what they are good for. */
const LISTS = [
  {
    member: "identifiers",
    label: "Register numbers",
    hint: "One a line: LEI 5493…, CIK 320193. They confirm the company.",
  },
  { member: "aliases", label: "Other names", hint: "One a line." },
  { member: "domains", label: "Domains", hint: "One a line, such as acme.example." },
  { member: "locations", label: "Places", hint: "One a line." },
  { member: "socialHandles", label: "Social handles", hint: "One a line." },
] as const;

type Lists = Readonly<Record<(typeof LISTS)[number]["member"], string>>;
const NO_LISTS: Lists = { identifiers: "", aliases: "", domains: "", locations: "", socialHandles: "" };

/** Adds one company to the portfolio. */
export function AddForm({ onChange }: { readonly onChange: () => void }) {
  const [name, setName] = useState("");
  const [country, setCountry] = useState("");
  const [reference, setReference] = useState("");
  const [lists, setLists] = useState(NO_LISTS);
  const [added, setAdded] = useState<string>();
  const nameInput = useRef<HTMLInputElement>(null);
  const options = useMemo(countries, []);
  const { isSent, failure, send } = useWrite(async () => {
    const entries = LISTS.map(({ member }) => [member, listed(lists[member], "\n")]);
    const domicileCountry = `DOMICILE_COUNTRY_${country}`;
    const company = { name, domicileCountry, customerReference: reference, ...Object.fromEntries(entries) };
    await vigil.companyMonitoring.createMonitoredCompany({ company });
  });
  const submit = async (event: Event): Promise<void> => {
    event.preventDefault();
    setAdded(undefined);
    if (!(await send())) return;
    setAdded(name);
    setName("");
    setReference("");
    setLists(NO_LISTS);
    nameInput.current?.focus();
    onChange();
  };
  const failures = fieldFailures(failure);
  /** A list has a failure of its own for each entry. */
  const failureOf = (member: string): string | undefined => {
    const own = [...failures].filter(([field]) => field.replace(/\[\d+\]$/, "") === `company.${member}`);
    return own.length === 0 ? undefined : own.map(([, text]) => text).join(" ");
  };
  const shown = ["name", "domicileCountry", "customerReference", ...LISTS.map(({ member }) => member)];
  const isShown = (field: string): boolean => shown.includes(field.replace(/^company\./, "").replace(/\[\d+\]$/, ""));
  const other = otherFailureText(failure, isShown);
  return (
    <form class="card company-form" aria-label="Add a company" onSubmit={submit}>
      <Field label="Name" failure={failureOf("name")}>
        {(input) => (
          <input
            {...input}
            ref={nameInput}
            required
            maxLength={256}
            autocomplete="off"
            value={name}
            onInput={({ currentTarget }) => setName(currentTarget.value)}
          />
        )}
      </Field>
      <Field label="Country of domicile" failure={failureOf("domicileCountry")}>
        {(input) => (
          <select {...input} required value={country} onChange={({ currentTarget }) => setCountry(currentTarget.value)}>
            <option value="">Choose a country</option>
            {options.map(({ code, name: text }) => (
              <option key={code} value={code}>
                {text}
              </option>
            ))}
          </select>
        )}
      </Field>
      <Field
        label="Your reference"
        hint="Optional. Your own id of the company, unique in the account."
        failure={failureOf("customerReference")}
      >
        {(input) => (
          <input
            {...input}
            maxLength={128}
            autocomplete="off"
            value={reference}
            onInput={({ currentTarget }) => setReference(currentTarget.value)}
          />
        )}
      </Field>
      {LISTS.map(({ member, label, hint }) => (
        <Field key={member} label={label} hint={hint} failure={failureOf(member)}>
          {(input) => (
            <textarea
              {...input}
              rows={2}
              value={lists[member]}
              onInput={({ currentTarget }) => setLists({ ...lists, [member]: currentTarget.value })}
            />
          )}
        </Field>
      ))}
      <div class="form-end">
        <button type="submit" class="primary" disabled={isSent}>
          Add
        </button>
        <span role="status">{added !== undefined && `${added} is monitored now.`}</span>
        {other !== undefined && (
          <p class="notice failed" role="alert">
            {other}
          </p>
        )}
      </div>
    </form>
  );
}

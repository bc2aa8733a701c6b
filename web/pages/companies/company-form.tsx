import type { ComponentChildren } from "preact";
import { useEffect, useMemo, useRef, useState } from "preact/hooks";
import type { MonitoredCompanyPatch } from "../../../src/sdk/index.js";
import { countries } from "../../countries.js";
import { Field } from "../../parts/field.js";
import { fieldFailures, otherFailureText } from "../../writes/field-failures.js";
import { useWrite } from "../../writes/write.js";
import { type CompanyDraft, LISTS, memberOf } from "./company-draft.js";

interface CompanyFormProps {
  readonly title: string;
  /** Label of the submit button. */
  readonly action: string;
  readonly initial: CompanyDraft;
  /** True to focus the name input when the form appears. */
  readonly hasFocus: boolean;
  /** Returns the patch sent for a draft. Paths of violations refer to this patch. Omitted in the form of a new company. */
  readonly patchOf?: (draft: CompanyDraft) => MonitoredCompanyPatch;
  readonly onSend: (draft: CompanyDraft) => Promise<unknown>;
  readonly onSent: (draft: CompanyDraft) => void;
  /** Shown beside the button. */
  readonly children: ComponentChildren;
}

const MEMBERS: readonly string[] = [
  "name",
  "domicileCountry",
  "customerReference",
  ...LISTS.map(({ member }) => member),
];

/** The inputs of a company. The reason for a rejected value is shown below its input. */
export function CompanyForm(props: CompanyFormProps) {
  const { title, action, initial, hasFocus, patchOf, onSend, onSent, children } = props;
  const [draft, setDraft] = useState(initial);
  const nameInput = useRef<HTMLInputElement>(null);
  const options = useMemo(countries, []);
  const { isSent, failure, send } = useWrite(() => onSend(draft));
  useEffect(() => {
    if (hasFocus) nameInput.current?.focus();
  }, [hasFocus]);
  const submit = async (event: Event): Promise<void> => {
    event.preventDefault();
    if (await send()) onSent(draft);
  };
  const set = (changes: Partial<CompanyDraft>): void => setDraft({ ...draft, ...changes });
  const inputOf = (path: string): string => memberOf(path, patchOf?.(draft));
  /** Joins the failures, because a list can have one for each entry. */
  const failureOf = (member: string): string | undefined => {
    const own = [...fieldFailures(failure)].filter(([path]) => inputOf(path) === member);
    return own.length === 0 ? undefined : own.map(([, text]) => text).join(" ");
  };
  const other = otherFailureText(failure, (path) => MEMBERS.includes(inputOf(path)));
  return (
    <form class="card company-form" aria-label={title} onSubmit={submit}>
      <Field label="Name" failure={failureOf("name")}>
        {(input) => (
          <input
            {...input}
            ref={nameInput}
            required
            maxLength={256}
            autocomplete="off"
            value={draft.name}
            onInput={({ currentTarget }) => set({ name: currentTarget.value })}
          />
        )}
      </Field>
      <Field label="Country of domicile" failure={failureOf("domicileCountry")}>
        {(input) => (
          <select
            {...input}
            required
            value={draft.country}
            onChange={({ currentTarget }) => set({ country: currentTarget.value })}
          >
            <option value="">Choose a country</option>
            {options.map(({ code, name }) => (
              <option key={code} value={code}>
                {name}
              </option>
            ))}
          </select>
        )}
      </Field>
      <Field
        label="Your reference"
        hint="Optional. Your own id for the company, unique in the account."
        failure={failureOf("customerReference")}
      >
        {(input) => (
          <input
            {...input}
            maxLength={128}
            autocomplete="off"
            value={draft.reference}
            onInput={({ currentTarget }) => set({ reference: currentTarget.value })}
          />
        )}
      </Field>
      {LISTS.map(({ member, label, hint }) => (
        <Field key={member} label={label} hint={hint} failure={failureOf(member)}>
          {(input) => (
            <textarea
              {...input}
              rows={2}
              value={draft.lists[member]}
              onInput={({ currentTarget }) => set({ lists: { ...draft.lists, [member]: currentTarget.value } })}
            />
          )}
        </Field>
      ))}
      <div class="form-end">
        <button type="submit" class="primary" disabled={isSent}>
          {action}
        </button>
        {children}
        {other !== undefined && (
          <p class="notice failed" role="alert">
            {other}
          </p>
        )}
      </div>
    </form>
  );
}

import { useState } from "preact/hooks";
import { CodeText } from "../../parts/code-text.js";
import { Field } from "../../parts/field.js";
import type { Operation, Parameter } from "./catalogue.js";

type Values = Readonly<Record<string, string>>;

interface OperationFormProps {
  readonly operation: Operation;
  readonly values: Values;
  readonly onSend: (values: Values) => void;
}

/**
 * Parameters that the page sets elsewhere: `jmespath` has its own box, and `as_of` is the instant that all pages show.
 */
const elsewhere: ReadonlySet<string> = new Set(["jmespath", "as_of"]);

/** Parameters that most reads have and few callers need. */
const rare: ReadonlySet<string> = new Set(["cursor", "explain", "format", "signature", "since_generation", "vintages"]);

/** The parameters of a read. */
export function OperationForm({ operation, values, onSend }: OperationFormProps) {
  const [draft, setDraft] = useState(values);
  const shown = operation.parameters.filter(({ name }) => !elsewhere.has(name));
  const fields = (parameters: readonly Parameter[]) =>
    parameters.map((parameter) => (
      <Field key={parameter.name} label={parameter.name} hint={<CodeText text={parameter.description} />}>
        {(input) => (
          <ParameterInput
            {...input}
            parameter={parameter}
            value={draft[parameter.name] ?? ""}
            onValue={(value) => setDraft({ ...draft, [parameter.name]: value })}
          />
        )}
      </Field>
    ));
  const isRare = ({ name }: Parameter): boolean => rare.has(name);
  const submit = (event: Event): void => {
    event.preventDefault();
    onSend(Object.fromEntries(Object.entries(draft).filter(([, value]) => value !== "")));
  };
  return (
    <form class="operation-form" onSubmit={submit}>
      {fields(shown.filter((parameter) => !isRare(parameter)))}
      {shown.some(isRare) && (
        <details
          class="more"
          open={shown.some((parameter) => isRare(parameter) && values[parameter.name] !== undefined)}
        >
          <summary>More parameters</summary>
          <div class="operation-form">{fields(shown.filter(isRare))}</div>
        </details>
      )}
      <p class="row">
        <button type="submit" class="primary">
          Call
        </button>
      </p>
    </form>
  );
}

interface ParameterInputProps {
  readonly id: string;
  readonly "aria-describedby": string | undefined;
  readonly parameter: Parameter;
  readonly value: string;
  readonly onValue: (value: string) => void;
}

function ParameterInput({ parameter, value, onValue, id, "aria-describedby": described }: ParameterInputProps) {
  const { choices, isRequired } = parameter;
  if (choices.length === 0) {
    return (
      <input
        id={id}
        aria-describedby={described}
        required={isRequired}
        value={value}
        onInput={({ currentTarget }) => onValue(currentTarget.value)}
      />
    );
  }
  return (
    <select
      id={id}
      aria-describedby={described}
      required={isRequired}
      value={value}
      onChange={({ currentTarget }) => onValue(currentTarget.value)}
    >
      <option value="">default</option>
      {choices.map((choice) => (
        <option key={choice} value={choice}>
          {choice}
        </option>
      ))}
    </select>
  );
}

import type { ComponentChildren } from "preact";
import { useId } from "preact/hooks";

/** The attributes of a field's input. With them, screen readers announce the hint and the failure. */
export interface FieldInput {
  readonly id: string;
  readonly "aria-describedby": string | undefined;
  readonly "aria-invalid": boolean | undefined;
}

interface FieldProps {
  readonly label: string;
  readonly hint?: ComponentChildren;
  /** The reason why the value was rejected. */
  readonly failure?: string | undefined;
  readonly children: (input: FieldInput) => ComponentChildren;
}

/** An input with its label above, and its hint and failure below. */
export function Field({ label, hint, failure, children }: FieldProps) {
  const id = useId();
  const said = [hint !== undefined && `${id}-hint`, failure !== undefined && `${id}-failure`].filter(Boolean).join(" ");
  return (
    <div class="form-field">
      <label for={id}>{label}</label>
      {children({ id, "aria-describedby": said || undefined, "aria-invalid": failure !== undefined || undefined })}
      {hint !== undefined && (
        <p class="quiet hint" id={`${id}-hint`}>
          {hint}
        </p>
      )}
      {failure !== undefined && (
        <p class="field-failure" id={`${id}-failure`} role="alert">
          {failure}
        </p>
      )}
    </div>
  );
}

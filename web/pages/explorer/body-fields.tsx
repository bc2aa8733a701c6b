import { CodeText } from "../../parts/code-text.js";
import { Field, type FieldInput } from "../../parts/field.js";
import type { BodyDraft, Member } from "./body.js";

interface BodyFieldsProps {
  readonly members: readonly Member[];
  readonly draft: BodyDraft;
  readonly onDraft: (draft: BodyDraft) => void;
  /** The reasons why values were refused, by the paths of their members. */
  readonly failures: ReadonlyMap<string, string>;
  /** True in an object that may be left out: the browser must not require its members. */
  readonly isOptional?: boolean;
}

/** The inputs of a body; an object in it is a group of inputs. */
export function BodyFields(props: BodyFieldsProps) {
  const { members, draft, onDraft, failures, isOptional = false } = props;
  return (
    <>
      {members.map((member) =>
        member.kind === "group" ? (
          <fieldset key={member.path} class="body-group">
            <legend>{labelOf(member)}</legend>
            <p class="quiet hint">
              <CodeText text={member.description} />
            </p>
            {failures.has(member.path) && (
              <p class="field-failure" role="alert">
                {failures.get(member.path)}
              </p>
            )}
            <div class="operation-form">
              <BodyFields {...props} members={member.members} isOptional={isOptional || !member.isRequired} />
            </div>
          </fieldset>
        ) : (
          <Field
            key={member.path}
            label={labelOf(member)}
            hint={<CodeText text={hintOf(member)} />}
            failure={failures.get(member.path)}
          >
            {(input) => (
              <MemberInput
                member={member}
                isRequired={member.isRequired && !isOptional}
                input={input}
                value={draft[member.path] ?? ""}
                onValue={(value) => onDraft({ ...draft, [member.path]: value })}
              />
            )}
          </Field>
        ),
      )}
    </>
  );
}

/** The paths of all members that show their own failure. */
export function pathsIn(members: readonly Member[]): ReadonlySet<string> {
  const paths = (all: readonly Member[]): readonly string[] =>
    all.flatMap((member) => [member.path, ...(member.kind === "group" ? paths(member.members) : [])]);
  return new Set(paths(members));
}

function labelOf({ name, isRequired }: Member): string {
  return isRequired ? `${name} (required)` : name;
}

function hintOf(member: Exclude<Member, { kind: "group" }>): string {
  const { kind, choices, description } = member;
  if (kind === "json") return `${description}. JSON.`;
  if (kind !== "lines") return description;
  return choices.length === 0
    ? `${description}. One per line.`
    : `${description}. One per line. Allowed: ${choices.join(", ")}.`;
}

interface MemberInputProps {
  readonly member: Exclude<Member, { kind: "group" }>;
  readonly isRequired: boolean;
  readonly input: FieldInput;
  readonly value: string;
  readonly onValue: (value: string) => void;
}

function MemberInput({ member: { kind, choices }, isRequired, input, value, onValue }: MemberInputProps) {
  if (kind === "choice") {
    return (
      <select
        {...input}
        required={isRequired}
        value={value}
        onChange={({ currentTarget }) => onValue(currentTarget.value)}
      >
        <option value="">{isRequired ? "choose" : "default"}</option>
        {choices.map((choice) => (
          <option key={choice} value={choice}>
            {choice}
          </option>
        ))}
      </select>
    );
  }
  if (kind === "lines" || kind === "json") {
    return (
      <textarea
        {...input}
        rows={3}
        spellcheck={false}
        required={isRequired}
        value={value}
        onInput={({ currentTarget }) => onValue(currentTarget.value)}
      />
    );
  }
  return (
    <input
      {...input}
      required={isRequired}
      autocomplete="off"
      inputMode={kind === "number" ? "decimal" : undefined}
      value={value}
      onInput={({ currentTarget }) => onValue(currentTarget.value)}
    />
  );
}

import { useId } from "preact/hooks";
import { Field } from "../../parts/field.js";
import { callOf, comparesRows, type Draft, rowsOf } from "./draft.js";
import { TRIGGERS } from "./watch-texts.js";

interface WatchFieldsProps {
  readonly draft: Draft;
  readonly onDraft: (draft: Draft) => void;
  /** The names of operations that the field "Operation" suggests. */
  readonly operations: readonly string[];
  /** The current value of the condition. */
  readonly value: string | undefined;
  /** The problem with each member of the definition. */
  readonly troubles: Readonly<Record<string, string | undefined>>;
}

/** The inputs of a definition. Inputs that a trigger does not accept are hidden. */
export function WatchFields({ draft, onDraft, operations, value, troubles }: WatchFieldsProps) {
  const { on } = draft;
  const listId = useId();
  const set = (changes: Partial<Draft>): void => onDraft({ ...draft, ...changes });
  const setText = (member: keyof Draft) => (event: { readonly currentTarget: { readonly value: string } }) =>
    set({ [member]: event.currentTarget.value });
  const trigger = TRIGGERS.find((candidate) => candidate.on === on);
  const call = callOf(draft);
  const member = rowsOf(draft.operation);
  const now = value === undefined ? undefined : `Now: ${value}`;
  return (
    <>
      <Field label="Name" failure={troubles["name"]}>
        {(input) => (
          <input {...input} required maxLength={120} autocomplete="off" value={draft.name} onInput={setText("name")} />
        )}
      </Field>
      <Field label="Operation" hint="Any read that is answered from stored data.">
        {(input) => (
          <>
            <input
              {...input}
              required
              list={listId}
              autocomplete="off"
              value={draft.operation}
              onInput={setText("operation")}
            />
            <datalist id={listId}>
              {operations.map((name) => (
                <option key={name} value={name} />
              ))}
            </datalist>
          </>
        )}
      </Field>
      <Field label="Parameters" hint={call === "" ? "A JSON object." : <code>{call}</code>} failure={troubles["call"]}>
        {(input) => (
          <textarea {...input} rows={2} spellcheck={false} value={draft.params} onInput={setText("params")} />
        )}
      </Field>
      <Field label="Notify on" hint={trigger?.meaning} failure={troubles["on"]}>
        {(input) => (
          <select
            {...input}
            value={on}
            onChange={({ currentTarget }) => set({ on: currentTarget.value as Draft["on"] })}
          >
            {TRIGGERS.map(({ on: each, name }) => (
              <option key={each} value={each}>
                {name}
              </option>
            ))}
          </select>
        )}
      </Field>
      {on !== "WATCH_ON_STATE_CHANGES" && (
        <Field
          label="Condition"
          hint={now ?? `JMESPath on the whole answer${member === undefined ? "" : `; its rows are ${member}`}.`}
          failure={troubles["condition"]}
        >
          {(input) => (
            <textarea
              {...input}
              rows={2}
              spellcheck={false}
              required={!comparesRows(on)}
              value={draft.condition}
              onInput={setText("condition")}
            />
          )}
        </Field>
      )}
      {comparesRows(on) && (
        <Field
          label="Identity"
          hint="JMESPath that yields the identity of a row. Optional; by default, the list defines the identity."
          failure={troubles["identity"]}
        >
          {(input) => <input {...input} spellcheck={false} value={draft.identity} onInput={setText("identity")} />}
        </Field>
      )}
      {on === "WATCH_ON_THRESHOLD_CROSSED" && (
        <ThresholdFields draft={draft} set={set} failure={troubles["threshold"]} />
      )}
      <Field label="Quiet after a firing (minutes)" hint="Optional, at most 7 days." failure={troubles["quietSeconds"]}>
        {(input) => (
          <input
            {...input}
            type="number"
            step="any"
            min={0}
            max={10_080}
            value={draft.quietMinutes}
            onInput={setText("quietMinutes")}
          />
        )}
      </Field>
      {comparesRows(on) && (
        <Field label="Firings" failure={troubles["grouping"]}>
          {(input) => (
            <select
              {...input}
              value={draft.isByRow ? "row" : "all"}
              onChange={({ currentTarget }) => set({ isByRow: currentTarget.value === "row" })}
            >
              <option value="all">one for all rows of a change</option>
              <option value="row">one for each row, at most 20</option>
            </select>
          )}
        </Field>
      )}
      <Field
        label="Email to"
        hint="Optional, up to five addresses; each must confirm first. Every watch also has a feed, a stream and webhooks."
        failure={troubles["emails"]}
      >
        {(input) => <input {...input} autocomplete="off" value={draft.emails} onInput={setText("emails")} />}
      </Field>
    </>
  );
}

interface ThresholdFieldsProps {
  readonly draft: Draft;
  readonly set: (changes: Partial<Draft>) => void;
  readonly failure: string | undefined;
}

function ThresholdFields({ draft, set, failure }: ThresholdFieldsProps) {
  return (
    <>
      <Field label="Fires when the number is">
        {(input) => (
          <select
            {...input}
            value={draft.side}
            onChange={({ currentTarget }) => set({ side: currentTarget.value === "below" ? "below" : "above" })}
          >
            <option value="above">above</option>
            <option value="below">below</option>
          </select>
        )}
      </Field>
      <Field label="Threshold" hint="In the unit of the number." failure={failure}>
        {(input) => (
          <input
            {...input}
            type="number"
            step="any"
            required
            value={draft.threshold}
            onInput={({ currentTarget }) => set({ threshold: currentTarget.value })}
          />
        )}
      </Field>
      <Field label="Resolved when back at" hint="Optional; by default the threshold itself.">
        {(input) => (
          <input
            {...input}
            type="number"
            step="any"
            value={draft.clearsAt}
            onInput={({ currentTarget }) => set({ clearsAt: currentTarget.value })}
          />
        )}
      </Field>
    </>
  );
}

import { useEffect, useState } from "preact/hooks";
import type { WatchRequest, WrittenWatch } from "../../../src/sdk/index.js";
import { datasetCards } from "../../reads/dataset-cards.js";
import { fieldFailures, otherFailureText } from "../../writes/field-failures.js";
import { useWrite } from "../../writes/write.js";
import { type Draft, paramsIn, requestOf } from "./draft.js";
import { useDryRun } from "./dry-run.js";
import { DryRunView } from "./dry-run-view.js";
import { usePreview } from "./preview.js";
import { WatchFields } from "./watch-fields.js";

interface WatchFormProps {
  readonly title: string;
  /** Label of the submit button. */
  readonly action: string;
  readonly initial: Draft;
  readonly onSend: (definition: WatchRequest) => Promise<WrittenWatch>;
  readonly onSent: (watch: WrittenWatch) => void;
  readonly onClose: () => void;
}

/** The members whose failures the form shows. */
const FIELDS = ["name", "call", "on", "condition", "identity", "threshold", "quietSeconds", "grouping", "emails"];

/** The field of a violation: `definition.emails[1]` is `emails`. */
const fieldOf = (path: string): string => /^(?:definition\.)?(\w+)/.exec(path)?.[1] ?? path;
const isShown = (path: string): boolean => FIELDS.includes(fieldOf(path));

/** The definition of a watch, with a dry run over the past. */
export function WatchForm({ title, action, initial, onSend, onSent, onClose }: WatchFormProps) {
  const [draft, setDraft] = useState(initial);
  const operations = useOperations();
  const preview = usePreview(draft, operations.includes(draft.operation));
  const dryRun = useDryRun();
  const { isSent, failure, send } = useWrite(async () => {
    onSent(await onSend(requestOf(draft)));
  });
  const submit = async (event: Event): Promise<void> => {
    event.preventDefault();
    await send();
  };
  const failures = new Map<string, string>();
  for (const [path, text] of [...fieldFailures(dryRun.failure), ...fieldFailures(failure)]) {
    failures.set(fieldOf(path), text);
  }
  const callTrouble =
    paramsIn(draft.params) === undefined
      ? "The parameters must be a JSON object."
      : (preview.callTrouble ?? failures.get("call"));
  const trouble = otherFailureText(failure, isShown);
  const isReady = draft.operation !== "" && paramsIn(draft.params) !== undefined;
  return (
    <section class="card" aria-label={title}>
      <header class="read-head">
        <h2>{title}</h2>
        <span class="spacer" />
        <button type="button" onClick={onClose}>
          Close
        </button>
      </header>
      <form class="watch-form" onSubmit={submit}>
        <WatchFields
          draft={draft}
          onDraft={setDraft}
          operations={operations}
          value={preview.value}
          troubles={{
            ...Object.fromEntries(failures),
            call: callTrouble,
            condition: preview.conditionTrouble ?? failures.get("condition"),
            identity: preview.identityTrouble ?? failures.get("identity"),
          }}
        />
        <div class="form-end">
          <button type="submit" class="primary" disabled={isSent || !isReady}>
            {action}
          </button>
          {trouble !== undefined && (
            <p class="notice failed" role="alert">
              {trouble}
            </p>
          )}
        </div>
      </form>
      <DryRunView state={dryRun} definition={requestOf(draft)} isReady={isReady} isShown={isShown} />
    </section>
  );
}

/** The operations that are answered from datasets and can therefore be watched. */
function useOperations(): readonly string[] {
  const [operations, setOperations] = useState<readonly string[]>([]);
  useEffect(() => {
    datasetCards().then(
      (cards) => {
        const paths = [...cards.values()].flatMap((card) => card.operations);
        setOperations([...new Set(paths.map((path) => path.split("/").at(-1) ?? path))].sort());
      },
      // A name can be typed without the list; the service checks it.
      () => setOperations([]),
    );
  }, []);
  return operations;
}

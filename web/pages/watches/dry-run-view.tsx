import { useId, useState } from "preact/hooks";
import type { TestedWatchFiring, WatchRequest } from "../../../src/sdk/index.js";
import { instantText, numberText } from "../../format.js";
import { type Column, DataTable } from "../../parts/data-table.js";
import { otherFailureText } from "../../writes/field-failures.js";
import type { DryRunState } from "./dry-run.js";
import { FiringView } from "./firing-view.js";
import type { DryRun } from "./run-parts.js";
import { Timeline } from "./timeline.js";
import { firingText, kindText } from "./watch-texts.js";

const DAY_MS = 86_400_000;
const SPANS = [1, 7, 30, 90] as const;

interface DryRunViewProps {
  readonly state: DryRunState;
  readonly definition: WatchRequest;
  readonly isReady: boolean;
  /** True for a field that shows its own failure. */
  readonly isShown: (field: string) => boolean;
}

/** Runs the definition over the past, to preview its firings. */
export function DryRunView({ state, definition, isReady, isShown }: DryRunViewProps) {
  const id = useId();
  const [days, setDays] = useState<number>(7);
  const { run, isRunning, failure, start, goOn } = state;
  const trouble = otherFailureText(failure, isShown);
  const begin = () => start(definition, new Date(Date.now() - days * DAY_MS).toISOString());
  return (
    <section class="dry-run" aria-label="Test against the past">
      <div class="row">
        <label for={id}>Test against the last</label>
        <select id={id} value={String(days)} onChange={({ currentTarget }) => setDays(Number(currentTarget.value))}>
          {SPANS.map((span) => (
            <option key={span} value={String(span)}>
              {span === 1 ? "day" : `${span} days`}
            </option>
          ))}
        </select>
        <button type="button" disabled={isRunning || !isReady} onClick={begin}>
          Test
        </button>
        <span class="quiet">Nothing is stored or sent.</span>
      </div>
      {trouble !== undefined && (
        <p class="notice failed" role="alert">
          {trouble}
        </p>
      )}
      {isRunning && <p role="status">Testing…</p>}
      {run && <Result run={run} />}
      {run?.continuation !== undefined && !isRunning && (
        <p class="row">
          <span>The run stopped at {instantText(run.to)} UTC.</span>
          <button type="button" onClick={goOn}>
            Continue
          </button>
        </p>
      )}
    </section>
  );
}

function Result({ run }: { readonly run: DryRun }) {
  const [chosen, setChosen] = useState<number>();
  const { firings, firingCount, evaluations, skippedGenerations, from, to } = run;
  const chosenFiring = chosen === undefined ? undefined : firings[chosen];
  const rows = firings.map((firing, at) => ({ firing, at }));
  return (
    <>
      <p role="status">
        <strong>
          {numberText(firingCount)} {firingCount === 1 ? "firing" : "firings"}
        </strong>{" "}
        in {numberText(evaluations)} evaluations from {instantText(from)} to {instantText(to)} UTC.
        {skippedGenerations > 0 && ` The content of ${numberText(skippedGenerations)} changes is no longer kept.`}
        {firings.length < firingCount && ` Only ${firings.length} firings are shown.`}
      </p>
      <Timeline run={run} chosen={chosen} onChoice={setChosen} />
      {rows.length > 0 && (
        <DataTable
          caption="Firings of the test"
          columns={columns}
          rows={rows}
          idOf={({ at }) => String(at)}
          chosen={chosen === undefined ? undefined : String(chosen)}
          onChoice={({ at }) => setChosen(at)}
        />
      )}
      {chosenFiring && <FiringView firing={chosenFiring} onClose={() => setChosen(undefined)} />}
    </>
  );
}

const columns: readonly Column<{ readonly firing: TestedWatchFiring; readonly at: number }>[] = [
  { id: "at", name: "Fired (UTC)", isTight: true, cell: ({ firing }) => instantText(firing.firedAt) },
  { id: "kind", name: "Kind", isTight: true, cell: ({ firing }) => kindText(firing.kind) },
  { id: "state", name: "Data", cell: ({ firing }) => firing.state },
  { id: "report", name: "Report", cell: ({ firing }) => firingText(firing) },
];

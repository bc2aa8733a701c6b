import { useMemo } from "preact/hooks";
import type { DataState, DatasetHealth } from "../../../src/sdk/index.js";
import { useNow } from "../../clock.js";
import { useAt, useHref, useParam } from "../../location.js";
import { type Column, DataTable } from "../../parts/data-table.js";
import { ReadFrame } from "../../parts/read-frame.js";
import { StateBadge } from "../../parts/state-badge.js";
import { inOrderOfNeed, stateCounts, summaryText } from "../../reads/health.js";
import { useRead } from "../../reads/read.js";
import { Moment } from "./moment.js";

/** Ages and next-run times change even if no dataset does. */
const EVERY_MS = 30_000;

export function DatasetList() {
  const at = useAt();
  const [state, setState] = useParam("state");
  const [text, setText] = useParam("find");
  const read = useRead("health", {}, { hasPast: false, isAboutAll: true, everyMs: EVERY_MS });
  return (
    <>
      <h1>Overview</h1>
      {at !== undefined && (
        <p class="notice">
          This page always shows the current state. The history of a dataset shows which generation was served at the
          instant above; the other pages show the content of that instant.
        </p>
      )}
      <ReadFrame read={read} title="Is the data good right now?">
        {({ datasets = [] }) => (
          <>
            <Summary datasets={datasets} chosen={state} onChoice={setState} />
            <div class="row filters">
              <label for="find-dataset">Find</label>
              <input
                id="find-dataset"
                type="search"
                value={text}
                placeholder="name of a dataset"
                onInput={({ currentTarget }) => setText(currentTarget.value)}
              />
            </div>
            <Datasets datasets={datasets} state={state} text={text} />
          </>
        )}
      </ReadFrame>
    </>
  );
}

interface SummaryProps {
  readonly datasets: readonly DatasetHealth[];
  readonly chosen: string;
  readonly onChoice: (state: string) => void;
}

function Summary({ datasets, chosen, onChoice }: SummaryProps) {
  return (
    <>
      <p class="summary">{summaryText(datasets)}</p>
      <fieldset class="row">
        <legend class="visually-hidden">Show only one state</legend>
        {stateCounts(datasets).map(([state, count]) => (
          <button
            key={state}
            type="button"
            aria-pressed={chosen === state}
            onClick={() => onChoice(chosen === state ? "" : state)}
          >
            <StateBadge state={state} /> {count}
          </button>
        ))}
      </fieldset>
    </>
  );
}

interface DatasetsProps {
  readonly datasets: readonly DatasetHealth[];
  readonly state: string;
  readonly text: string;
}

function Datasets({ datasets, state, text }: DatasetsProps) {
  const now = useNow();
  const href = useHref();
  const rows = useMemo(
    () =>
      inOrderOfNeed(datasets).filter(
        (dataset) =>
          (state === "" || dataset.state === (state as DataState)) && dataset.name.includes(text.toLowerCase()),
      ),
    [datasets, state, text],
  );
  const columns: readonly Column<DatasetHealth>[] = [
    {
      id: "name",
      name: "Dataset",
      sort: ({ name }) => name,
      cell: ({ name }) => <a href={href("/", { dataset: name })}>{name}</a>,
    },
    {
      id: "state",
      name: "State",
      sort: (dataset) => dataset.state,
      cell: (dataset) => <StateBadge state={dataset.state} />,
    },
    {
      id: "newest",
      name: "Newest observation",
      sort: ({ newestAt }) => newestAt ?? 0,
      cell: ({ newestAt, builtAt }) => (
        <Moment at={newestAt} now={now} otherwise={builtAt === undefined ? "nothing stored" : "undated"} />
      ),
    },
    {
      id: "checked",
      name: "Confirmed at its sources",
      sort: ({ checkedAt }) => checkedAt ?? 0,
      cell: ({ checkedAt }) => <Moment at={checkedAt} now={now} otherwise="never" />,
    },
    {
      id: "next",
      name: "Next run",
      sort: ({ nextAt }) => nextAt ?? 0,
      cell: ({ nextAt }) => <Moment at={nextAt} now={now} otherwise="not planned" />,
    },
    {
      id: "generation",
      name: "Generation",
      isNumber: true,
      sort: ({ generation = 0 }) => generation,
      cell: ({ generation = "none" }) => generation,
    },
    { id: "trouble", name: "Trouble", cell: (dataset) => <Trouble dataset={dataset} /> },
  ];
  if (rows.length === 0) return <p class="notice empty">No dataset matches the filters above.</p>;
  return <DataTable caption="Datasets and their states" columns={columns} rows={rows} idOf={({ name }) => name} />;
}

/** The reason why a dataset is not good, and its last error. */
function Trouble({ dataset }: { readonly dataset: DatasetHealth }) {
  const { stateReasons, error, failuresInRow } = dataset;
  if (stateReasons.length === 0 && error === null) return <span class="quiet">none</span>;
  return (
    <>
      {stateReasons.join("; ")}
      {error !== null && (
        <span class="last-error">
          {stateReasons.length > 0 && ". "}
          {failuresInRow > 1 ? `${failuresInRow} runs failed, the last one: ` : "Last run: "}
          {error}
        </span>
      )}
    </>
  );
}

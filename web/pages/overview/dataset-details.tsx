import type { DatasetHealth, PartHealth } from "../../../src/sdk/index.js";
import { useNow } from "../../clock.js";
import { useHref } from "../../location.js";
import { type Column, DataTable } from "../../parts/data-table.js";
import { DatasetSources } from "../../parts/dataset-sources.js";
import { ReadFrame } from "../../parts/read-frame.js";
import { StateBadge } from "../../parts/state-badge.js";
import { useRead } from "../../reads/read.js";
import { Moment } from "./moment.js";
import { RunHistory } from "./run-history.js";

const EVERY_MS = 30_000;

/** One dataset: its state, parts, sources and history. */
export function DatasetDetails({ name }: { readonly name: string }) {
  const href = useHref();
  const read = useRead("health", {}, { hasPast: false, isAboutAll: true, everyMs: EVERY_MS });
  const datasets = read.kind === "ready" ? read.answer.data.datasets : undefined;
  const dataset = datasets?.find((candidate) => candidate.name === name);
  const head = (
    <div class="page-head">
      <h1>{name}</h1>
      <a href={href("/")}>All datasets</a>
    </div>
  );
  if (datasets !== undefined && dataset === undefined) {
    return (
      <>
        {head}
        <p class="notice empty">No dataset of this service has this name.</p>
      </>
    );
  }
  return (
    <>
      {head}
      <ReadFrame read={read} title="State">
        {() => dataset && <State dataset={dataset} />}
      </ReadFrame>
      <section class="card">
        <h2>Sources</h2>
        <DatasetSources dataset={name} />
      </section>
      <RunHistory name={name} />
    </>
  );
}

function State({ dataset }: { readonly dataset: DatasetHealth }) {
  const now = useNow();
  const facts: readonly (readonly [name: string, at: number | null | undefined, otherwise: string])[] = [
    ["Newest observation", dataset.newestAt, dataset.builtAt === undefined ? "nothing stored" : "undated"],
    ["Confirmed at its sources", dataset.checkedAt, "never"],
    ["Built", dataset.builtAt, "never"],
    ["Last run", dataset.attemptedAt, "never"],
    ["Next run", dataset.nextAt, "not planned"],
  ];
  return (
    <>
      <p>
        <StateBadge state={dataset.state} /> {dataset.stateReasons.join("; ")}
      </p>
      {dataset.error !== null && (
        <p class="notice failed">
          {dataset.failuresInRow > 1 ? `${dataset.failuresInRow} runs in a row failed. ` : ""}
          Last error: {dataset.error}
        </p>
      )}
      <dl class="facts">
        {facts.map(([name, at, otherwise]) => (
          <div key={name}>
            <dt>{name}</dt>
            <dd>
              <Moment at={at} now={now} otherwise={otherwise} />
            </dd>
          </div>
        ))}
      </dl>
      {dataset.parts.length > 0 && <Parts parts={dataset.parts} now={now} />}
    </>
  );
}

function Parts({ parts, now }: { readonly parts: readonly PartHealth[]; readonly now: number }) {
  const columns: readonly Column<PartHealth>[] = [
    { id: "name", name: "Part", cell: ({ name }) => name },
    {
      id: "state",
      name: "State",
      cell: ({ state, isOverAge }) => (isOverAge ? `${state}, but its newest observation is too old` : state),
    },
    {
      id: "newest",
      name: "Newest observation",
      cell: ({ newestAt }) => <Moment at={newestAt} now={now} otherwise="undated" />,
    },
    {
      id: "confirmed",
      name: "Confirmed",
      cell: ({ confirmedAt }) => <Moment at={confirmedAt} now={now} otherwise="never" />,
    },
    { id: "error", name: "Last error", cell: ({ error }) => error ?? <span class="quiet">none</span> },
  ];
  return <DataTable caption="Parts of the dataset" columns={columns} rows={parts} idOf={({ name }) => name} />;
}

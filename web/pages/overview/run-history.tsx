import type { DayOfAvailability } from "../../../src/sdk/index.js";
import { instantText, numberText } from "../../format.js";
import { useAt, useHref } from "../../location.js";
import { type Column, DataTable } from "../../parts/data-table.js";
import { ReadFrame } from "../../parts/read-frame.js";
import { changesText, type HistoryEntry, servedAt } from "../../reads/history.js";
import { useRead } from "../../reads/read.js";

/** The generations and failed runs of a dataset, newest first, and its availability by day. */
export function RunHistory({ name }: { readonly name: string }) {
  const at = useAt();
  const href = useHref();
  const read = useRead("dataset-history", { name }, { hasPast: false, isAboutAll: true });
  return (
    <ReadFrame
      read={read}
      title="History"
      empty={{ when: ({ entries }) => entries.length === 0, text: "No run was recorded in this period." }}
    >
      {({ availability, entries, pagination }) => {
        const shown = at === undefined ? undefined : servedAt(entries, Date.parse(at));
        return (
          <>
            {availability && <AvailabilityStrip days={availability.days} />}
            <DataTable
              caption={`Runs of ${name}`}
              columns={columnsOf(name, href)}
              rows={entries}
              idOf={(entry) => `${entry.kind} ${entry.generation ?? ""} ${entry.at}`}
              markOf={({ kind, generation }) =>
                kind === "generation" && generation === shown ? "served at the instant shown" : undefined
              }
            />
            {pagination.nextCursor !== "" && (
              <p class="quiet">
                Older runs are listed by <code>vigil history {name}</code> and by the call above.
              </p>
            )}
          </>
        );
      }}
    </ReadFrame>
  );
}

function columnsOf(name: string, href: ReturnType<typeof useHref>): readonly Column<HistoryEntry>[] {
  return [
    {
      id: "at",
      name: "Time, UTC",
      cell: ({ at }) => <time dateTime={new Date(at).toISOString()}>{instantText(at)}</time>,
    },
    {
      id: "what",
      name: "Outcome",
      cell: (entry) =>
        entry.kind === "generation" ? (
          `generation ${entry.generation}`
        ) : (
          <span class="last-error">{entry.error ?? entry.outcome}</span>
        ),
    },
    { id: "changes", name: "Changed rows", cell: (entry) => (entry.kind === "generation" ? changesText(entry) : "") },
    {
      id: "rows",
      name: "Rows",
      isNumber: true,
      cell: (entry) =>
        entry.kind === "generation"
          ? numberText(Object.values(entry.records).reduce((sum, count) => sum + count, 0))
          : "",
    },
    {
      id: "answers",
      name: "Upstream answers",
      isNumber: true,
      cell: (entry) => (entry.kind === "generation" ? (entry.provenanceCount ?? "") : ""),
    },
    {
      id: "proof",
      name: "Proof",
      cell: ({ kind, generation }) =>
        kind === "generation" && (
          <a
            href={href("/explorer", {
              operation: "get-inclusion-proof",
              params: JSON.stringify({ dataset: name, generation }),
            })}
            aria-label={`Proof of generation ${generation}`}
          >
            proof
          </a>
        ),
    },
  ];
}

/**
 * One bar per day: the share of the known time during which the last confirmation of the content was recent enough.
 * Days about which nothing is known are left out.
 */
function AvailabilityStrip({ days }: { readonly days: readonly DayOfAvailability[] }) {
  const recordedDays = days.filter(({ unknownRatio }) => unknownRatio < 1);
  if (recordedDays.length === 0) return null;
  return (
    <figure class="availability">
      <figcaption>Confirmed in time, by day</figcaption>
      <ol>
        {recordedDays.map(({ date, availableRatio, unknownRatio, runs, failures }) => {
          const share = availableRatio / (1 - unknownRatio);
          const text = `${date}: ${numberText(100 * share)} % of the known time, ${runs} runs, ${failures} failed`;
          return (
            <li key={date} title={text}>
              <meter min={0} max={1} low={0.95} high={0.999} optimum={1} value={share} aria-label={text} />
              <span aria-hidden="true">{date.slice(5)}</span>
            </li>
          );
        })}
      </ol>
    </figure>
  );
}

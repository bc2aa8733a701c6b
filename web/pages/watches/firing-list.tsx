import { useState } from "preact/hooks";
import type { Watch, WatchFiring } from "../../../src/sdk/index.js";
import { useNow } from "../../clock.js";
import { agoText, instantText } from "../../format.js";
import { type Column, DataTable } from "../../parts/data-table.js";
import { LogSign } from "../../parts/log-sign.js";
import type { ChangeLog } from "../../reads/change-log.js";
import { FiringView } from "./firing-view.js";
import { firingText, kindText } from "./watch-texts.js";

interface FiringListProps {
  readonly log: ChangeLog<WatchFiring>;
  /** The watch whose firings are shown; all watches if undefined. */
  readonly watch: Watch | undefined;
}

/** Firings as they arrive, newest first. */
export function FiringList({ log, watch }: FiringListProps) {
  const now = useNow();
  const [chosen, setChosen] = useState<string>();
  const rows = log.entries
    .map(({ change }) => change)
    .filter(({ watchId }) => watch === undefined || watchId === watch.watchId);
  const firing = rows.find(({ firingId }) => firingId === chosen);
  const columns: readonly Column<WatchFiring>[] = [
    {
      id: "at",
      name: "Fired (UTC)",
      isTight: true,
      cell: ({ firedAt }) => <span title={agoText(firedAt, now)}>{instantText(firedAt)}</span>,
    },
    { id: "kind", name: "Kind", isTight: true, cell: ({ kind }) => kindText(kind) },
    { id: "watch", name: "Watch", cell: ({ watchName }) => watchName },
    { id: "state", name: "Data", cell: ({ state }) => state },
    { id: "report", name: "Report", cell: firingText },
  ];
  return (
    <section class="card">
      <header class="read-head">
        <h2>{watch === undefined ? "Firings" : `Firings of ${watch.name}`}</h2>
        <LogSign log={log} />
      </header>
      {rows.length === 0 && log.version > 0 && (
        <p class="notice empty">Nothing has fired in the last 90 days. The next firing appears here automatically.</p>
      )}
      {rows.length > 0 && (
        <DataTable
          caption="Firings"
          columns={columns}
          rows={rows}
          idOf={({ firingId }) => firingId}
          chosen={chosen}
          onChoice={({ firingId }) => setChosen(firingId)}
        />
      )}
      {firing && <FiringView firing={firing} onClose={() => setChosen(undefined)} />}
    </section>
  );
}

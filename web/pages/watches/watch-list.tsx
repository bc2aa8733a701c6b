import type { ListWatchesResponse, Watch } from "../../../src/sdk/index.js";
import { useNow } from "../../clock.js";
import { agoText, instantText, numberText } from "../../format.js";
import { type Column, DataTable } from "../../parts/data-table.js";
import { ReadFrame } from "../../parts/read-frame.js";
import type { Read } from "../../reads/read.js";
import { WatchState } from "./watch-state.js";
import { waitsFor } from "./watch-texts.js";

interface WatchListProps {
  readonly read: Read<ListWatchesResponse>;
  readonly chosen: string;
  readonly onChoice: (watchId: string) => void;
}

/** The watches of the account with their states. */
export function WatchList({ read, chosen, onChoice }: WatchListProps) {
  const now = useNow();
  const columns: readonly Column<Watch>[] = [
    { id: "name", name: "Watch", cell: ({ name }) => name, sort: ({ name }) => name },
    { id: "on", name: "Notifies on", cell: waitsFor, sort: ({ on }) => on },
    { id: "call", name: "Call", cell: ({ call }) => <code>{call}</code>, sort: ({ call }) => call },
    { id: "state", name: "State", cell: (watch) => <WatchState watch={watch} />, sort: ({ state }) => state },
    {
      id: "firings",
      name: "Firings",
      cell: ({ firingCount }) => numberText(firingCount),
      sort: ({ firingCount }) => firingCount,
      isNumber: true,
    },
    {
      id: "last",
      name: "Last fired (UTC)",
      isTight: true,
      cell: ({ lastFiredAt: time }) =>
        time === undefined ? (
          <span class="quiet">never</span>
        ) : (
          <span title={agoText(time, now)}>{instantText(time)}</span>
        ),
      sort: ({ lastFiredAt = "" }) => lastFiredAt,
    },
  ];
  const empty = {
    when: ({ watches }: ListWatchesResponse) => watches.length === 0,
    text: "There are no watches. Create one here, or with the link “Watch” on any view.",
  };
  return (
    <ReadFrame read={read} title="Your watches" empty={empty}>
      {({ watches, watchLimit }) => (
        <>
          <DataTable
            caption="Your watches"
            columns={columns}
            rows={watches}
            idOf={({ watchId }) => watchId}
            chosen={chosen}
            onChoice={({ watchId }) => onChoice(watchId)}
          />
          <p class="quiet">
            {numberText(watches.length)} of {numberText(watchLimit)} watches that the plan allows.
          </p>
        </>
      )}
    </ReadFrame>
  );
}

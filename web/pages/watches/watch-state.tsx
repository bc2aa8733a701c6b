import type { Watch } from "../../../src/sdk/index.js";
import { enumText } from "../../format.js";

const looks: Readonly<Record<Watch["state"], string>> = {
  WATCH_STATE_ACTIVE: "ok",
  WATCH_STATE_PAUSED: "absent",
  WATCH_STATE_DISABLED: "unreadable",
};

/** The state of a watch, how many times in a row it has failed, and whether it is behind. */
export function WatchState({ watch }: { readonly watch: Watch }) {
  const { state, failuresInRow, isBehind } = watch;
  return (
    <span class={`state ${failuresInRow > 0 && state === "WATCH_STATE_ACTIVE" ? "stale" : looks[state]}`}>
      <span class="mark" aria-hidden="true" />
      {enumText(state, "WATCH_STATE_")}
      {failuresInRow > 0 && `, failing (${failuresInRow})`}
      {isBehind && ", behind"}
    </span>
  );
}

import type { DataState } from "../../src/sdk/index.js";

/** The meaning of each state. */
export const STATE_TEXTS: Readonly<Record<DataState, string>> = {
  ok: "Complete and fresh",
  partial: "A source or part is missing or old",
  stale: "Older than its limit",
  absent: "No data is stored; this does not mean that nothing happened",
  unreadable: "Stored, but broken",
};

/** The state of data, as colour, shape and word. */
export function StateBadge({ state }: { readonly state: DataState }) {
  return (
    <span class={`state ${state}`} title={STATE_TEXTS[state]}>
      <span class="mark" aria-hidden="true" />
      {state}
    </span>
  );
}

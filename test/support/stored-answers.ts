import type { AnyOperation } from "../../src/contract/operation.js";
import type { Page, Rows } from "../../src/contract/paging.js";
import { countingTally, silentTally } from "../../src/contract/row-tally.js";
import { settingReader } from "../../src/contract/setting.js";
import type { AvailableSnapshot, Snapshot, UnavailableSnapshot } from "../../src/contract/snapshot.js";
import { queryOf } from "./operations.js";

/** Build time of the snapshots, epoch ms. */
export const BUILT_AT = Date.UTC(2026, 10, 18, 12);

/** A current snapshot of this view. */
export function snapshotOf<View>(view: View, values: Partial<AvailableSnapshot<View>> = {}): AvailableSnapshot<View> {
  return {
    available: true,
    state: "ok",
    view,
    generation: 1,
    contentHash: "",
    parts: {},
    builtAt: BUILT_AT,
    checkedAt: BUILT_AT,
    newestAt: BUILT_AT,
    nextBuildAt: null,
    attempt: null,
    ...values,
  };
}

export const absent: UnavailableSnapshot = { available: false, state: "absent", reason: "never built", attempt: null };

/** The answer of an operation from these snapshots, with all rows on one page. */
export function storedAnswerOf(
  operation: AnyOperation,
  search: string,
  snapshots: Readonly<Record<string, Snapshot<unknown>>>,
  now = BUILT_AT,
): unknown {
  return operation.run(queryOf(operation, search), snapshots, {
    observations: {},
    simulated: false,
    now: () => now,
    paginate: onOnePage,
    tally: new URLSearchParams(search).has("explain") ? countingTally() : silentTally,
    settingOf: settingReader({}),
  });
}

/** Puts all rows on the first page. */
export function onOnePage<T>(rows: Rows<T>): Page<T> {
  return { rows: rows.slice(0, rows.length), pagination: { nextCursor: "", totalCount: rows.length } };
}

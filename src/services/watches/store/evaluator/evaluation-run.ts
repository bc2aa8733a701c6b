import type { DatasetLogEntry } from "../../../../contract/dataset-log.js";
import { progressOf, storeProgress } from "../progress.js";
import { watchesIn } from "../tables.js";
import type { StretchOf } from "./advance.js";
import { type DeskTools, evaluationDesk } from "./evaluation-desk.js";
import { missedBy } from "./missed.js";
import { pauseExcess } from "./pause-excess.js";
import { SETTLED_AFTER_MS } from "./settled.js";
import {
  accountsBehind,
  leaveAllBehind,
  leaveBehind,
  watchedDatasets,
  watchesBehind,
  watchesToEvaluate,
  watchesToWake,
} from "./work-rows.js";

/** Number of log entries per read. */
const ENTRIES_AT_ONCE = 100;
const WATCHES_AT_ONCE = 500;
const ACCOUNTS_AT_ONCE = 500;
/** Maximum number of an account's watches that catch up before the next account's turn. */
const WATCHES_PER_TURN = 20;

/** Evaluates new changes, watches whose quiet period has ended, and watches that are behind, until nothing is left. */
export async function evaluationRun(tools: DeskTools): Promise<void> {
  const { parts, context, tenure, budget, resting } = tools;
  const { timeline } = context;
  const db = watchesIn(parts.database.db);
  const desk = evaluationDesk(tools);
  let progress = await progressOf(db);

  /** Evaluates the next changes of the log. Returns true if there may be more. */
  async function follow(): Promise<boolean> {
    const { oldest } = await timeline.extent();
    if (progress + 1 < oldest) {
      const from = progress + 1;
      progress = oldest - 1;
      await tenure.transaction(async (on) => {
        await leaveAllBehind(on, from);
        await storeProgress(on, progress);
      });
    }
    const entries = await timeline.after(progress, ENTRIES_AT_ONCE);
    const watched = await watchedDatasets(db, [...new Set(entries.map(({ dataset }) => dataset))]);
    for (const entry of entries) {
      if (watched.has(entry.dataset)) await evaluateEntry(entry);
      progress = entry.position;
    }
    if (entries.length > 0) await tenure.transaction((on) => storeProgress(on, progress));
    return entries.length === ENTRIES_AT_ONCE;
  }

  async function evaluateEntry(entry: DatasetLogEntry): Promise<void> {
    const stretch: StretchOf = ({ memory }) => ({
      memory,
      firings: [],
      entries: [entry],
      until: entry.at,
      catchesUp: false,
    });
    for (let after = ""; ; ) {
      const rows = await watchesToEvaluate(db, entry, { after, rowsMax: WATCHES_AT_ONCE });
      const { left } = await desk.evaluate(rows, stretch);
      await leave(left, entry.position);
      const last = rows.at(-1);
      if (!last || rows.length < WATCHES_AT_ONCE) return;
      after = last.watch_id;
    }
  }

  async function leave(watchIds: readonly string[], position: number): Promise<void> {
    if (watchIds.length > 0) await tenure.transaction((on) => leaveBehind(on, watchIds, position));
  }

  /** Evaluates the watches whose quiet period has ended. Returns the number of watches that were evaluated. */
  async function wake(until: number): Promise<number> {
    let count = 0;
    for (;;) {
      const rows = await watchesToWake(db, until, WATCHES_AT_ONCE);
      const stretch: StretchOf = ({ memory }) => ({ memory, firings: [], entries: [], until, catchesUp: false });
      const evaluated = await desk.evaluate(rows, stretch);
      await leave(evaluated.left, progress + 1);
      count += evaluated.count;
      if (rows.length < WATCHES_AT_ONCE) return count;
    }
  }

  /**
   * Lets the watches that are behind catch up, at most `WATCHES_PER_TURN` of each account. Returns the number of
   * watches that were evaluated.
   */
  async function catchUp(until: number): Promise<number> {
    let count = 0;
    for (let after = ""; ; ) {
      const accounts = await accountsBehind(db, { after, rowsMax: ACCOUNTS_AT_ONCE });
      for (const accountId of accounts) {
        if (budget.isUsedUp(accountId)) continue;
        const rows = await watchesBehind(db, accountId, { without: resting.ids(), rowsMax: WATCHES_PER_TURN });
        count += (await desk.evaluate(rows, (watch) => missedBy(watch, timeline, { until, now: parts.clock.now() })))
          .count;
      }
      const last = accounts.at(-1);
      if (last === undefined || accounts.length < ACCOUNTS_AT_ONCE) return count;
      after = last;
    }
  }

  await pauseExcess(tools, desk);
  for (let isBusy = true; isBusy; ) {
    // This time is taken before the log is read, so the log contains everything up to it.
    const settledAt = parts.clock.now() - SETTLED_AFTER_MS;
    const from = progress;
    const hasMore = await follow();
    const woken = hasMore ? 0 : await wake(settledAt);
    const caughtUp = await catchUp(settledAt);
    isBusy = progress > from || woken + caughtUp > 0;
  }
  desk.finish();
}

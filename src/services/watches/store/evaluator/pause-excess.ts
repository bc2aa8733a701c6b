import { pausedByPlan } from "../../rules/failures.js";
import { watchesMax } from "../../settings.js";
import { watchesIn } from "../tables.js";
import { endedOutcome } from "./advance.js";
import type { DeskTools, EvaluationDesk } from "./evaluation-desk.js";
import { newestActive, overfullAccounts } from "./plan-limits.js";

const WATCHES_AT_ONCE = 200;

/** Pauses the watches that exceed the plans of their accounts, newest first, and notifies their owners. */
export async function pauseExcess(
  { parts }: Pick<DeskTools, "parts">,
  desk: Pick<EvaluationDesk, "store">,
): Promise<void> {
  const db = watchesIn(parts.database.db);
  for (const account of await overfullAccounts(db, parts.settingOf(watchesMax))) {
    const ending = { state: "paused", reason: pausedByPlan(account.watchesMax) } as const;
    let before: string | undefined;
    for (let left = account.excess; left > 0; left -= WATCHES_AT_ONCE) {
      const rowsMax = Math.min(left, WATCHES_AT_ONCE);
      const rows = await newestActive(db, account.accountId, { before, rowsMax });
      await desk.store(rows.map((row) => endedOutcome(row, ending, parts.clock.now())));
      before = rows.at(-1)?.watch_id;
    }
  }
}

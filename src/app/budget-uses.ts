import type { BudgetStore } from "../database/budgets.js";
import { type StoreWatch, storeTrouble } from "../database/store-watch.js";
import type { BudgetUses } from "../http/platform/facts.js";
import { type Clock, SECOND_MS } from "../kit/clock.js";
import { limitedReading } from "../kit/limited-reading.js";

/** Maximum time that the health answer waits for the store. */
export const BUDGETS_MS_MAX = 2 * SECOND_MS;

/**
 * Returns a function that reads the use of each budget, in at most `BUDGETS_MS_MAX`. The function never rejects,
 * and reports failures to `watch`.
 */
export function budgetUses(
  budgets: Pick<BudgetStore, "uses">,
  watch: Pick<StoreWatch, "note">,
  clock: Clock,
): () => Promise<BudgetUses> {
  const read = limitedReading(budgets.uses, clock, BUDGETS_MS_MAX);
  return async () => {
    const reading = await read();
    if (reading.kind === "read") return { uses: reading.value };
    if (reading.kind === "late") {
      return { uses: null, whyUnknown: `the store did not answer within ${BUDGETS_MS_MAX / SECOND_MS} s` };
    }
    watch.note(reading.error);
    return { uses: null, whyUnknown: storeTrouble(reading.error) };
  };
}

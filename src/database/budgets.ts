import type { Budgets } from "../contract/budget.js";
import type { Clock } from "../kit/clock.js";
import type { OpenDatabase } from "./open-database.js";
import { inTransaction } from "./transaction.js";

export interface BudgetOptions {
  /** Units of each budget per billing cycle. */
  readonly unitsMax: Readonly<Record<string, number>>;
  /** Day of the month on which a cycle begins, UTC; at most 28, so that every month has it. */
  readonly cycleDay: number;
}

export interface BudgetUse {
  readonly name: string;
  /** The first day of the cycle. */
  readonly cycle: string;
  readonly used: number;
  readonly max: number;
}

export interface BudgetStore extends Budgets {
  /** Reads the used units of each budget in the current cycle. */
  uses(): Promise<readonly BudgetUse[]>;
}

/** Counts budget units in the database, so that processes share a budget and restarts keep its count. */
export function budgetStore({ db }: OpenDatabase, clock: Clock, { unitsMax, cycleDay }: BudgetOptions): BudgetStore {
  return {
    async take(names) {
      const now = clock.now();
      const cycle = cycleOf(now, cycleDay);
      // Sorted, so that two transactions that take from the same budgets cannot deadlock.
      const sortedNames = names.toSorted();
      try {
        await inTransaction(db, async (work) => {
          for (const name of sortedNames) {
            const max = unitsMax[name];
            if (max === undefined) throw new Error(`no budget is called ${name}`);
            await work
              .insertInto("budget")
              .values({ cycle, name, used: 0 })
              .onConflict((conflict) => conflict.columns(["cycle", "name"]).doNothing())
              .execute();
            const { numUpdatedRows } = await work
              .updateTable("budget")
              .set((column) => ({ used: column("used", "+", 1) }))
              .where("cycle", "=", cycle)
              .where("name", "=", name)
              .where("used", "<", max)
              .executeTakeFirst();
            if (numUpdatedRows === 0n) throw new UsedUp(name);
          }
        });
        return undefined;
      } catch (error) {
        if (error instanceof UsedUp) return { name: error.budget, renewedOn: nextCycleOf(now, cycleDay) };
        throw error;
      }
    },

    async uses() {
      const cycle = cycleOf(clock.now(), cycleDay);
      const rows = await db.selectFrom("budget").select(["name", "used"]).where("cycle", "=", cycle).execute();
      const used = new Map(rows.map((row) => [row.name, Number(row.used)]));
      return Object.entries(unitsMax).map(([name, max]) => ({ name, cycle, used: used.get(name) ?? 0, max }));
    },
  };
}

/** Thrown inside the transaction to roll back the units that it has already taken from other budgets. */
class UsedUp extends Error {
  readonly budget: string;

  constructor(budget: string) {
    super(`the budget ${budget} is used up`);
    this.budget = budget;
  }
}

/** Returns the first day, as YYYY-MM-DD, of the billing cycle that contains an instant. */
export function cycleOf(at: number, cycleDay: number): string {
  return cycleStart(at, cycleDay, 0);
}

/** Returns the first day, as YYYY-MM-DD, of the billing cycle after the one that contains an instant. */
export function nextCycleOf(at: number, cycleDay: number): string {
  return cycleStart(at, cycleDay, 1);
}

function cycleStart(at: number, cycleDay: number, cyclesLater: number): string {
  const today = new Date(at);
  const monthsBack = today.getUTCDate() < cycleDay ? 1 : 0;
  const start = Date.UTC(today.getUTCFullYear(), today.getUTCMonth() - monthsBack + cyclesLater, cycleDay);
  return new Date(start).toISOString().slice(0, 10);
}

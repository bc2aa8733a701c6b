import { SourceFailure } from "./source.js";

/** A budget of which this billing cycle has no unit left. */
export interface SpentBudget {
  readonly name: string;
  /** The day, as YYYY-MM-DD in UTC, on which the next cycle begins. */
  readonly renewedOn: string;
}

/** Counts calls that cost money, for all processes that share a store. */
export interface Budgets {
  /** Takes one unit of each budget, or none of any; the first budget that is spent, if one is. */
  take(names: readonly string[]): Promise<SpentBudget | undefined>;
}

/** A call that was not made because this billing cycle's calls are used up. */
export class BudgetSpent extends SourceFailure {
  constructor({ name, renewedOn }: SpentBudget) {
    // Without a time to wait until: what else the same run or read asks must not wait for it.
    super("unavailable", `the budget ${name} of this billing cycle is spent; the next cycle begins on ${renewedOn}`);
    this.name = "BudgetSpent";
  }
}

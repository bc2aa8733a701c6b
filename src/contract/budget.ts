import { SourceFailure } from "./source.js";

/** A budget with no units left in this billing cycle. */
export interface SpentBudget {
  readonly name: string;
  /** The day, as YYYY-MM-DD in UTC, on which the next cycle begins. */
  readonly renewedOn: string;
}

/** Counts calls that cost money, for all processes that share a store. */
export interface Budgets {
  /**
   * Takes one unit of each budget and returns undefined. If any budget is spent, takes nothing and returns a spent
   * budget.
   */
  take(names: readonly string[]): Promise<SpentBudget | undefined>;
}

/** Thrown instead of making a call when this billing cycle's calls are used up. */
export class BudgetSpent extends SourceFailure {
  constructor({ name, renewedOn }: SpentBudget) {
    // No `retryAt`: other requests of the same run or read must not wait for the next cycle.
    super("unavailable", `the budget ${name} of this billing cycle is spent; the next cycle begins on ${renewedOn}`);
    this.name = "BudgetSpent";
  }
}

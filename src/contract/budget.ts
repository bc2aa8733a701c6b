import { SourceFailure } from "./source.js";

/** Counts calls that cost money, for all processes that share a store. */
export interface Budgets {
  /** Takes one unit of each budget, or none of any; the name of a budget that is used up, if one is. */
  take(names: readonly string[]): Promise<string | undefined>;
}

/** A call that was not made because this billing cycle's calls are used up. */
export class BudgetSpent extends SourceFailure {
  constructor(budget: string) {
    super("unavailable", `the budget ${budget} is used up; expected calls again from the next billing cycle on`);
    this.name = "BudgetSpent";
  }
}

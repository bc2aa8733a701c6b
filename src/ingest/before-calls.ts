import { BudgetSpent, type Budgets } from "../contract/budget.js";
import type { SourceRequest } from "../contract/source.js";
import type { UpstreamClient } from "../upstream/answer.js";

/** Returns a client that awaits `prepare` before every call. If `prepare` throws, the call is not made. */
function beforeCalls(
  client: UpstreamClient,
  prepare: (request: SourceRequest) => void | Promise<void>,
): UpstreamClient {
  return {
    ...client,
    async fetch(request, call) {
      await prepare(request);
      return client.fetch(request, call);
    },
  };
}

/**
 * Returns a client that takes one unit of each budget before every call, and throws `BudgetSpent` if a budget is used
 * up.
 */
export function budgeted(client: UpstreamClient, budgets: Budgets, names: readonly string[]): UpstreamClient {
  return beforeCalls(client, async () => {
    const spent = await budgets.take(names);
    if (spent !== undefined) throw new BudgetSpent(spent);
  });
}

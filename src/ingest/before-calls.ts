import { BudgetSpent, type Budgets } from "../contract/budget.js";
import type { SourceRequest } from "../contract/source.js";
import type { UpstreamClient } from "../upstream/answer.js";

/** The client with `prepare` done before every call, which is not made where that throws. */
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

/** The client with one unit of each budget taken before every call; throws `BudgetSpent` instead where one has none. */
export function budgeted(client: UpstreamClient, budgets: Budgets, names: readonly string[]): UpstreamClient {
  return beforeCalls(client, async () => {
    const spent = await budgets.take(names);
    if (spent !== undefined) throw new BudgetSpent(spent);
  });
}

import type { Observation } from "../../src/contract/on-demand.js";
import type { AnyOperation, Operation } from "../../src/contract/operation.js";
import type { QueryFields, QueryOf } from "../../src/contract/query-field.js";
import { silentTally } from "../../src/contract/row-tally.js";
import { settingReader } from "../../src/contract/setting.js";
import { readQuery } from "../../src/http/query.js";

type Observed = Observation<readonly unknown[]>;

/** The values that an operation receives for a query string. Throws the failure that a caller would get. */
export function queryOf<Q extends QueryFields>(operation: Operation<Q>, search: string): QueryOf<Q> {
  // The cast is safe, because `readQuery` parses the values with the operation's own field definitions.
  return readQuery(operation, search, 0).values as QueryOf<Q>;
}

/** The answer of an operation from these observations. */
export function answerOf(
  operation: AnyOperation,
  search: string,
  observations: Readonly<Record<string, Observed | readonly Observed[]>>,
  simulated = false,
): unknown {
  const unexpected = (): never => {
    throw new Error("on-demand operations have neither pages nor a clock");
  };
  const context = {
    observations,
    simulated,
    now: unexpected,
    paginate: unexpected,
    tally: silentTally,
    settingOf: settingReader({}),
  };
  return operation.run(queryOf(operation, search), {}, context);
}

export const notRequested: Observed = { state: "not-asked", fetchedAt: 0, expiresAt: 0 };
export const miss: Observed = { state: "miss", fetchedAt: 7, expiresAt: 8 };

export function fresh(...data: readonly unknown[]): Observed {
  return { state: "fresh", fetchedAt: 7, expiresAt: 9, data };
}

export function failed(reason?: "unconfigured" | "budget"): Observed {
  return { state: "error", fetchedAt: 7, expiresAt: 7, error: "no answer", ...(reason && { reason }) };
}

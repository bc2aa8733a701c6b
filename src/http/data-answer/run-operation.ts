import type { Page, Rows } from "../../contract/paging.js";
import type { RowTally } from "../../contract/row-tally.js";
import type { ReadSetting } from "../../contract/setting.js";
import type { Ingredients } from "./ingredients.js";

export interface RunParts {
  readonly settingOf: ReadSetting;
  /** True if the data is simulated. */
  readonly simulated: boolean;
}

interface RunContext {
  readonly paginate: <T>(rows: Rows<T>) => Page<T>;
  readonly tally: RowTally;
}

/** Runs an operation with these ingredients and returns its answer. */
export function runOperation(
  { simulated, settingOf }: RunParts,
  { question, snapshots, observations, ...ingredients }: Ingredients,
  { paginate, tally }: RunContext,
): unknown {
  const { query, registered } = question;
  const { operation } = registered;
  const now = (): number => {
    if (operation.validUntil) return ingredients.now;
    throw new Error(`${operation.rpc} calls now() but declares no validUntil`);
  };
  return operation.run(query.values, snapshots, { observations, simulated, settingOf, now, paginate, tally });
}

/**
 * The time until which an answer from these ingredients is valid, epoch ms; infinity if the answer does not depend on
 * the time.
 */
export function validUntilOf({ question, snapshots, now }: Ingredients): number {
  const { query, registered } = question;
  return registered.operation.validUntil?.(query.values, snapshots, now) ?? Number.POSITIVE_INFINITY;
}

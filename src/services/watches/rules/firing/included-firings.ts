import type { StoredAnswers } from "../../../../contract/stored-answers.js";
import type { WatchFiring } from "../../records.js";
import { type PlannedAccount, planIncludes } from "../evaluation/plan-includes.js";

/**
 * Returns the firings whose calls the plan of an account includes, in the same order. Failures and notices are always
 * included, because they contain no data of the call.
 */
export function includedFirings(
  firings: readonly WatchFiring[],
  account: PlannedAccount,
  answers: Pick<StoredAnswers, "reopen">,
): readonly WatchFiring[] {
  const includedCalls = new Map<string, boolean>();
  const isIncluded = (call: string): boolean => {
    const included = includedCalls.get(call) ?? planIncludes(account, answers.reopen(call)?.tier ?? 0);
    includedCalls.set(call, included);
    return included;
  };
  return firings.filter(({ kind, call }) => isMessage(kind) || isIncluded(call));
}

const isMessage = (kind: WatchFiring["kind"]): boolean =>
  kind === "WATCH_FIRING_KIND_FAILED" || kind === "WATCH_FIRING_KIND_NOTICE";

import type { Failure } from "../contract/failures.js";
import { type Answer, type Exchange, jsonAnswer } from "./exchange.js";
import { weightsOf } from "./weights.js";

/**
 * Answers a failure with the contract's body, or with problem details (RFC 9457) for callers whose `Accept` requests
 * them.
 */
export function failureAnswer(failed: Failure, { call, cors, requestId }: Exchange): Answer {
  const headers = { ...cors, Vary: "Accept, Origin", ...failed.headers };
  if (!asksForProblem(call.header("accept"))) return jsonAnswer(failed.status, failed.body, headers);
  const { error, message } = failed.body;
  const problem = {
    type: `urn:vigil:problem:${failed.failure}`,
    title: failed.meaning,
    status: failed.status,
    ...(typeof (message ?? error) === "string" && { detail: message ?? error }),
    instance: `urn:vigil:request:${requestId}`,
    ...failed.body,
  };
  return jsonAnswer(failed.status, problem, { ...headers, "Content-Type": PROBLEM });
}

const PROBLEM = "application/problem+json";

/** Returns true if the caller accepts problem details and weighs them no less than plain JSON. */
function asksForProblem(accept: string | undefined): boolean {
  if (accept === undefined || !/problem\+json/i.test(accept)) return false;
  const weights = weightsOf(accept);
  const problem = weights.get(PROBLEM) ?? 0;
  const plain = weights.get("application/json") ?? weights.get("application/*") ?? weights.get("*/*") ?? 0;
  return problem > 0 && problem >= plain;
}

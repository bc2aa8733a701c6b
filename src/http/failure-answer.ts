import type { Failure } from "../contract/failures.js";
import { type Answer, type Exchange, jsonAnswer } from "./exchange.js";

/** A failure as the contract words it, or as problem details (RFC 9457) for callers whose `Accept` asks for those. */
export function failureAnswer(failed: Failure, { call, cors, requestId }: Exchange): Answer {
  const headers = { ...cors, ...failed.headers };
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
  return jsonAnswer(failed.status, problem, { ...headers, "Content-Type": "application/problem+json" });
}

/** True where problem details are named and not refused with `q=0`. */
function asksForProblem(accept: string | undefined): boolean {
  if (accept === undefined || !accept.includes("application/problem+json")) return false;
  const offer = accept.split(",").find((piece) => piece.trim().startsWith("application/problem+json"));
  return !/;\s*q=0(?:\.0*)?\s*(?:;|$)/.test(offer ?? "");
}

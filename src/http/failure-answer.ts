import { type Failure, SharedFailure } from "../contract/failures.js";
import { type Answer, type Exchange, jsonAnswer } from "./exchange.js";
import { preparedAnswer } from "./prepared-answer.js";
import { weightsOf } from "./weights.js";

/**
 * Answers a failure with the contract's body, or with problem details (RFC 9457) for callers whose `Accept` requests
 * them.
 */
export function failureAnswer(failed: Failure, { call, cors, requestId }: Exchange): Answer {
  const isProblem = asksForProblem(call.header("accept"));
  if (failed instanceof SharedFailure && !isProblem) return sharedAnswer(failed, cors);
  const headers = headersOf(failed, cors);
  if (!isProblem) return jsonAnswer(failed.status, failed.body, headers);
  const { error, message } = failed.body;
  const details = {
    type: `urn:vigil:problem:${failed.failure}`,
    title: failed.meaning,
    status: failed.status,
    ...(typeof (message ?? error) === "string" && { detail: message ?? error }),
    instance: `urn:vigil:request:${requestId}`,
  };
  // Both spreads of `details` are needed: the first puts its members first, the second lets them replace the body's.
  const problem = { ...details, ...failed.body, ...details };
  return jsonAnswer(failed.status, problem, { ...headers, "Content-Type": PROBLEM });
}

function headersOf({ headers }: Failure, cors: Answer["headers"]): Answer["headers"] {
  return { ...cors, Vary: "Accept, Origin", ...headers };
}

/**
 * The prepared answers, by failure and then by the object with the CORS headers. This object can be a key, because it
 * is the same for all calls from one allowed origin.
 */
const sharedAnswers = new WeakMap<SharedFailure, WeakMap<object, Answer>>();

/** The answer of a shared failure, prepared at its first use. */
function sharedAnswer(failed: SharedFailure, cors: Answer["headers"]): Answer {
  let byCors = sharedAnswers.get(failed);
  if (byCors === undefined) {
    byCors = new WeakMap();
    sharedAnswers.set(failed, byCors);
  }
  let answer = byCors.get(cors);
  if (answer === undefined) {
    const { status, headers, body } = jsonAnswer(failed.status, failed.body, headersOf(failed, cors));
    const bytes = Buffer.from(String(body));
    answer = preparedAnswer(status, { ...headers, "Content-Length": String(bytes.byteLength) }, bytes);
    byCors.set(cors, answer);
  }
  return answer;
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

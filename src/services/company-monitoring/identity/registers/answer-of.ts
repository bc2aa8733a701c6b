import type { Observation } from "../../../../contract/on-demand.js";
import type { ReasonCode } from "../../scan/reason-code.js";
import type { RegisterAnswer } from "../register.js";
import type { RegisterRecord } from "../resolve-identity.js";

/** The answer of a register that is read on demand. */
export function answerOf<Stored>(
  observation: Observation<readonly Stored[]>,
  recordOf: (stored: Stored) => RegisterRecord,
): RegisterAnswer {
  switch (observation.state) {
    case "fresh":
    case "cached":
    case "stale":
      return { state: "read", records: observation.data.map(recordOf), readAt: observation.fetchedAt };
    case "miss":
    case "not-asked":
      return { state: "read", records: [], readAt: observation.fetchedAt };
    case "error":
      return { state: "failed", reasonCode: reasonOf(observation) };
  }
}

function reasonOf({ reason, error }: Extract<Observation<never>, { readonly state: "error" }>): ReasonCode {
  if (reason === "unconfigured") return "request_rejected";
  if (reason === "budget" || /\b429\b/.test(error)) return "rate_limited";
  if (/\b40[13]\b/.test(error)) return "authentication_failed";
  if (/time ?d? ?out|within \d/i.test(error)) return "timeout";
  return "provider_unavailable";
}

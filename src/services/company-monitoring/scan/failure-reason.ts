import type { Observation } from "../../../contract/on-demand.js";
import type { ReasonCode } from "./reason-code.js";

type Failure = Extract<Observation<never>, { readonly state: "error" }>;

/** Returns the reason code of a failed read. */
export function failureReason({ reason, error, isChanged }: Failure): ReasonCode {
  if (reason === "unconfigured") return "request_rejected";
  if (reason === "budget") return "rate_limited";
  if (isChanged) return "malformed";
  const status = Number(/\banswered (\d{3})\b/.exec(error)?.[1]);
  // 402: the credits of the operator's account at the provider are used up.
  if (status === 402 || status === 429 || /\brequested a pause\b/.test(error)) return "rate_limited";
  if (status === 401 || status === 403) return "authentication_failed";
  if (status >= 400 && status < 500) return "request_rejected";
  return /time ?d? ?out|within \d/i.test(error) ? "timeout" : "provider_unavailable";
}

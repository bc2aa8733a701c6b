import { mailAddressOf } from "../../../contract/mail.js";
import type { WatchDefinition, WatchRequest } from "../records.js";

/**
 * Returns the definition that a request describes, with defaults for omitted members. Unknown members are dropped,
 * because otherwise they would be stored and served among the members of the watch.
 */
export function requestedDefinition(request: WatchRequest): WatchDefinition {
  const { name, call, on, condition, identity, threshold, quietSeconds = 0 } = request;
  const { grouping = "WATCH_GROUPING_EVALUATION", emails = [] } = request;
  return {
    name,
    call,
    on,
    ...(condition !== undefined && { condition }),
    ...(identity !== undefined && { identity }),
    ...(threshold !== undefined && { threshold: limitsOf(threshold) }),
    quietSeconds,
    grouping,
    emails: [...new Set(emails.map((email) => mailAddressOf(email) ?? email))],
  };
}

type Threshold = NonNullable<WatchRequest["threshold"]>;

function limitsOf({ above, below, clearsAt }: Threshold): Threshold {
  return {
    ...(above !== undefined && { above }),
    ...(below !== undefined && { below }),
    ...(clearsAt !== undefined && { clearsAt }),
  };
}

import { mailAddressOf } from "../../../contract/mail.js";
import type { WatchDefinition, WatchRequest } from "../records.js";

/** The definition that a request describes, with the defaults of members that it leaves out. */
export function requestedDefinition({
  quietSeconds = 0,
  grouping = "WATCH_GROUPING_EVALUATION",
  emails = [],
  ...members
}: WatchRequest): WatchDefinition {
  return {
    ...members,
    quietSeconds,
    grouping,
    emails: [...new Set(emails.map((email) => mailAddressOf(email) ?? email))],
  };
}

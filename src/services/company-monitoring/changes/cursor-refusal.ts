import { failure } from "../../../contract/failures.js";
import type { ServiceCounter } from "../../../contract/service-counter.js";

/**
 * The reasons for rejecting a cursor, with their meaning. Callers get the same answer for all reasons; only the metric
 * `vigil_company_cursor_refusals_total` distinguishes them.
 */
export const cursorRefusals = {
  malformed: "The text does not have the form of a cursor.",
  "unknown-key": "The key that the cursor names was retired, or never belonged to this store.",
  signature: "The signature does not match: the cursor was changed.",
  version: "The payload is of another version, or names an unknown operation.",
  account: "The cursor belongs to another account.",
  surface: "The cursor belongs to another operation.",
  mode: "The cursor claims a mode other than that of its operation.",
  filters: "The filters differ from those of the first page.",
  early: "The cursor's issue time is further in the future than the allowed clock skew.",
  expired: "The cursor expired longer ago than the allowed clock skew.",
  gone: "The rows of the cursor's snapshot were removed, or the store was reset to a time before that snapshot.",
} as const satisfies Readonly<Record<string, string>>;

export type CursorRefusal = keyof typeof cursorRefusals;

export const cursorRefusalCounter: ServiceCounter = {
  name: "vigil_company_cursor_refusals_total",
  help: "Refused cursors of company monitoring by reason",
  label: "reason",
  values: Object.keys(cursorRefusals),
};

/** The message for every refused cursor, regardless of the reason. */
const SENTENCE =
  "must be an unexpired cursor of this operation, account and filters; omit it or list again for a new one";

/** Returns the 400 for a refused cursor. */
export function refusedCursor(): Error {
  return failure("validation", { violations: [{ field: "cursor", description: SENTENCE }] });
}

import type { Violation } from "../../../contract/failures.js";
import { mailAddressOf } from "../../../contract/mail.js";
import type { WatchDefinition } from "../records.js";

const NEEDS_CONDITION = new Set<string>(["WATCH_ON_BECOMES_TRUE", "WATCH_ON_THRESHOLD_CROSSED"]);
const COMPARES_ROWS = new Set<string>(["WATCH_ON_NEW_ROWS", "WATCH_ON_CHANGED"]);

/**
 * Lists the members that the trigger requires and the definition lacks, the members that the trigger does not allow,
 * contradictions among the numbers of the threshold, and the invalid email addresses.
 */
export function definitionViolations(definition: Omit<WatchDefinition, "name">): readonly Violation[] {
  const { on, condition, identity, grouping } = definition;
  return [
    ...(NEEDS_CONDITION.has(on) && condition === undefined ? [violation("condition", `is required with ${on}`)] : []),
    ...(on === "WATCH_ON_STATE_CHANGES" && condition !== undefined
      ? [violation("condition", `must be omitted with ${on}`)]
      : []),
    ...(identity !== undefined && !COMPARES_ROWS.has(on) ? [violation("identity", rowsOnly)] : []),
    ...(grouping === "WATCH_GROUPING_ROW" && !COMPARES_ROWS.has(on) ? [violation("grouping", rowsOnly)] : []),
    ...thresholdViolations(definition),
    ...definition.emails.flatMap((email, at) =>
      mailAddressOf(email) === undefined
        ? [violation(`emails[${at}]`, "must be an address such as a@example.com")]
        : [],
    ),
  ];
}

const rowsOnly = "applies to WATCH_ON_NEW_ROWS and WATCH_ON_CHANGED only";

function thresholdViolations({ on, threshold }: Pick<WatchDefinition, "on" | "threshold">): readonly Violation[] {
  const isThreshold = on === "WATCH_ON_THRESHOLD_CROSSED";
  if (threshold === undefined) return isThreshold ? [violation("threshold", `is required with ${on}`)] : [];
  if (!isThreshold) return [violation("threshold", "applies to WATCH_ON_THRESHOLD_CROSSED only")];
  const { above, below, clearsAt } = threshold;
  if ((above === undefined) === (below === undefined)) {
    return [violation("threshold", "must have either above or below")];
  }
  if (clearsAt === undefined) return [];
  if (above !== undefined && clearsAt > above) return [violation("threshold.clearsAt", `must be at most ${above}`)];
  if (below !== undefined && clearsAt < below) return [violation("threshold.clearsAt", `must be at least ${below}`)];
  return [];
}

const violation = (field: string, description: string): Violation => ({ field, description });

/**
 * True if two definitions ask the same question: they differ at most in name, quiet period, grouping and addresses. If
 * the new definition of a watch asks the same question as the old one, the watch keeps its memory.
 */
export function asksTheSame(a: WatchDefinition, b: WatchDefinition): boolean {
  return questionOf(a) === questionOf(b);
}

/** Returns the members that determine when a watch fires, as one string: its question, quiet period and grouping. */
export function evaluationOf(definition: WatchDefinition): string {
  return JSON.stringify([questionOf(definition), definition.quietSeconds, definition.grouping]);
}

function questionOf({ call, on, condition, identity, threshold }: WatchDefinition): string {
  const { above, below, clearsAt } = threshold ?? {};
  return JSON.stringify([call, on, condition, identity, above, below, clearsAt]);
}

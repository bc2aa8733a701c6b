import { Value } from "typebox/value";
import type { ChangeLog } from "../../contract/change-log.js";
import type { StreamEvent } from "../../sdk/index.js";

/**
 * Type of the event that tells readers of a stream to read a list again. The changes in a stream refer to a list, for
 * example to the companies of the account. This event means that the list is now different.
 */
const SNAPSHOT_REQUIRED = "snapshot_required";

/**
 * Formats an event as a line: a JSON object with `type` and `data`, or readable text. Undefined for a `ready` event
 * that does not require a new snapshot.
 */
export function lineOf(event: StreamEvent<unknown>, log: ChangeLog, isJson: boolean): string | undefined {
  if (event.type === "ready" && !event.isSnapshotRequired) return undefined;
  const type = event.type === "ready" ? SNAPSHOT_REQUIRED : event.event;
  if (isJson) return JSON.stringify({ type, data: event.data });
  return `${event.position}  ${printable(textOf(type, event.data, log))}`;
}

function textOf(type: string, data: unknown, log: ChangeLog): string {
  if (type === SNAPSHOT_REQUIRED)
    return "snapshot_required: these changes refer to a list, for example the companies of your account; that list is now different, so read it again";
  // Checked, because a service of another version may send different entries.
  if (type === log.event && log.line !== undefined && Value.Check(log.entry, data)) return log.line(data);
  return `${type} ${JSON.stringify(data)}`;
}

/** Replaces line breaks and control characters with spaces, because they could change the state of the terminal. */
function printable(text: string): string {
  return text.replace(/\p{C}/gu, " ");
}

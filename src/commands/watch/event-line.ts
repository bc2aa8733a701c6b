import { Value } from "typebox/value";
import type { ChangeLog } from "../../contract/change-log.js";
import { OperatorError } from "../../kit/operator-error.js";
import type { ReceivedEvent } from "../../sdk/event-stream.js";

/** The first event of each connection. */
const READY = "ready";
/** The event that says that what the changes are about has itself changed. */
const SNAPSHOT_REQUIRED = "snapshot_required";

/** The data of an event. Members beyond these depend on its type. */
interface EventData {
  readonly position: number;
  readonly pollState?: string;
}

/** A line of the output. */
export interface EventLine {
  readonly text: string;
  /** The place after which another stream continues. */
  readonly position: number;
  /** True for a change, false for a remark on the stream. */
  readonly isChange: boolean;
}

/** The beginning of a connection. */
export interface Ready {
  readonly position: number;
  /** The remark that the stream begins with, if any. */
  readonly line: EventLine | undefined;
}

/** What an event begins, or its line: one JSON object with `type` and `data`, or a text for people. */
export function readEvent(received: ReceivedEvent, log: ChangeLog, isJson: boolean): Ready | EventLine {
  const data = dataOf(received);
  const { position } = data;
  const line = (type: string, isChange: boolean): EventLine => ({
    position,
    isChange,
    text: isJson ? JSON.stringify({ type, data }) : `${position}  ${printable(textOf(type, data, log))}`,
  });
  if (received.event !== READY) return line(received.event, received.event === log.event);
  return { position, line: data.pollState === "SNAPSHOT_REQUIRED" ? line(SNAPSHOT_REQUIRED, false) : undefined };
}

function textOf(type: string, data: EventData, log: ChangeLog): string {
  if (type === SNAPSHOT_REQUIRED) return "snapshot_required: what the changes are about has changed; list it again";
  // A service of another version may deliver other entries.
  if (type === log.event && log.line !== undefined && Value.Check(log.entry, data)) return log.line(data);
  return `${type} ${JSON.stringify(data)}`;
}

function dataOf({ event, data }: ReceivedEvent): EventData {
  const sentence = `the stream has a malformed event ${event}; is VIGIL_URL the address of a Vigil service?`;
  let value: unknown;
  try {
    value = JSON.parse(data);
  } catch (error) {
    throw new OperatorError(sentence, { cause: error });
  }
  if (hasPosition(value)) return value;
  throw new OperatorError(sentence);
}

function hasPosition(value: unknown): value is EventData {
  return typeof value === "object" && value !== null && "position" in value && Number.isSafeInteger(value.position);
}

/** A text on one line without control characters, which could change the terminal. */
function printable(text: string): string {
  return text.replace(/\p{C}/gu, " ");
}

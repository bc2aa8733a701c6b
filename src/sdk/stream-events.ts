import type { StreamEvent } from "./change-event.js";
import { MalformedAnswerError } from "./errors.js";
import { type EventStreamParser, eventStreamParser, type ReceivedEvent } from "./event-stream.js";

/** Maximum length of a line, and of the data of an event. */
const EVENT_CHARACTERS_MAX = 1_000_000;

export interface StreamReader {
  /**
   * Parses the next bytes and returns the events that they complete. Throws for bytes that a Vigil service would not
   * send.
   */
  push(bytes: Uint8Array): readonly StreamEvent<unknown>[];
  readonly retryMs: number | undefined;
}

export function streamReader(): StreamReader {
  const parser = eventStreamParser(EVENT_CHARACTERS_MAX);
  return {
    get retryMs() {
      return parser.retryMs;
    },
    push: (bytes) => eventsIn(parser, bytes).map(streamEvent),
  };
}

function eventsIn(parser: EventStreamParser, bytes: Uint8Array): readonly ReceivedEvent[] {
  try {
    return parser.push(bytes);
  } catch (error) {
    throw new MalformedAnswerError((error as Error).message, { cause: error });
  }
}

/** The members of an event's data that the client reads. */
interface EventData {
  readonly position: number;
  readonly nextCursor?: unknown;
  readonly pollState?: unknown;
}

function streamEvent({ event, data: text }: ReceivedEvent): StreamEvent<unknown> {
  const data = dataOf(event, text);
  const { position, nextCursor, pollState } = data;
  const facts = { position, cursor: typeof nextCursor === "string" ? nextCursor : "", event, data };
  if (event === "ready") return { type: "ready", ...facts, isSnapshotRequired: pollState === "SNAPSHOT_REQUIRED" };
  if (event === "snapshot_required") return { type: "snapshotRequired", ...facts };
  return { type: "change", ...facts, change: data };
}

function dataOf(event: string, text: string): EventData {
  let data: unknown;
  try {
    data = JSON.parse(text);
  } catch (error) {
    throw malformed(event, error);
  }
  if (hasPosition(data)) return data;
  throw malformed(event);
}

function malformed(event: string, cause?: unknown): MalformedAnswerError {
  return new MalformedAnswerError(`the stream has a malformed event ${event}`, { cause });
}

function hasPosition(value: unknown): value is EventData {
  return typeof value === "object" && value !== null && "position" in value && Number.isSafeInteger(value.position);
}

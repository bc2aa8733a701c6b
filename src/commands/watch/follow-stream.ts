import { type Clock, SECOND_MS } from "../../kit/clock.js";
import { OperatorError } from "../../kit/operator-error.js";
import type { Random } from "../../kit/random.js";
import { spanText } from "../../kit/text-table.js";
import { type EventStreamParser, eventStreamParser, type ReceivedEvent } from "../../sdk/event-stream.js";
import { type StreamPlace, StreamUnavailable } from "./open-stream.js";

export interface Following {
  /** Opens the stream after a place. Throws as `openStream` does. */
  readonly open: (place: StreamPlace, signal: AbortSignal) => Promise<AsyncIterable<Uint8Array>>;
  readonly place: StreamPlace;
  readonly clock: Clock;
  readonly random: Random;
  /** Ends the following. */
  readonly signal: AbortSignal;
  /** Takes each event; the next one waits for it. Returns false to end the following. */
  readonly onEvent: (event: ReceivedEvent) => Promise<boolean>;
  /** Reports what happens to the connection. */
  readonly note: (text: string) => void;
}

/** Longest silence of a connection in use; the service sends a heartbeat every ten seconds. */
const SILENCE_MS_MAX = 30 * SECOND_MS;
/** Longest line and longest data of an event. */
const EVENT_CHARACTERS_MAX = 1_000_000;
/** The wait before another attempt if the service has not sent one, and the bounds of the one it sends. */
const RETRY_MS = 3 * SECOND_MS;
const RETRY_MS_MIN = SECOND_MS / 2;
const RETRY_MS_MAX = 30 * SECOND_MS;
/** Added to a wait that the service asks for, at most, so that clients do not all come back at once. */
const SPREAD_MS = SECOND_MS;

/** What is kept from one connection to the next. */
interface Progress {
  place: StreamPlace;
  retryMs: number;
  /** Attempts in a row without an event. */
  failures: number;
  hasConnected: boolean;
}

/**
 * Follows a stream until `onEvent` or the signal ends it. A lost connection is opened again after the last event, which
 * `onEvent` has taken, so that each event comes once. Throws `OperatorError` for an answer that another attempt would meet
 * again, and if nothing answers the first attempt.
 */
export async function followStream(following: Following): Promise<void> {
  const { clock, random, signal, note } = following;
  const progress: Progress = { place: following.place, retryMs: RETRY_MS, failures: 0, hasConnected: false };
  while (!signal.aborted) {
    const loss = await readConnection(following, progress);
    if (loss === undefined) return;
    const { retryMs, failures } = progress;
    progress.failures += 1;
    const backOffMs = Math.min(retryMs * 2 ** Math.min(failures, 10), RETRY_MS_MAX) * (1 + random() / 2);
    const askedMs = loss.retryAt === undefined ? 0 : loss.retryAt - clock.now() + random() * SPREAD_MS;
    const waitMs = Math.round(Math.max(backOffMs, askedMs));
    note(`${loss.reason}; connecting again in ${spanText(waitMs)}`);
    // An abort ends the loop.
    await clock.sleep(waitMs, signal).catch(() => undefined);
  }
}

/** The end of a connection that is to be opened again. */
interface Loss {
  readonly reason: string;
  readonly retryAt?: number | undefined;
}

/** Reads one connection to its end. Returns undefined if the following has ended. */
async function readConnection(following: Following, progress: Progress): Promise<Loss | undefined> {
  const { open, clock, signal, onEvent } = following;
  const connection = new AbortController();
  const close = (): void => connection.abort(signal.reason);
  signal.addEventListener("abort", close, { once: true });
  try {
    const chunks = await withoutSilence(open(progress.place, connection.signal), clock);
    progress.hasConnected = true;
    const parser = eventStreamParser(EVENT_CHARACTERS_MAX);
    const iterator = chunks[Symbol.asyncIterator]();
    for (;;) {
      const read = await withoutSilence(nextOf(iterator), clock);
      if (signal.aborted) return undefined;
      if (read.done) return { reason: "The stream ended" };
      for (const event of eventsIn(parser, read.value)) {
        if (!(await onEvent(event))) return undefined;
        progress.failures = 0;
        if (event.lastEventId !== "") progress.place = { lastEventId: event.lastEventId };
      }
      if (parser.retryMs !== undefined) {
        progress.retryMs = Math.min(Math.max(parser.retryMs, RETRY_MS_MIN), RETRY_MS_MAX);
      }
    }
  } catch (error) {
    if (signal.aborted) return undefined;
    if (error instanceof ConnectionLost) return { reason: `Connection lost (${error.message})` };
    if (!(error instanceof StreamUnavailable)) throw error;
    if (error.isUnreachable && !progress.hasConnected) {
      throw new OperatorError(`${error.message}; start one, or set VIGIL_URL`, { cause: error });
    }
    return { reason: `Not connected (${error.message})`, retryAt: error.retryAt };
  } finally {
    signal.removeEventListener("abort", close);
    connection.abort(new Error("closed"));
  }
}

/** A connection that broke or fell silent. */
class ConnectionLost extends Error {
  override readonly name = "ConnectionLost";
}

async function nextOf(iterator: AsyncIterator<Uint8Array>): Promise<IteratorResult<Uint8Array>> {
  try {
    return await iterator.next();
  } catch (error) {
    throw new ConnectionLost("it was closed on the way", { cause: error });
  }
}

/** The outcome of the work. Throws `ConnectionLost` after the longest silence. */
async function withoutSilence<T>(work: Promise<T>, clock: Clock): Promise<T> {
  const ended = new AbortController();
  const silence = clock.sleep(SILENCE_MS_MAX, ended.signal).then(() => {
    throw new ConnectionLost(`nothing for ${spanText(SILENCE_MS_MAX)}`);
  });
  try {
    return await Promise.race([work, silence]);
  } finally {
    ended.abort(new Error("ended"));
  }
}

function eventsIn(parser: EventStreamParser, bytes: Uint8Array): readonly ReceivedEvent[] {
  try {
    return parser.push(bytes);
  } catch (error) {
    const sentence = `${(error as Error).message}; is VIGIL_URL the address of a Vigil service?`;
    throw new OperatorError(sentence, { cause: error });
  }
}

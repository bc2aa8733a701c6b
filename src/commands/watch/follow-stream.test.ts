import { describe, expect, test } from "vitest";
import { SECOND_MS } from "../../kit/clock.js";
import { manualClock } from "../../kit/manual-clock.js";
import { OperatorError } from "../../kit/operator-error.js";
import type { ReceivedEvent } from "../../sdk/event-stream.js";
import { followStream } from "./follow-stream.js";
import { type StreamPlace, StreamUnavailable } from "./open-stream.js";

const NOW = Date.UTC(2026, 10, 23);
const event = (id: number): string => `id: ${id}\nevent: add\ndata: {}\n\n`;

/** A connection: what it sends, and then its end. `hang` is a connection that falls silent. */
type Connection = readonly string[] | Error;
const HANG = "hang";
const BREAK = "break";

/**
 * Follows a service with these connections, one after another; the last one stays open. Events are taken until there are
 * `eventsMax`.
 */
function following(connections: readonly Connection[], { eventsMax = 100, place = {} as StreamPlace } = {}) {
  const clock = manualClock(NOW);
  const interrupt = new AbortController();
  const places: StreamPlace[] = [];
  const opened: number[] = [];
  const closed: number[] = [];
  const ids: string[] = [];
  const notes: string[] = [];

  async function* bytesOf(texts: readonly string[], connection: number, signal: AbortSignal) {
    try {
      for (const text of texts) {
        if (text === BREAK) throw new TypeError("terminated");
        if (text === HANG)
          await new Promise((_, reject) => signal.addEventListener("abort", () => reject(signal.reason)));
        else yield new TextEncoder().encode(text);
      }
    } finally {
      closed.push(connection);
    }
  }

  const ended = followStream({
    clock,
    random: () => 0,
    place,
    signal: interrupt.signal,
    note: (text) => void notes.push(text),
    async open(from, signal) {
      const connection = connections[opened.length] ?? [HANG];
      opened.push(clock.now() - NOW);
      places.push(from);
      if (connection instanceof Error) throw connection;
      return bytesOf(connection, opened.length, signal);
    },
    async onEvent(received: ReceivedEvent) {
      ids.push(received.lastEventId);
      return ids.length < eventsMax;
    },
  });
  // A rejection is expected by the test that awaits it, possibly later.
  ended.catch(() => undefined);
  const turn = async (): Promise<void> => {
    for (let turns = 0; turns < 10; turns += 1) await new Promise((resolve) => setImmediate(resolve));
  };
  return {
    places,
    opened,
    closed,
    ids,
    notes,
    ended,
    async pass(ms: number): Promise<void> {
      await turn();
      for (let passed = 0; passed < ms; passed += SECOND_MS / 2) {
        clock.advance(SECOND_MS / 2);
        await turn();
      }
    },
    async interrupt(): Promise<void> {
      await turn();
      interrupt.abort(new Error("interrupted"));
      await ended;
    },
  };
}

const unreachable = new StreamUnavailable("no service answers", { isUnreachable: true });
const busy = (retryAt?: number): StreamUnavailable => new StreamUnavailable("the service answered 503", { retryAt });

describe("following a stream", () => {
  test("continues after the last event when a connection ends or breaks, after the delay of the stream", async () => {
    const stream = following(
      [[`retry: 2000\n\n${event(1)}${event(2)}`], [event(3), "id: 4\ndata", BREAK], [event(4), HANG]],
      {
        place: { cursor: "c" },
      },
    );
    await stream.pass(10 * SECOND_MS);
    expect(stream.ids).toEqual(["1", "2", "3", "4"]);
    expect(stream.places).toEqual([{ cursor: "c" }, { lastEventId: "2" }, { lastEventId: "3" }]);
    expect(stream.opened).toEqual([0, 2_000, 4_000]);
    expect(stream.notes).toEqual([
      "The stream ended; connecting again in 2 s",
      "Connection lost (it was closed on the way); connecting again in 2 s",
    ]);
    await stream.interrupt();
    expect(stream.closed).toEqual([1, 2, 3]);
  });

  test("takes thirty seconds without a byte as a lost connection; a heartbeat keeps it", async () => {
    const stream = following([[event(1), HANG]]);
    await stream.pass(29 * SECOND_MS);
    expect(stream.opened).toEqual([0]);
    await stream.pass(5 * SECOND_MS);
    expect(stream.opened).toEqual([0, 33_000]);
    expect(stream.notes).toEqual(["Connection lost (nothing for 30 s); connecting again in 3 s"]);
    await stream.interrupt();
  });

  test("waits longer after each failure in a row, up to thirty seconds, and as before after an event", async () => {
    const down = Array.from({ length: 6 }, () => unreachable);
    const stream = following([[event(1)], ...down, [event(2)], [HANG]]);
    await stream.pass(140 * SECOND_MS);
    const waits = stream.opened.slice(1).map((at, index) => at - (stream.opened[index] ?? 0));
    expect(waits).toEqual([3_000, 6_000, 12_000, 24_000, 30_000, 30_000, 30_000, 3_000]);
    await stream.interrupt();
  });

  test("waits as long as the service asks", async () => {
    const stream = following([busy(NOW + 20 * SECOND_MS), busy(), [HANG]]);
    await stream.pass(30 * SECOND_MS);
    expect(stream.opened).toEqual([0, 20_000, 26_000]);
    expect(stream.notes[0]).toBe("Not connected (the service answered 503); connecting again in 20 s");
    await stream.interrupt();
  });

  test.each([
    ["retry: 1\n\n", 500],
    ["retry: 900000\n\n", 30_000],
  ])("keeps the delay of the stream within bounds: %j", async (text, waitMs) => {
    const stream = following([[text], [HANG]]);
    await stream.pass(40 * SECOND_MS);
    expect(stream.opened[1]).toBe(waitMs);
    await stream.interrupt();
  });

  test("ends as soon as the events suffice, and closes the connection", async () => {
    const stream = following([[event(1) + event(2) + event(3), HANG]], { eventsMax: 2 });
    await stream.ended;
    expect(stream.ids).toEqual(["1", "2"]);
  });

  test("ends with the sentence of an answer that would come again", async () => {
    const refused = new OperatorError("refused", { exitCode: 3 });
    const stream = following([[event(1)], refused]);
    await stream.pass(5 * SECOND_MS);
    await expect(stream.ended).rejects.toBe(refused);
  });

  test("ends if nothing answers the first attempt", async () => {
    await expect(following([unreachable]).ended).rejects.toThrow("no service answers; start one, or set VIGIL_URL");
  });

  test("ends with a sentence when the stream is not a stream of events", async () => {
    const endless = Array.from({ length: 30 }, () => "x".repeat(50_000));
    await expect(following([endless]).ended).rejects.toThrow(OperatorError);
  });

  test("ends when it is interrupted while it waits", async () => {
    const stream = following([[event(1)]]);
    await stream.interrupt();
    expect(stream.opened).toEqual([0]);
  });
});

import { describe, expect, test } from "vitest";
import { manualClock } from "../kit/manual-clock.js";
import type { StreamEvent } from "./change-event.js";
import { createVigil } from "./create-vigil.js";
import { ConnectionError, ForbiddenError, GoneError, MalformedAnswerError } from "./errors.js";
import type { DatasetChange } from "./generated/schemas.js";
import type { ParamsOf } from "./methods.js";
import type { StreamOptions } from "./streams.js";
import { json } from "./testing/fake-service.js";

const NOW = Date.UTC(2026, 10, 23);
const SECOND_MS = 1_000;
const event = (position: number): string =>
  `id: ${position}\nevent: dataset.changed\ndata: {"position":${position},"nextCursor":"c${position}"}\n\n`;

/** A connection: the bytes that it sends before it ends, an answer that is not a stream, or a failure. */
type Connection = readonly string[] | Response | Error;
/** The piece of a connection after which it stays open but sends nothing more. */
const HANG = "hang";
const BREAK = "break";

/** Follows a service that offers these connections, one after another, and then connections that send nothing. */
function following(
  connections: readonly Connection[],
  { params = {} as ParamsOf<"stream-dataset-changes">, options = {} as StreamOptions, eventsMax = 100 } = {},
) {
  const clock = manualClock(NOW);
  const aborter = new AbortController();
  const opened: number[] = [];
  const places: string[] = [];
  const losses: string[] = [];
  const events: StreamEvent<DatasetChange>[] = [];
  let closed = 0;

  function bodyOf(texts: readonly string[], signal: AbortSignal): ReadableStream<Uint8Array> {
    const pending = [...texts];
    return new ReadableStream({
      start: (body) =>
        signal.addEventListener("abort", () => {
          closed += 1;
          body.error(signal.reason);
        }),
      async pull(body) {
        const text = pending.shift();
        if (text === undefined) body.close();
        else if (text === BREAK) body.error(new TypeError("terminated"));
        else if (text === HANG) await new Promise(() => undefined);
        else body.enqueue(new TextEncoder().encode(text));
      },
    });
  }

  const vigil = createVigil({
    url: "http://vigil.example",
    key: "the-key",
    platform: {
      now: clock.now,
      sleep: clock.sleep,
      random: () => 0,
      async fetch(url, { headers, signal }) {
        const connection = connections[opened.length] ?? [HANG];
        opened.push(clock.now() - NOW);
        places.push(`${url.search} ${new Headers(headers).get("last-event-id") ?? ""}`.trim());
        if (connection instanceof Error) throw connection;
        if (connection instanceof Response) return connection;
        const body = bodyOf(connection, signal as AbortSignal);
        return new Response(body, { headers: { "Content-Type": "text/event-stream; charset=utf-8" } });
      },
    },
  });
  const stream = vigil.datasets.streamDatasetChanges(params, {
    signal: aborter.signal,
    onReconnect: ({ error, waitMs }) => losses.push(`${error?.message ?? "ended"} ${waitMs}`),
    ...options,
  });
  const ended = (async () => {
    for await (const received of stream) {
      events.push(received);
      if (events.length >= eventsMax) return;
    }
  })();
  // A test that expects a rejection may await it later. Until then, the rejection must not count as unhandled.
  ended.catch(() => undefined);
  const turn = async (): Promise<void> => {
    for (let turns = 0; turns < 10; turns += 1) await new Promise((resolve) => setImmediate(resolve));
  };
  return {
    opened,
    places,
    losses,
    events,
    ended,
    closed: () => closed,
    positions: () => events.map(({ position }) => position),
    async pass(ms: number): Promise<void> {
      await turn();
      for (let passed = 0; passed < ms; passed += SECOND_MS / 2) {
        clock.advance(SECOND_MS / 2);
        await turn();
      }
    },
    async abort(): Promise<void> {
      await turn();
      aborter.abort(new Error("enough"));
      await expect(ended).rejects.toThrow("enough");
    },
  };
}

const lost = new TypeError("fetch failed");
const busy = (headers = {}): Response => json({ message: "Too many open streams" }, { status: 429, headers });

describe("a stream of changes", () => {
  test("a stream yields an event with a cursor at its start, at each change, and when a snapshot is required", async () => {
    const ready = 'id: 9\nevent: ready\ndata: {"position":9,"pollState":"SNAPSHOT_REQUIRED","nextCursor":"c9"}\n\n';
    const required = 'id: 10\nevent: snapshot_required\ndata: {"position":10,"nextCursor":"c10"}\n\n';
    const stream = following([[`: heartbeat\n\n${ready}${event(10)}${required}`]], { eventsMax: 3 });
    await stream.ended;
    const change = { position: 10, nextCursor: "c10" };
    expect(stream.events).toEqual([
      expect.objectContaining({ type: "ready", position: 9, cursor: "c9", isSnapshotRequired: true }),
      { type: "change", position: 10, cursor: "c10", event: "dataset.changed", data: change, change },
      expect.objectContaining({ type: "snapshotRequired", position: 10, cursor: "c10", event: "snapshot_required" }),
    ]);
    expect(stream.closed()).toBe(1);
  });

  test("a stream reconnects after the delay in `retry`, and continues after the last event", async () => {
    const stream = following(
      [[`retry: 2000\n\n${event(1)}${event(2)}`], [event(3), "id: 4\ndata", BREAK], [event(4), HANG]],
      { params: { cursor: "c0", state: ["ok", "stale"] } },
    );
    await stream.pass(10 * SECOND_MS);
    expect(stream.positions()).toEqual([1, 2, 3, 4]);
    expect(stream.places).toEqual([
      "?cursor=c0&state=ok&state=stale",
      "?state=ok&state=stale 2",
      "?state=ok&state=stale 3",
    ]);
    expect(stream.opened).toEqual([0, 2_000, 4_000]);
    expect(stream.losses).toEqual(["ended 2000", "the connection to http://vigil.example broke 2000"]);
    await stream.abort();
    expect(stream.closed()).toBe(3);
  });

  test("a stream begins after the position that the caller sets", async () => {
    const stream = following([[event(8)]], { options: { lastEventId: 7 }, eventsMax: 1 });
    await stream.ended;
    expect(stream.places).toEqual(["7"]);
  });

  test("a stream treats thirty seconds without a byte as a lost connection", async () => {
    const stream = following([[event(1), HANG]]);
    await stream.pass(29 * SECOND_MS);
    expect(stream.opened).toEqual([0]);
    await stream.pass(5 * SECOND_MS);
    expect(stream.opened).toEqual([0, 33_000]);
    expect(stream.losses).toEqual(["nothing came for 30 s 3000"]);
    await stream.abort();
  });

  test("a stream waits longer after each consecutive failure, up to 30 seconds; an event resets the wait", async () => {
    const down = Array.from({ length: 6 }, () => lost);
    const stream = following([[event(1)], ...down, [event(2)], [HANG]]);
    await stream.pass(140 * SECOND_MS);
    const waits = stream.opened.slice(1).map((at, index) => at - (stream.opened[index] ?? 0));
    expect(waits).toEqual([3_000, 6_000, 12_000, 24_000, 30_000, 30_000, 30_000, 3_000]);
    await stream.abort();
  });

  test("a stream waits for the time in Retry-After after a 429", async () => {
    const stream = following([busy({ "Retry-After": "20" }), busy(), [HANG]]);
    await stream.pass(30 * SECOND_MS);
    expect(stream.opened).toEqual([0, 20_000, 26_000]);
    expect(stream.losses[0]).toMatch(/answered 429: Too many open streams 20000$/);
    await stream.abort();
  });

  test.each([
    ["retry: 1\n\n", 500],
    ["retry: 900000\n\n", 30_000],
  ])("a stream limits the delay in `retry` to the range from 0.5 to 30 seconds: %j", async (text, waitMs) => {
    const stream = following([[text], [HANG]]);
    await stream.pass(40 * SECOND_MS);
    expect(stream.opened[1]).toBe(waitMs);
    await stream.abort();
  });

  test("a stream closes its connection when the caller leaves the loop", async () => {
    const stream = following([[event(1) + event(2) + event(3), HANG]], { eventsMax: 2 });
    await stream.ended;
    expect([stream.positions(), stream.closed(), stream.opened]).toEqual([[1, 2], 1, [0]]);
  });

  test.each([
    [json({ error: "gone", code: "SNAPSHOT_REQUIRED" }, { status: 410 }), GoneError],
    [json({ error: "This key lacks the scope read" }, { status: 403 }), ForbiddenError],
    [new Response("<html>"), MalformedAnswerError],
    [new Response(null, { status: 204 }), MalformedAnswerError],
  ])("a stream throws an error that would recur on another attempt", async (refusal, family) => {
    const stream = following([[event(1)], refusal]);
    await stream.pass(5 * SECOND_MS);
    await expect(stream.ended).rejects.toBeInstanceOf(family);
  });

  test("a stream throws if nothing answers the first attempt", async () => {
    await expect(following([lost]).ended).rejects.toBeInstanceOf(ConnectionError);
  });

  test.each(["", "<html>", "null", "[]", "{}", '{"position":"7"}'].map((data) => `event: x\ndata: ${data}\n\n`))(
    "a stream throws for an event that a Vigil service would not send: %j",
    async (text) => {
      await expect(following([[text]]).ended).rejects.toBeInstanceOf(MalformedAnswerError);
    },
  );

  test("a stream throws for an endless line", async () => {
    const endless = Array.from({ length: 30 }, () => "x".repeat(50_000));
    await expect(following([endless]).ended).rejects.toBeInstanceOf(MalformedAnswerError);
  });

  test("an abort during a wait ends the stream with the signal's reason, without a reconnection", async () => {
    const stream = following([[event(1)]]);
    await stream.abort();
    expect(stream.opened).toEqual([0]);
  });
});

import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { eventStreamParser, type ReceivedEvent } from "./event-stream.js";

const LIMIT = 10_000;
const encoder = new TextEncoder();

/** Parses a stream that arrives in chunks of these sizes. After the last size, the sizes start again from the first. */
function eventsOf(text: string, sizes: readonly number[] = [1_000_000]): readonly ReceivedEvent[] {
  const parser = eventStreamParser(LIMIT);
  const bytes = encoder.encode(text);
  const events: ReceivedEvent[] = [];
  for (let from = 0, turn = 0; from < bytes.length; turn += 1) {
    const size = sizes[turn % sizes.length] ?? 1;
    events.push(...parser.push(bytes.subarray(from, from + size)));
    from += size;
  }
  return events;
}

const of = (data: string, event = "message", lastEventId = ""): ReceivedEvent => ({ event, data, lastEventId });

describe("the parser of event streams", () => {
  test.each([
    ["an event with all fields", "id: 7\nevent: add\ndata: one\n\n", [of("one", "add", "7")]],
    ["an event without a name", "data: one\n\n", [of("one")]],
    ["data of several lines", "data: one\ndata:\ndata: two\n\n", [of("one\n\ntwo")]],
    ["a field without a colon", "data\n\n", [of("")]],
    ["values, dropping only one space after the colon", "data:  one\n\ndata:two\n\n", [of(" one"), of("two")]],
    ["colons in a value", "data: a: b\n\n", [of("a: b")]],
    ["events, ignoring comments", ": heartbeat\n\ndata: one\n: note\n\n:\n\n", [of("one")]],
    ["events, ignoring unknown fields", "colour: red\ndata: one\n\n", [of("one")]],
    ["events, dropping one without data", "event: add\nid: 3\n\ndata: one\n\n", [of("one", "message", "3")]],
    [
      "an id that later events keep",
      "id: 3\ndata: a\n\ndata: b\n\nid\ndata: c\n\n",
      [of("a", "message", "3"), of("b", "message", "3"), of("c")],
    ],
    [
      "events, ignoring an id with NUL",
      "id: 3\ndata: a\n\nid: 4\0\ndata: b\n\n",
      [of("a", "message", "3"), of("b", "message", "3")],
    ],
    ["events, dropping an unfinished one at the end", "data: one\n\ndata: two\n", [of("one")]],
    ["CRLF", "data: one\r\ndata: two\r\n\r\ndata: three\r\n\r\n", [of("one\ntwo"), of("three")]],
    ["CR", "data: one\rdata: two\r\rdata: three\r\r", [of("one\ntwo"), of("three")]],
    ["mixed line ends", "data: one\r\n\ndata: two\n\r\ndata: three\r\r\n", [of("one"), of("two"), of("three")]],
    ["a byte order mark at the start", "\ufeffdata: one\n\n", [of("one")]],
    ["events, ignoring a field that begins with a byte order mark", "data: one\n\n\ufeffdata: two\n\n", [of("one")]],
    ["characters of several bytes", "data: Zoë 株 🌍\n\n", [of("Zoë 株 🌍")]],
  ] as const)("the parser reads %s, however the stream is cut", (_, text, events) => {
    expect(eventsOf(text)).toEqual(events);
    for (const size of [1, 2, 3, 5]) expect(eventsOf(text, [size])).toEqual(events);
  });

  test("the parser reads the same events from any cut of any stream", () => {
    const piece = fc.constantFrom(
      "data",
      "id",
      "event",
      "retry",
      ":",
      " ",
      "\r",
      "\n",
      "\r\n",
      "\n\n",
      "ë",
      "🌍",
      "7",
      "\0",
      "a",
    );
    const sizes = fc.array(fc.integer({ min: 1, max: 9 }), { minLength: 1 });
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 80 }), sizes, (pieces, cut) => {
        const text = pieces.join("");
        expect(eventsOf(text, cut)).toEqual(eventsOf(text));
        // All line ends are equivalent: CRLF and CR mean the same as LF.
        expect(eventsOf(text.replaceAll(/\r\n|\r/g, "\n"))).toEqual(eventsOf(text));
      }),
    );
  });

  test.each([
    ["retry: 2600\n", 2600],
    ["retry: 0\n", 0],
    ["retry: 10\nretry: 1e3\n", 10],
    ["retry: -1\n", undefined],
    ["retry: 5 s\n", undefined],
    ["retry:\n", undefined],
  ])("the parser accepts only digits as the delay: %j", (text, retryMs) => {
    const parser = eventStreamParser(LIMIT);
    parser.push(encoder.encode(text));
    expect(parser.retryMs).toBe(retryMs);
  });

  test("the parser refuses an overlong line or event before it is complete", () => {
    const endless = eventStreamParser(LIMIT);
    const chunk = encoder.encode("x".repeat(LIMIT / 2));
    endless.push(chunk);
    endless.push(chunk);
    expect(() => endless.push(chunk)).toThrow(/exceeds 10000 characters in one line/);
    const large = eventStreamParser(LIMIT);
    const line = encoder.encode(`data: ${"x".repeat(LIMIT / 2)}\n`);
    large.push(line);
    expect(() => large.push(line)).toThrow(/exceeds 10000 characters in one event/);
  });
});

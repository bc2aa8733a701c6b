/** One event of a stream of server-sent events. */
export interface ReceivedEvent {
  /** The name of the event; `message` if the stream does not name it. */
  readonly event: string;
  readonly data: string;
  /** The newest id that the stream has sent so far; empty before the first. */
  readonly lastEventId: string;
}

export interface EventStreamParser {
  /**
   * Parses the next bytes, which may end anywhere, and returns the events that they complete, in order. Throws if a
   * line or the data of an event exceeds the parser's maximum number of characters.
   */
  push(bytes: Uint8Array): readonly ReceivedEvent[];
  /** The newest reconnection delay that the stream has sent, ms; undefined before the first. */
  readonly retryMs: number | undefined;
}

/**
 * Creates a parser of server-sent events (https://html.spec.whatwg.org/multipage/server-sent-events.html, section
 * 9.2.6). A line and the data of an event each have at most `charactersMax` characters, so a stream without line breaks
 * cannot exhaust memory. If the stream ends within an event, the parser never returns that event.
 */
export function eventStreamParser(charactersMax: number): EventStreamParser {
  const decoder = new TextDecoder();
  let line = "";
  let isAfterReturn = false;
  let event = "";
  let data: string[] = [];
  let dataCharacters = 0;
  let lastEventId = "";
  let retryMs: number | undefined;

  function readField(name: string, value: string): void {
    if (name === "event") event = value;
    else if (name === "data") {
      dataCharacters += value.length + 1;
      if (dataCharacters > charactersMax) throw tooLong("event", charactersMax);
      data.push(value);
    } else if (name === "id") {
      if (!value.includes("\0")) lastEventId = value;
    } else if (name === "retry" && /^\d+$/.test(value)) retryMs = Number(value);
  }

  /** Reads a whole line; returns the event that an empty line completes. */
  function readLine(text: string): ReceivedEvent | undefined {
    if (text !== "") {
      const colon = text.indexOf(":");
      if (colon === -1) readField(text, "");
      else if (colon > 0) readField(text.slice(0, colon), text.slice(colon + (text[colon + 1] === " " ? 2 : 1)));
      return undefined;
    }
    const completed =
      data.length === 0 ? undefined : { event: event === "" ? "message" : event, data: data.join("\n"), lastEventId };
    event = "";
    data = [];
    dataCharacters = 0;
    return completed;
  }

  return {
    get retryMs() {
      return retryMs;
    },
    push(bytes) {
      const text = decoder.decode(bytes, { stream: true });
      const events: ReceivedEvent[] = [];
      let from = 0;
      for (const { index, 0: ending } of text.matchAll(/[\r\n]/g)) {
        const isSecondHalf = ending === "\n" && isAfterReturn && index === from && line === "";
        isAfterReturn = ending === "\r";
        if (!isSecondHalf) {
          const completed = readLine(withinLimit(line + text.slice(from, index)));
          if (completed !== undefined) events.push(completed);
          line = "";
        }
        from = index + 1;
      }
      if (from < text.length) isAfterReturn = false;
      line = withinLimit(line + text.slice(from));
      return events;
    },
  };

  function withinLimit(text: string): string {
    if (text.length > charactersMax) throw tooLong("line", charactersMax);
    return text;
  }
}

function tooLong(what: string, charactersMax: number): Error {
  return new Error(`the event stream exceeds ${charactersMax} characters in one ${what}`);
}

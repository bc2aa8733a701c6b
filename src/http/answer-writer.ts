import type { IncomingMessage, ServerResponse } from "node:http";
import { SECOND_MS, systemClock } from "../kit/clock.js";
import type { IdentifiedAnswer, Prepared } from "./exchange.js";
import { httpDateText } from "./http-date.js";
import { baseHeaders } from "./prepared-answer.js";

/** The text of a head, which Node buffers until the first bytes of the body are sent. */
interface HeadHolder {
  _header?: string | null;
}

const DATE = "Date: ";
/** Length of an HTTP date (RFC 9110, 5.6.7) with the end of its line. */
const DATE_CHARS = "Sun, 06 Nov 1994 08:49:37 GMT\r\n".length;

/**
 * Sends answers through Node's responses. A prepared head (the status line and the headers) is passed to Node as text,
 * because `writeHead` would validate and format every header again. Node itself writes the first head. The text of that
 * head shows how Node ends a head, and whether Node buffers heads as this writer expects. If not, Node writes every
 * head. Node also writes the heads on connections that close or use HTTP/1.0.
 */
export class AnswerWriter {
  private readonly now: () => number;
  /**
   * The lines that Node writes after the date in a head on a kept-alive connection. Undefined before the first head,
   * null if the lines are unusable.
   */
  private ending: string | null | undefined = undefined;
  private dateSecond = Number.NaN;
  private dateLine = "";

  constructor(now: () => number = systemClock.now) {
    this.now = now;
  }

  write(request: IncomingMessage, response: ServerResponse, answer: IdentifiedAnswer): void {
    const { prepared } = answer;
    if (prepared === undefined || this.ending === null || !staysOpen(request, response)) {
      writeByNode(request, response, answer);
    } else if (this.ending === undefined) {
      writeByNode(request, response, answer);
      this.ending = endingOf(response, prepared.head + liveLines(answer));
    } else {
      this.writePrepared(request, response, answer, prepared, this.ending);
    }
  }

  private writePrepared(
    request: IncomingMessage,
    response: ServerResponse & HeadHolder,
    answer: IdentifiedAnswer,
    { head, text }: Prepared,
    ending: string,
  ): void {
    const whole = head + liveLines(answer) + this.currentDateLine() + ending;
    const isBodySent = request.method !== "HEAD";
    response.statusCode = answer.status;
    if (isBodySent && text !== undefined) {
      response._header = whole + text;
      response.end();
    } else {
      response._header = whole;
      response.end(isBodySent ? answer.body : undefined);
    }
  }

  private currentDateLine(): string {
    const now = this.now();
    const second = Math.floor(now / SECOND_MS);
    if (second !== this.dateSecond) {
      this.dateSecond = second;
      this.dateLine = `${DATE}${httpDateText(now)}\r\n`;
    }
    return this.dateLine;
  }
}

/** Returns true for a kept-alive connection of HTTP/1.1, whose heads all end alike. */
function staysOpen({ httpVersion }: IncomingMessage, { shouldKeepAlive }: ServerResponse): boolean {
  return shouldKeepAlive && httpVersion === "1.1";
}

/** The lines that Node wrote after the date of this head; null if the buffered text differs from the expected one. */
function endingOf(response: ServerResponse & HeadHolder, beginning: string): string | null {
  const header = response._header;
  const isWritable = Object.getOwnPropertyDescriptor(response, "_header")?.writable === true;
  if (!isWritable || typeof header !== "string" || !header.startsWith(beginning + DATE)) return null;
  const ending = header.slice(beginning.length + DATE.length + DATE_CHARS);
  return /^(?:[^\r\n]+\r\n)*\r\n$/.test(ending) ? ending : null;
}

/** The headers of this one response as lines. Their values come from the service itself, so they are not checked. */
function liveLines({ requestId, limitLines }: IdentifiedAnswer): string {
  return `X-Request-Id: ${requestId}\r\n${limitLines}`;
}

function writeByNode(
  { method }: IncomingMessage,
  response: ServerResponse,
  { status, headers, body, follow, requestId, limitHeaders }: IdentifiedAnswer,
): void {
  const live = Object.entries({ "X-Request-Id": requestId, ...limitHeaders });
  const head = [...Object.entries({ ...baseHeaders, ...headers }), ...live].flat();
  if (body !== undefined && !("Content-Length" in headers)) {
    head.push("Content-Length", String(Buffer.byteLength(body)));
  }
  response.writeHead(status, head);
  if (follow === undefined) response.end(method === "HEAD" ? undefined : body);
  else response.flushHeaders();
}

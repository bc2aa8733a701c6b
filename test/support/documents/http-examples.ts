import { expect } from "vitest";
import type { Answer } from "../../../src/http/exchange.js";
import { json, type Stack } from "../stack.js";

/** A request in a page of docs/, with the answer that the page promises. */
interface HttpExample {
  readonly target: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly status: number;
  /** The headers that the page shows; the answer may have others. */
  readonly answerHeaders: Readonly<Record<string, string>>;
  readonly body: unknown;
}

/** Parses a block that consists of a request, an empty line and the answer. */
function exampleIn(block: string): HttpExample {
  const [request = "", head = "", ...rest] = block.trim().split("\n\n");
  const [requestLine = "", ...headers] = request.split("\n");
  const [statusLine = "", ...answerHeaders] = head.split("\n");
  const body = rest.join("\n\n");
  const shownHeaders = headersIn(answerHeaders);
  const type = shownHeaders["Content-Type"];
  const isParsed = type === undefined ? /^[{["\d]/.test(body) : isJson(type);
  return {
    target: requestLine.replace(/^GET /, ""),
    headers: headersIn(headers.map((line) => line.replace(/^[^:]+/, (name) => name.toLowerCase()))),
    status: Number.parseInt(statusLine.replace(/^HTTP\/1\.1 /, ""), 10),
    answerHeaders: shownHeaders,
    body: body === "" ? undefined : isParsed ? JSON.parse(body) : body,
  };
}

/** True for a media type whose bodies consist of one JSON value. */
function isJson(contentType: string): boolean {
  return /^[a-z]+\/(?:[a-z-]+\+)?json\b/.test(contentType);
}

function headersIn(lines: readonly string[]): Readonly<Record<string, string>> {
  return Object.fromEntries(lines.map((line) => line.split(/: (.*)/, 2)));
}

/**
 * Sends the request of a block with the owner's key, and compares the answer with the one in the block. If `isExcerpt`,
 * the block may lack members of the answer.
 */
export async function expectExample(stack: Stack, code: string, isExcerpt: boolean): Promise<void> {
  const example = exampleIn(code);
  const key = { "x-service-key": stack.service.access.ownerKey.key ?? "" };
  const answer = await stack.get(example.target, { ...key, ...example.headers });
  const shown = Object.keys(example.answerHeaders).map((name) => [name, answer.headers[name]]);
  const body = example.body === undefined ? undefined : bodyOf(answer);
  const received = { status: answer.status, headers: Object.fromEntries(shown), body };
  const promised = { status: example.status, headers: example.answerHeaders, body: example.body };
  if (isExcerpt) expect(received).toMatchObject(promised);
  else expect(received).toEqual(promised);
}

/** The value of a JSON body, or a text with each CRLF replaced by a line feed. */
function bodyOf(answer: Answer): unknown {
  return isJson(answer.headers["Content-Type"] ?? "")
    ? json(answer)
    : String(answer.body).trim().replaceAll("\r\n", "\n");
}

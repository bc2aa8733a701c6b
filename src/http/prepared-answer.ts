import { isAscii } from "node:buffer";
import { STATUS_CODES, validateHeaderName, validateHeaderValue } from "node:http";
import type { Answer } from "./exchange.js";

/**
 * Maximum size of a body that is sent as text. Node encodes up to 16 KB without allocating, and the difference leaves
 * room for the head.
 */
export const TEXT_BYTES_MAX = 14_000;

/**
 * Creates an answer whose head is serialised in advance. Like `writeHead`, throws for an invalid header name or value.
 */
export function preparedAnswer(status: number, headers: Answer["headers"], body: Buffer | undefined): Answer {
  const isSmall = body !== undefined && body.byteLength <= TEXT_BYTES_MAX && isAscii(body);
  const text = isSmall ? body.toString("latin1") : undefined;
  return { status, headers, body, prepared: { head: headText(status, headers), text } };
}

/** The same answer with other headers. The two answers share the body. */
export function withOtherHeaders({ status, body, prepared }: Answer, headers: Answer["headers"]): Answer {
  if (prepared === undefined) return { status, headers, body };
  return { status, headers, body, prepared: { head: headText(status, headers), text: prepared.text } };
}

function headText(status: number, headers: Answer["headers"]): string {
  const lines = Object.entries({ ...baseHeaders, ...headers }).map(([name, value]) => {
    validateHeaderName(name);
    validateHeaderValue(name, value);
    return `${name}: ${value}\r\n`;
  });
  // Joined into one flat string, which is cheap to copy.
  return [`HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\n`, ...lines].join("");
}

/** Headers of every answer. */
export const baseHeaders = { "X-Content-Type-Options": "nosniff" } as const;

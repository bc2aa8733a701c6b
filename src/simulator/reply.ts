import { createHash } from "node:crypto";
import type { IncomingHttpHeaders, ServerResponse } from "node:http";
import { encoded } from "./encoding.js";
import type { SimulatedAnswer } from "./upstream.js";

/** An answer ready for the wire. */
export interface Reply {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Buffer;
}

/** Returns the reply with its validators, or a 304 if the request's conditional headers match. */
export function replyTo(headers: IncomingHttpHeaders, answer: SimulatedAnswer): Reply {
  const body = bytesOf(answer);
  const validators = validatorsOf(answer, body);
  if (answer.status === 200 && isUnchanged(headers, validators)) {
    return { status: 304, headers: validators, body: Buffer.alloc(0) };
  }
  return {
    status: answer.status,
    headers: { "Content-Type": answer.contentType, ...answer.headers, ...validators },
    body,
  };
}

function bytesOf({ body, encoding }: SimulatedAnswer): Buffer {
  return typeof body === "string" && encoding !== undefined ? encoded(body, encoding) : Buffer.from(body);
}

export function textReply(status: number, text: string): Reply {
  return { status, headers: { "Content-Type": "text/plain; charset=utf-8" }, body: Buffer.from(`${text}\n`) };
}

export function jsonReply(status: number, value: unknown): Reply {
  return { status, headers: { "Content-Type": "application/json" }, body: Buffer.from(JSON.stringify(value)) };
}

/** Sends the whole reply. `now` determines the `Date` header, because the simulator's clock is not the machine's. */
export function send(response: ServerResponse, reply: Reply, now: number): void {
  const bodiless = reply.status === 204 || reply.status === 304;
  writeHead(response, reply, now, bodiless ? {} : { "Content-Length": String(reply.body.length) });
  response.end(bodiless ? undefined : reply.body);
}

/** Sends the headers and a share of the body, but never the last byte of the body, then closes the connection. */
export function sendCut(
  response: ServerResponse,
  reply: Reply,
  now: number,
  cut: { readonly afterRatio: number; readonly framing?: "length" | "chunked" },
): void {
  const length = Math.min(Math.floor(reply.body.length * cut.afterRatio), reply.body.length - 1);
  writeHead(response, reply, now, cut.framing === "chunked" ? {} : { "Content-Length": String(reply.body.length) });
  response.flushHeaders();
  const close = (): void => void response.socket?.destroy();
  if (length > 0) response.write(reply.body.subarray(0, length), close);
  else response.socket?.write("", close);
}

function writeHead(
  response: ServerResponse,
  reply: Reply,
  now: number,
  framing: Readonly<Record<string, string>>,
): void {
  response.writeHead(reply.status, { Date: new Date(now).toUTCString(), ...reply.headers, ...framing });
}

function validatorsOf(answer: SimulatedAnswer, body: Buffer): Readonly<Record<string, string>> {
  const modified = answer.lastModifiedAt;
  return {
    ...(answer.etag === true && { ETag: `"${createHash("sha256").update(body).digest("base64url").slice(0, 27)}"` }),
    ...(modified !== undefined && { "Last-Modified": new Date(modified).toUTCString() }),
  };
}

/** True if the client's copy is current. If-None-Match takes precedence over If-Modified-Since (RFC 9110 §13.2.2). */
function isUnchanged(headers: IncomingHttpHeaders, validators: Readonly<Record<string, string>>): boolean {
  const { ETag: etag, "Last-Modified": modified } = validators;
  const noneMatch = headers["if-none-match"];
  if (noneMatch !== undefined) return etag !== undefined && listsTag(noneMatch, etag);
  const since = Date.parse(headers["if-modified-since"] ?? "");
  return modified !== undefined && Date.parse(modified) <= since;
}

function listsTag(list: string, etag: string): boolean {
  return list.split(",").some((tag) => tag.trim() === "*" || tag.trim().replace(/^W\//, "") === etag);
}

import { createServer, type IncomingMessage, type ServerResponse, STATUS_CODES } from "node:http";
import { type AddressInfo, Server as NetServer, type Socket } from "node:net";
import { failure } from "../contract/failures.js";
import type { LoopTurns } from "../kit/loop-turns.js";
import { AnswerWriter } from "./answer-writer.js";
import { type ConnectionLimits, connectionLimitsDefault, limitConnections } from "./connection-limits.js";
import type { Call, IdentifiedAnswer } from "./exchange.js";
import { GatheredSends } from "./gathered-sends.js";
import { HeldRefusals } from "./held-refusals.js";
import type { Pipeline } from "./pipeline.js";
import { lostPeers } from "./streams/lost-peers.js";
import { handOver } from "./streams/outlet.js";

export interface HttpServer {
  /** Listens, and returns the address that callers use. */
  listen(host: string, port: number): Promise<string>;
  /** Asks callers to end their connections. New connections are still accepted. */
  drain(): void;
  /**
   * Stops accepting connections, lets running calls finish, and resolves when all connections are closed. An idle
   * connection has `idleMs` to send one more call, whose answer asks the caller to close the connection. After
   * `idleMs`, the calls that are still running have another `CALLS_MS_MAX` to finish.
   */
  close(idleMs?: number): Promise<void>;
}

/**
 * Maximum number of new connections that wait in the kernel. If more clients connect simultaneously, the kernel drops
 * the excess connections, and those clients try again after one, three and seven seconds. Linux caps this number at
 * `net.core.somaxconn`.
 */
const BACKLOG = 4_096;
/** Interval of the check for requests that do not arrive in time. */
const REQUESTS_CHECKED_EVERY_MS = 5_000;
/** Time that a caller has to read the refusal of its request. */
const REFUSED_MS_MAX = 2_000;
/** Longest time for calls to finish when the server closes. */
const CALLS_MS_MAX = 30_000;
/** Longest time for the head of a request to arrive. */
const HEAD_MS_MAX = 10_000;
/**
 * Maximum size of a request's head: room for two thousand characters of any script, escaped to nine or twelve bytes
 * each, and for the longest JMESPath expression.
 */
const HEAD_BYTES_MAX = 32 * 1024;
/**
 * Time for which an idle connection is kept open. Longer than the idle time of common load balancers, so that they
 * close idle connections before this server does.
 */
const KEEP_ALIVE_MS = 72_000;

const idleTurns = { hasWork: false, cede: () => undefined };

/**
 * Serves the pipeline over HTTP. The pipeline does all routing, parsing and serialising, so no framework is needed. A
 * body is read only when a step asks for it; Node discards any other body. `label` is sent with answers that refuse a
 * request before the pipeline sees it. While `turns` has work, answers are sent one by one. Otherwise, ready answers
 * may be sent together at the end of the turn of the event loop.
 */
export function httpServer(
  answer: Pipeline,
  label: Readonly<Record<string, string>> = {},
  limits: ConnectionLimits = connectionLimitsDefault,
  turns: Pick<LoopTurns, "hasWork" | "cede"> = idleTurns,
): HttpServer {
  const options = {
    requestTimeout: limits.requestMs,
    headersTimeout: Math.min(limits.requestMs, HEAD_MS_MAX),
    connectionsCheckingInterval: Math.min(limits.requestMs, REQUESTS_CHECKED_EVERY_MS),
    keepAliveTimeout: KEEP_ALIVE_MS,
    maxHeaderSize: HEAD_BYTES_MAX,
    // `lacksHost` replaces Node's check of the host header, because Node's refusal has neither a body nor a label.
    requireHostHeader: false,
  };
  const writer = new AnswerWriter();
  const peers = lostPeers();
  const gathered = new GatheredSends({ isTurnBusy: () => turns.hasWork });
  const refusals = new HeldRefusals({ heldMax: limits.max / 2 });
  let isClosing = false;
  const server = createServer(options, (request, response) => {
    if (lacksHost(request)) {
      refuseRequest(response, 400, label);
      return;
    }
    const { socket } = request;
    connections.began(socket);
    const send = (ready: IdentifiedAnswer): void => {
      // A kept-alive connection would delay the closing of the server. The connection of a stream is not kept alive
      // either, because the stream may end while the server closes.
      if (isClosing || ready.follow !== undefined) response.shouldKeepAlive = false;
      writer.write(request, response, ready);
      if (ready.follow !== undefined) {
        response.once("close", () => connections.ended(socket));
        handOver(request, response, { follow: ready.follow, peers });
      } else connections.ended(socket);
    };
    const sendSettled = (settled: IdentifiedAnswer): void => {
      // A pipelined response has no socket until the response before it has been sent. A refusal that already waits for
      // that response is not held back by `refusals` as well.
      if (!settled.isShed || isClosing || response.socket === null) {
        send(settled);
        return;
      }
      // Discards the body, which would otherwise be kept in memory until the refusal is sent.
      request.resume();
      refusals.add(() => send(settled));
    };
    const answered = answer(new HttpCall(request, response));
    // A ready answer is written in the same turn of the event loop in which its request was parsed.
    if (answered instanceof Promise) answered.then(sendSettled).catch(() => response.destroy());
    else if (answered.isShed) sendSettled(answered);
    else gathered.add(() => send(answered), answered.body?.length ?? 0);
  });
  const connections = limitConnections(server, limits);
  server.on("connection", (socket) => {
    if (!socket.destroyed) turns.cede();
  });
  server.on("clientError", (error: NodeJS.ErrnoException, socket: Socket) => refuse(error, socket, label));
  server.on("checkExpectation", (_request, response) => refuseRequest(response, 417, label));
  return {
    listen: (host, port) =>
      new Promise((resolve, reject) => {
        server.once("error", reject);
        server.listen({ port, host, backlog: BACKLOG }, () => {
          server.off("error", reject);
          // The cast is safe, because the address of a listening TCP server is an object with a port.
          resolve(urlOf(server.address() as AddressInfo));
        });
      }),
    drain() {
      isClosing = true;
      refusals.sendAll();
    },
    async close(idleMs = 0) {
      isClosing = true;
      refusals.sendAll();
      const closed = new Promise<void>((resolve, reject) => {
        const settle = (error?: Error): void => (error ? reject(error) : resolve());
        // The HTTP server's own `close` would close idle connections immediately, even if a call is arriving on one.
        if (idleMs > 0) NetServer.prototype.close.call(server, settle);
        else server.close(settle);
      });
      const idle = setTimeout(() => server.closeIdleConnections(), idleMs);
      const late = setTimeout(() => server.closeAllConnections(), idleMs + CALLS_MS_MAX);
      try {
        await closed;
      } finally {
        clearTimeout(idle);
        clearTimeout(late);
      }
    },
  };
}

/** The path and query of a target in absolute form, as sent by clients of proxies (RFC 9112, 3.2.2). */
function originForm(target: string): string {
  const [authority = ""] = /^https?:\/\/[^/?#]*/i.exec(target) ?? [];
  const path = target.slice(authority.length);
  return authority !== "" && !path.startsWith("/") ? `/${path}` : path;
}

/**
 * A request over HTTP. This is a class, because a getter in an object literal would give every request its own hidden
 * class.
 */
class HttpCall implements Call {
  private readonly request: IncomingMessage;
  private readonly response: ServerResponse;
  private gone: AbortController | undefined = undefined;

  constructor(request: IncomingMessage, response: ServerResponse) {
    this.request = request;
    this.response = response;
  }

  get method(): string {
    return this.request.method ?? "GET";
  }

  get target(): string {
    const target = this.request.url ?? "/";
    return target.startsWith("/") ? target : originForm(target);
  }

  get remoteAddress(): string {
    return this.request.socket.remoteAddress ?? "";
  }

  header(name: string): string | undefined {
    const value = this.request.headers[name];
    return (Array.isArray(value) ? value[0] : value) || undefined;
  }

  hasHeader(name: string): boolean {
    return name in this.request.headers;
  }

  body(bytesMax: number): Promise<Buffer> {
    return bodyOf(this.request, bytesMax);
  }

  /** Created at first use, because few calls need it and a listener costs time. */
  get signal(): AbortSignal {
    if (this.gone) return this.gone.signal;
    const { request, response } = this;
    const controller = new AbortController();
    this.gone = controller;
    const leave = (): void => {
      if (!response.writableFinished) controller.abort(new Error("the caller went away"));
    };
    if (response.closed || request.socket.destroyed) leave();
    else response.once("close", leave);
    return controller.signal;
  }
}

/** Reads a body. Throws the 413, and stops reading, as soon as the body is too large. */
async function bodyOf(request: IncomingMessage, bytesMax: number): Promise<Buffer> {
  if (Number(request.headers["content-length"]) > bytesMax) throw failure("payloadTooLarge", null);
  const chunks: Buffer[] = [];
  let bytes = 0;
  // The request is not destroyed, because the refusal must still be sent while the rest of the body arrives.
  for await (const chunk of request.iterator({ destroyOnReturn: false }) as AsyncIterable<Buffer>) {
    bytes += chunk.byteLength;
    if (bytes > bytesMax) throw failure("payloadTooLarge", null);
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}

/** True for an HTTP/1.1 request without a host, which a server must refuse (RFC 9112, 3.2). */
function lacksHost({ httpVersion, headers }: IncomingMessage): boolean {
  return httpVersion === "1.1" && headers.host === undefined;
}

interface Refusal {
  readonly sentence: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

/** A refusal that is sent before the pipeline runs, in the form of every other error. It closes the connection. */
function refusalOf(status: number, label: Readonly<Record<string, string>>): Refusal {
  const sentence = STATUS_CODES[status] ?? "Bad Request";
  const body = JSON.stringify({ message: sentence });
  const headers = {
    "Content-Type": "application/json; charset=utf-8",
    "Content-Length": String(body.length),
    "Cache-Control": "no-store",
    "X-Content-Type-Options": "nosniff",
    Connection: "close",
    ...label,
  };
  return { sentence, headers, body };
}

/** Refuses a request whose head could be read. */
function refuseRequest(response: ServerResponse, status: number, label: Readonly<Record<string, string>>): void {
  const { headers, body } = refusalOf(status, label);
  response.writeHead(status, headers);
  response.end(body);
}

const refusedStatuses: Readonly<Record<string, number>> = { HPE_HEADER_OVERFLOW: 431, ERR_HTTP_REQUEST_TIMEOUT: 408 };

/** Refuses bytes that are not HTTP, heads that are too large, and requests that do not arrive in time. */
function refuse(error: NodeJS.ErrnoException, socket: Socket, label: Readonly<Record<string, string>>): void {
  if (error.code === "ECONNRESET" || !socket.writable) {
    socket.destroy();
    return;
  }
  const status = refusedStatuses[error.code ?? ""] ?? 400;
  const { sentence, headers, body } = refusalOf(status, label);
  // The timer ends the connection of a caller that neither reads the refusal nor closes its side.
  const late = setTimeout(() => socket.destroy(), REFUSED_MS_MAX);
  socket.once("close", () => clearTimeout(late));
  const head = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`);
  socket.end(`HTTP/1.1 ${status} ${sentence}\r\n${head.join("")}\r\n${body}`);
}

/** An address that is reachable from this machine; wildcards become loopback. */
function urlOf({ address, family, port }: AddressInfo): string {
  const host = address === "0.0.0.0" ? "127.0.0.1" : address === "::" ? "::1" : address;
  return `http://${family === "IPv6" ? `[${host}]` : host}:${port}`;
}

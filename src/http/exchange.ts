import type { Principal } from "../contract/access/principal.js";
import type { RegisteredAccountRead } from "../contract/account-read.js";
import type { RegisteredLinkedFeed } from "../contract/linked-feed.js";
import type { RegisteredOperation } from "../contract/operation.js";
import type { RegisteredStream } from "../contract/stream.js";
import type { RegisteredWrite } from "../contract/write.js";
import { type HeadLines, headersIn } from "../kit/head-lines.js";
import type { Charged } from "./call-limits.js";
import type { Question } from "./data-answer/question.js";

/** One request in the pipeline, independent of its transport. */
export interface Call {
  readonly method: string;
  /** Raw path and query. */
  readonly target: string;
  /** A request header by its lower-case name; undefined when absent or empty. */
  header(name: string): string | undefined;
  /** True for a header that was sent, even if it is empty. */
  hasHeader(name: string): boolean;
  readonly remoteAddress: string;
  /** Reads the body. Throws `payloadTooLarge` if a caller sent more than `bytesMax` bytes; an `OwnCall` ignores it. */
  body(bytesMax: number): Promise<Buffer>;
  /** Aborted when the caller disconnects. */
  readonly signal?: AbortSignal | undefined;
  /** For an item of a batch: the batch's caller, whose credential was already checked. */
  readonly batchedFor?: Principal | undefined;
}

/** The head of an answer that is sent many times. It is validated and serialised only once. */
export interface Prepared {
  /** Status line and headers, without the lines that differ between responses. */
  readonly head: string;
  /** A small ASCII body, which is sent in one piece with its head. */
  readonly text: string | undefined;
}

/** The connection of a stream. */
export interface Outlet {
  /** Sends text. Returns false when the send buffer is full; `drained` is called when it has emptied. */
  send(text: string): boolean;
  end(): void;
}

/** Notifications about the connection of a stream. */
export interface OutletEvents {
  drained(): void;
  /** Called exactly once, when either side has closed the connection, even if it closed before it was handed over. */
  closed(): void;
}

/** Takes over the connection after the head of the answer has been sent. */
export type Follow = (outlet: Outlet) => OutletEvents;

/** An answer to a call. Must not be modified, because an answer that is sent many times is a shared object. */
export interface Answer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Buffer | string | undefined;
  /** Absent if the answer is sent only once. */
  readonly prepared?: Prepared | undefined;
  /** For a stream: takes over the connection once the head has been sent. Absent from all other answers. */
  readonly follow?: Follow | undefined;
}

/** An answer with its call's request id, which is logged and sent as `X-Request-Id`. */
export class IdentifiedAnswer implements Answer {
  readonly status: number;
  readonly headers: Answer["headers"];
  readonly body: Answer["body"];
  readonly prepared: Prepared | undefined;
  readonly follow: Follow | undefined;
  readonly requestId: string;
  /** Rate-limit header lines for this response, including the caller's remaining units. */
  readonly limitLines: HeadLines;
  /** True if the call was refused because the service is overloaded. */
  readonly isShed: boolean;

  constructor(
    { status, headers, body, prepared, follow }: Answer,
    requestId: string,
    limitLines: HeadLines,
    isShed = false,
  ) {
    this.status = status;
    this.headers = headers;
    this.body = body;
    this.prepared = prepared;
    this.follow = follow;
    this.requestId = requestId;
    this.limitLines = limitLines;
    this.isShed = isShed;
  }

  /** The headers of `limitLines` by name. */
  get limitHeaders(): Readonly<Record<string, string>> {
    return headersIn(this.limitLines);
  }
}

/** A GET path that is not declared by a service, such as health, documents and the console. */
export interface PlatformRoute {
  readonly kind: "platform";
  readonly path: string;
  /** True if this call needs no credential. */
  isOpen(exchange: Exchange): boolean;
  answer(exchange: Exchange): Answer | Promise<Answer>;
}

export interface OperationRoute {
  readonly kind: "operation";
  readonly path: string;
  readonly registered: RegisteredOperation;
}

/** The path of a write: POST and, if the write has a page, GET. */
export interface WriteRoute {
  readonly kind: "write";
  readonly path: string;
  readonly registered: RegisteredWrite;
}

/** A GET path that reads the caller's account. */
export interface AccountReadRoute {
  readonly kind: "account-read";
  readonly path: string;
  readonly registered: RegisteredAccountRead;
}

/** A GET path that answers with a stream. */
export interface StreamRoute {
  readonly kind: "stream";
  readonly path: string;
  readonly registered: RegisteredStream;
}

/** A GET path of a feed that is open to anyone who has its link. */
export interface LinkedFeedRoute {
  readonly kind: "linked-feed";
  readonly path: string;
  readonly registered: RegisteredLinkedFeed;
}

/** A POST path for MCP messages. The service answers a message by calling its own API. */
export interface MessageRoute {
  readonly kind: "message";
  readonly path: string;
  /** `bytes` is the message. */
  answer(exchange: Exchange, bytes: Buffer): Promise<Answer>;
}

export type Route =
  | PlatformRoute
  | OperationRoute
  | AccountReadRoute
  | StreamRoute
  | LinkedFeedRoute
  | WriteRoute
  | MessageRoute;

/** A parsed request target. */
export interface Target {
  /** The path without the query. A trailing slash is removed, but only one. */
  readonly path: string;
  /** The text after the first `?`, undecoded. */
  readonly search: string;
  readonly route: Route | undefined;
  /** The parsed query, if it is still in memory from an earlier call to the same target. */
  readonly question: Question | undefined;
}

/** The state of a call, filled in by the steps of the pipeline in their order. */
export interface Exchange extends Target {
  readonly call: Call;
  readonly requestId: string;
  /**
   * Headers that any answer to this call gets: `X-Vigil-Data` if the data is simulated and, once the origin step has
   * run, the CORS headers.
   */
  cors: Readonly<Record<string, string>>;
  /** Set by the credential step. */
  principal: Principal | undefined;
  /** Set by the limits step. */
  charged: Charged | undefined;
  /** True once the call has been refused under overload. */
  isShed: boolean;
}

/** Parses a request target. */
export function targetOf(text: string, routeOf: (path: string) => Route | undefined): Target {
  const at = text.indexOf("?");
  const raw = at < 0 ? text : text.slice(0, at);
  const path = raw.length > 1 && raw.endsWith("/") ? raw.slice(0, -1) : raw;
  return { path, search: at < 0 ? "" : text.slice(at + 1), route: routeOf(path), question: undefined };
}

/** The exchange of a call before its first step. */
export function exchangeOf(call: Call, requestId: string, target: Target): Exchange {
  const { path, search, route, question } = target;
  return {
    call,
    requestId,
    path,
    search,
    route,
    question,
    cors: {},
    principal: undefined,
    charged: undefined,
    isShed: false,
  };
}

/** Builds a JSON answer with `Cache-Control: no-store`. */
export function jsonAnswer(status: number, body: unknown, headers: Readonly<Record<string, string>> = {}): Answer {
  return {
    status,
    headers: { "Content-Type": "application/json; charset=utf-8", "Cache-Control": "no-store", ...headers },
    body: JSON.stringify(body),
  };
}

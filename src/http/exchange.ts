import type { Principal } from "../access/authenticator.js";
import type { Route } from "./routes.js";

/** One request as the pipeline sees it, whatever carried it. */
export interface Call {
  readonly method: string;
  /** Path and query as they came. */
  readonly target: string;
  /** A request header by its lower-case name; undefined when absent or empty. */
  header(name: string): string | undefined;
  readonly remoteAddress: string;
}

/** One answer. Equal headers may be one shared object, so they are never changed. */
export interface Answer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Buffer | string | undefined;
}

/** An answer with the id that finds its call in the log; sent as `X-Request-Id`. */
export interface IdentifiedAnswer extends Answer {
  readonly requestId: string;
}

/** What the steps of the pipeline learn about a call, in their order. */
export interface Exchange {
  readonly call: Call;
  readonly requestId: string;
  /** Without query and one trailing slash. */
  readonly path: string;
  /** Behind the first `?`, undecoded. */
  readonly search: string;
  readonly route: Route | undefined;
  /** Set by the origin step. */
  cors: Readonly<Record<string, string>>;
  /** Set by the credential step. */
  principal: Principal | undefined;
}

/** The exchange of a call before its first step. */
export function exchangeOf(call: Call, requestId: string, routeOf: (path: string) => Route | undefined): Exchange {
  const at = call.target.indexOf("?");
  const raw = at < 0 ? call.target : call.target.slice(0, at);
  const path = raw.length > 1 && raw.endsWith("/") ? raw.slice(0, -1) : raw;
  const search = at < 0 ? "" : call.target.slice(at + 1);
  return { call, requestId, path, search, route: routeOf(path), cors: {}, principal: undefined };
}

/** A JSON answer that no cache may keep. */
export function jsonAnswer(status: number, body: unknown, headers: Readonly<Record<string, string>> = {}): Answer {
  return {
    status,
    headers: { "Content-Type": "application/json; charset=utf-8", "Cache-Control": "no-store", ...headers },
    body: JSON.stringify(body),
  };
}

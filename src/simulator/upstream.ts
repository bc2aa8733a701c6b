import type { IncomingHttpHeaders } from "node:http";
import type { Clock } from "../kit/clock.js";
import type { Encoding } from "./encoding.js";

/**
 * A request to a simulated upstream. An answer must depend only on the members of the request, which include the clock
 * and the seed.
 */
export interface SimulatedRequest {
  /** The address as the upstream would see it, `https://<host>/<path>?<query>`. */
  readonly url: URL;
  readonly headers: IncomingHttpHeaders;
  /** Text of the request's body; empty for GET. */
  readonly body: string;
  readonly clock: Clock;
  readonly seed: number;
}

export interface SimulatedAnswer {
  readonly status: number;
  readonly contentType: string;
  readonly body: string | Uint8Array;
  /** The encoding of the body; UTF-8 if absent. */
  readonly encoding?: Encoding;
  readonly headers?: Readonly<Record<string, string>>;
  /** True if this upstream sends a strong ETag of the body and honours If-None-Match. */
  readonly etag?: boolean;
  /** Epoch ms of Last-Modified, if this upstream sends it and honours If-Modified-Since. */
  readonly lastModifiedAt?: number;
}

/** Rewrites a healthy body into a broken one that looks healthy to the transport. */
export interface BodyVariants {
  /** Well-formed, but with other field names. */
  readonly changed: (body: string) => string;
  /** Well-formed, but without rows. */
  readonly empty: (body: string) => string;
  /** One row in the middle is invalid; all others are unchanged. */
  readonly badRow: (body: string) => string;
}

export interface SimulatedRoute {
  readonly host: string;
  /** Exact path, or everything below a folder if it ends in `/*`. */
  readonly path: string;
  /** Default: only GET. HEAD is always answered like GET. */
  readonly methods?: readonly ("GET" | "POST")[];
  readonly handle: (request: SimulatedRequest) => SimulatedAnswer;
  readonly variants: BodyVariants;
}

export interface SimulatedUpstream {
  /** Short name for faults and logs. */
  readonly name: string;
  readonly routes: readonly SimulatedRoute[];
  /** Keys that this upstream accepts, by the name of the setting that holds the real key. The demo uses these keys. */
  readonly credentials?: Readonly<Record<string, string>>;
}

/**
 * Returns the definition unchanged, with its type. Each file in a service's `simulated/` folder calls this function and
 * exports the result as `upstream`.
 */
export function simulatedUpstream(definition: SimulatedUpstream): SimulatedUpstream {
  return definition;
}

/** Rewrites the middle match of the global `pattern` in `text`, if there is a match. For `badRow` variants. */
export function rewriteMiddle(text: string, pattern: RegExp, rewrite: (match: string) => string): string {
  const matches = [...text.matchAll(pattern)];
  const middle = matches[Math.floor(matches.length / 2)];
  if (middle === undefined) return text;
  const end = middle.index + middle[0].length;
  return text.slice(0, middle.index) + rewrite(middle[0]) + text.slice(end);
}

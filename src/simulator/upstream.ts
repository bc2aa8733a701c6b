import type { IncomingHttpHeaders } from "node:http";
import type { Clock } from "../kit/clock.js";
import type { Encoding } from "./encoding.js";

/** What a simulated upstream is told about a request. Answers must depend on nothing else. */
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
  /** What the text of the body is sent in; UTF-8 when absent. */
  readonly encoding?: Encoding;
  readonly headers?: Readonly<Record<string, string>>;
  /** Send a strong ETag of the body and honour If-None-Match, as this upstream does. */
  readonly etag?: boolean;
  /** Send Last-Modified (epoch ms) and honour If-Modified-Since, as this upstream does. */
  readonly lastModifiedAt?: number;
}

/** A healthy body turned into a broken one that the transport cannot tell from the healthy. */
export interface BodyVariants {
  /** Well-formed, but with other names for the same things. */
  readonly changed: (body: string) => string;
  /** Well-formed, but without a single row. */
  readonly empty: (body: string) => string;
  /** One row in the middle made nonsense, all others untouched. */
  readonly badRow: (body: string) => string;
}

export interface SimulatedRoute {
  readonly host: string;
  /** Exact path, or everything below a folder when it ends in `/*`. */
  readonly path: string;
  /** Default GET alone; HEAD is always answered like GET. */
  readonly methods?: readonly ("GET" | "POST")[];
  readonly handle: (request: SimulatedRequest) => SimulatedAnswer;
  readonly variants: BodyVariants;
}

export interface SimulatedUpstream {
  /** Short name for faults and logs. */
  readonly name: string;
  readonly routes: readonly SimulatedRoute[];
  /** Keys that this upstream takes, by the setting that holds the real one; the demo is run with them. */
  readonly credentials?: Readonly<Record<string, string>>;
}

/** The definition unchanged; gives a file in the folder `simulated/` of a service its type. Each exports it as `upstream`. */
export function simulatedUpstream(definition: SimulatedUpstream): SimulatedUpstream {
  return definition;
}

/** `text` with the middle match of the global `pattern` rewritten; unchanged without a match. For `badRow` variants. */
export function rewriteMiddle(text: string, pattern: RegExp, rewrite: (match: string) => string): string {
  const matches = [...text.matchAll(pattern)];
  const middle = matches[Math.floor(matches.length / 2)];
  if (middle === undefined) return text;
  const end = middle.index + middle[0].length;
  return text.slice(0, middle.index) + rewrite(middle[0]) + text.slice(end);
}

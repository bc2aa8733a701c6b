import type { SourceRequest } from "../contract/source.js";
import type { Validators } from "./wire.js";

export interface UpstreamAnswer {
  /** The address that the source named, without secrets. */
  readonly url: string;
  /** The address that was asked instead, without secrets, when addresses are rewritten. */
  readonly via: string | undefined;
  /** 206 only for a request that asked for a range. */
  readonly status: 200 | 206 | 304;
  readonly notModified: boolean;
  /** Decompressed body; empty when not modified. */
  readonly bytes: Buffer;
  readonly contentType: string | undefined;
  /** Of a 304 that names none: the one that was sent. */
  readonly etag: string | undefined;
  readonly lastModified: string | undefined;
  /** Hex, of `bytes`. */
  readonly sha256: string;
  /** Epoch ms, when the last byte had come. */
  readonly fetchedAt: number;
  /** Connect to last byte over all redirects; waiting for the host's turn is not counted. */
  readonly durationMs: number;
  /** The answer said `X-Vigil-Simulated`. */
  readonly simulated: boolean;
}

export interface UpstreamCall {
  readonly signal?: AbortSignal;
  /** Validators of an earlier answer, for a 304 if nothing changed. */
  readonly validators?: Validators;
}

export interface UpstreamClient {
  /** The answer to a source's request. Throws `SourceFailure` "unavailable" for everything but 200, 206 and 304. */
  fetch(request: SourceRequest, call?: UpstreamCall): Promise<UpstreamAnswer>;
  /** Ends all connections; calls under way fail. */
  close(): Promise<void>;
}

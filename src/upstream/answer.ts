import type { SourceRequest } from "../contract/source.js";
import type { Validators } from "./wire.js";

/** Largest accepted body after decompression, unless its request declares another limit. */
export const ANSWER_BYTES_MAX = 32 * 1024 * 1024;

export interface UpstreamAnswer {
  /** The address that the source requested, without secrets. */
  readonly url: string;
  /** The rewritten address, without secrets; absent if addresses are not rewritten. */
  readonly via: string | undefined;
  /** 206 only in answer to a range request. */
  readonly status: 200 | 206 | 304;
  readonly notModified: boolean;
  /** Decompressed body; empty when not modified. */
  readonly bytes: Buffer;
  readonly contentType: string | undefined;
  /** For a 304 that lacks `etag` or `lastModified`, the value that the request sent. */
  readonly etag: string | undefined;
  readonly lastModified: string | undefined;
  /** SHA-256 of `bytes`, hex. */
  readonly sha256: string;
  /** Time of the last byte, epoch ms. */
  readonly fetchedAt: number;
  /** Time from connecting to the last byte, over all redirects, without the wait for the call's turn at the host. */
  readonly durationMs: number;
  /** True if the answer has `X-Vigil-Simulated`. */
  readonly simulated: boolean;
}

export interface UpstreamCall {
  readonly signal?: AbortSignal;
  /** Validators of an earlier answer, for a conditional request. */
  readonly validators?: Validators;
}

export interface UpstreamClient {
  /**
   * Sends a source's request, follows redirects, and returns the answer. Throws `SourceFailure` "unavailable" if no
   * complete answer arrives, or if its status is not 200, 206 (only for a range request) or 304 (only for a conditional
   * request). A 201 to a POST is treated as 200.
   */
  fetch(request: SourceRequest, call?: UpstreamCall): Promise<UpstreamAnswer>;
  /** Closes all connections; running calls fail. */
  close(): Promise<void>;
}

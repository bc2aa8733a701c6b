import type { Call } from "./exchange.js";

/** A call that the service makes on behalf of a caller while it handles another call of that caller. */
export interface OwnCallRequest {
  readonly method: "GET" | "POST";
  readonly target: string;
  /** The JSON body of a POST. */
  readonly body?: string | undefined;
  readonly idempotencyKey?: string | undefined;
}

/**
 * The headers that the new call takes from the original call: those that determine the caller's credential, origin and
 * limits, and those that describe the caller's client.
 */
const FORWARDED: ReadonlySet<string> = new Set([
  "accept-language",
  "authorization",
  "cookie",
  "origin",
  "sec-fetch-site",
  "user-agent",
  "x-api-key",
  "x-forwarded-for",
  "x-service-key",
]);

/** An in-process call that reuses the credentials and connection of the caller's original call. */
export class OwnCall implements Call {
  readonly method: string;
  readonly target: string;
  private readonly outer: Call;
  private readonly headers: ReadonlyMap<string, string>;
  private readonly bytes: Buffer;

  constructor(outer: Call, { method, target, body, idempotencyKey }: OwnCallRequest) {
    this.outer = outer;
    this.method = method;
    this.target = target;
    this.bytes = Buffer.from(body ?? "");
    this.headers = new Map([
      ...(body === undefined ? [] : [["content-type", "application/json"] as const]),
      ...(idempotencyKey === undefined ? [] : [["idempotency-key", idempotencyKey] as const]),
    ]);
  }

  get remoteAddress(): string {
    return this.outer.remoteAddress;
  }

  get signal(): AbortSignal | undefined {
    return this.outer.signal;
  }

  header(name: string): string | undefined {
    return FORWARDED.has(name) ? this.outer.header(name) : this.headers.get(name);
  }

  hasHeader(name: string): boolean {
    return FORWARDED.has(name) ? this.outer.hasHeader(name) : this.headers.has(name);
  }

  async body(): Promise<Buffer> {
    return this.bytes;
  }
}

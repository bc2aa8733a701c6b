import { once } from "node:events";
import { createServer, type IncomingMessage, type RequestListener, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { afterEach } from "vitest";
import type { SourceRequest } from "../../contract/source.js";
import { type ManualClock, manualClock } from "../../kit/manual-clock.js";
import type { UpstreamClient } from "../answer.js";
import { createUpstreamClient, type UpstreamOptions } from "../client.js";

type Closing = () => Promise<unknown> | unknown;
const closings: Closing[] = [];

afterEach(async () => {
  for (const close of closings.splice(0).reverse()) await close();
});

/** Runs `close` after the test. */
export function afterTest(close: Closing): void {
  closings.push(close);
}

export interface LocalServer {
  readonly server: Server;
  readonly port: number;
  /** Origin under a name that the test client resolves to this machine. */
  origin(hostname?: string): string;
  /** Every request so far, oldest first. */
  readonly requests: readonly IncomingMessage[];
}

/** Starts a real HTTP server on a free port of 127.0.0.1. It is closed after the test. */
export async function serve(listener: RequestListener): Promise<LocalServer> {
  const requests: IncomingMessage[] = [];
  const server = createServer((request, response) => {
    requests.push(request);
    listener(request, response);
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  afterTest(() => {
    server.closeAllConnections();
    server.close();
  });
  // The cast is safe, because a TCP listener's address is never the name of a pipe.
  const { port } = server.address() as AddressInfo;
  return { server, port, requests, origin: (hostname = "feeds.test") => `http://${hostname}:${port}` };
}

/** Starts a server that gives every request the same answer. */
export function serveAlways(
  status: number,
  headers: Readonly<Record<string, string>> = {},
  body: string | Buffer = "",
): Promise<LocalServer> {
  return serve((_request, response) => void response.writeHead(status, headers).end(body));
}

/**
 * Creates a client that resolves every name to 127.0.0.1 and may request these origins. It is closed after the test.
 */
export function localClient(
  origins: readonly string[],
  options: Partial<UpstreamOptions> = {},
): { readonly client: UpstreamClient; readonly clock: ManualClock } {
  const clock = manualClock(Date.UTC(2026, 10, 21, 12));
  const client = createUpstreamClient({
    clock,
    userAgent: "vigil-test/1.0 (+https://example.org)",
    acceptSimulated: false,
    allowPrivate: origins,
    resolve: async () => [{ address: "127.0.0.1", family: 4 }],
    ...options,
  });
  afterTest(() => client.close());
  return { client, clock };
}

export function requestTo(url: string, more: Partial<SourceRequest> = {}): SourceRequest {
  return { key: "test", url, ...more };
}

/** Creates the promise `happened`. It resolves when `tell` is called, for example by a test's server. */
export function signalled(): { readonly happened: Promise<void>; readonly tell: () => void } {
  let tell: () => void = () => undefined;
  const happened = new Promise<void>((resolve) => {
    tell = resolve;
  });
  return { happened, tell };
}

/** Creates a listener that sends no answer. It adds each response to `waiting`, and the test sends the answers. */
export function heldAnswers(): { readonly listener: RequestListener; readonly waiting: ServerResponse[] } {
  const waiting: ServerResponse[] = [];
  return { waiting, listener: (_request, response) => void waiting.push(response) };
}

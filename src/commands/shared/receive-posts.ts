import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import type { PostReceiver } from "../../contract/service-command.js";
import { type Clock, SECOND_MS } from "../../kit/clock.js";
import { OperatorError } from "../../kit/operator-error.js";

const BODY_BYTES_MAX = 1_000_000;
const REQUEST_MS_MAX = 30 * SECOND_MS;
const CONNECTIONS_MAX = 100;

/** Receives POSTs until the signal aborts. Throws `OperatorError` if the address cannot be used. */
export async function receivePosts(
  receiver: PostReceiver,
  { now }: Pick<Clock, "now">,
  signal: AbortSignal,
): Promise<void> {
  const { host, port } = receiver;
  const limits = { requestTimeout: REQUEST_MS_MAX, headersTimeout: REQUEST_MS_MAX };
  let fail: (error: unknown) => void = () => undefined;
  const failed = new Promise<never>((_, reject) => {
    fail = reject;
  });
  const server = createServer(limits, (request, response) => {
    answer(receiver, now, request, response).catch(fail);
  });
  server.maxConnections = CONNECTIONS_MAX;
  const listening = new Promise<void>((resolve) => server.listen(port, host, resolve));
  server.once("error", (error: NodeJS.ErrnoException) => fail(addressError(error, `${host}:${port}`)));
  const stopped = new Promise<void>((resolve) => {
    if (signal.aborted) resolve();
    signal.addEventListener("abort", () => resolve(), { once: true });
  });
  try {
    await Promise.race([listening, failed]);
    receiver.onListening(originOf(server.address() as AddressInfo));
    await Promise.race([stopped, failed]);
  } finally {
    server.close();
    server.closeAllConnections();
  }
}

async function answer(
  { onPost }: PostReceiver,
  now: () => number,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  if (request.method !== "POST") {
    response.writeHead(405, { Allow: "POST" }).end();
    return;
  }
  const body = await bodyOf(request);
  // The caller disconnected before its request was complete.
  if (body === "incomplete") return;
  const { headers } = request;
  const status = onPost({ headers, body: body === "too large" ? undefined : body.toString("utf8"), receivedAt: now() });
  // The rest of a large body is not read, so the connection cannot be used again.
  response.writeHead(status, body === "too large" ? { Connection: "close" } : {}).end();
}

async function bodyOf(request: IncomingMessage): Promise<Buffer | "too large" | "incomplete"> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  try {
    for await (const chunk of request.iterator({ destroyOnReturn: false }) as AsyncIterable<Buffer>) {
      bytes += chunk.length;
      if (bytes > BODY_BYTES_MAX) return "too large";
      chunks.push(chunk);
    }
  } catch {
    return "incomplete";
  }
  return Buffer.concat(chunks);
}

function originOf({ address, port, family }: AddressInfo): string {
  return `http://${family === "IPv6" ? `[${address}]` : address}:${port}`;
}

function addressError(error: NodeJS.ErrnoException, address: string): OperatorError {
  const reason = error.code === "EADDRINUSE" ? "is in use by another program" : `cannot be used (${error.code})`;
  return new OperatorError(`${address} ${reason}; choose another --host or --port`, { cause: error });
}

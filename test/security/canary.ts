import { once } from "node:events";
import { createServer, type IncomingMessage, type RequestListener } from "node:http";
import type { AddressInfo } from "node:net";

/** A server on this machine, with every request that it has received. */
export interface Canary {
  readonly origin: string;
  readonly requests: readonly IncomingMessage[];
  close(): void;
}

/**
 * Starts a server on this machine. Without a listener, it is an internal server that the service must not call. With a
 * listener, it is a hostile server that the service calls.
 */
export async function openCanary(
  listener: RequestListener = (_request, response) => response.end("internal"),
): Promise<Canary> {
  const requests: IncomingMessage[] = [];
  const server = createServer((request, response) => {
    requests.push(request);
    listener(request, response);
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  // The address of a TCP listener is always an object, never the name of a pipe.
  const { port } = server.address() as AddressInfo;
  return {
    origin: `http://127.0.0.1:${port}`,
    requests,
    close() {
      server.closeAllConnections();
      server.close();
    },
  };
}

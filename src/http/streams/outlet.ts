import type { IncomingMessage, ServerResponse } from "node:http";
import type { Follow } from "../exchange.js";
import type { LostPeers } from "./lost-peers.js";

/** Hands the connection of a response to its event stream. Call it after the head of the response has been sent. */
export function handOver(
  { socket }: IncomingMessage,
  response: ServerResponse,
  { follow, peers }: { readonly follow: Follow; readonly peers: LostPeers },
): void {
  peers.watch(socket);
  // Nagle's algorithm would hold back an event until the caller has acknowledged the event before it.
  socket.setNoDelay(true);
  let isClosed = false;
  const events = follow({
    send: (text) => response.write(text),
    end: () => response.end(),
  });
  response.on("drain", () => events.drained());
  const close = (): void => {
    if (isClosed) return;
    isClosed = true;
    events.closed();
  };
  response.once("close", close);
  // A response that was closed while its answer was being prepared has already emitted `close`, and will not emit it
  // again.
  if (response.closed || response.destroyed) close();
}

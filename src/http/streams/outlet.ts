import type { IncomingMessage, ServerResponse } from "node:http";
import { SECOND_MS } from "../../kit/clock.js";
import type { Follow } from "../exchange.js";

/**
 * Idle time after which the kernel probes whether the caller still has the connection; a caller that was restarted
 * refuses the probe. Probes do not find a caller that vanished: they end with the next heartbeat, whose retransmissions
 * Linux gives up after 15 minutes (`net.ipv4.tcp_retries2`). Node.js has no such limit for a single connection.
 */
const PROBED_AFTER_MS = 4 * SECOND_MS;

/** Hands the connection of a response whose head was sent to its stream. */
export function handOver({ socket }: IncomingMessage, response: ServerResponse, follow: Follow): void {
  socket.setKeepAlive(true, PROBED_AFTER_MS);
  // Events are written one by one and must not wait for each other.
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
  // A response that closed while its answer was prepared emits no further event.
  if (response.closed || response.destroyed) close();
}

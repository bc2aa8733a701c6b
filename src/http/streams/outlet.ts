import type { IncomingMessage, ServerResponse } from "node:http";
import { SECOND_MS } from "../../kit/clock.js";
import type { Follow } from "../exchange.js";

/**
 * Idle time after which the kernel asks whether the caller is still there, every second and ten times. A caller that has
 * gone without a word is noticed before the next heartbeat.
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

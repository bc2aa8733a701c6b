/** Returns the text of a server-sent event. `data` must be JSON without line breaks. */
export function eventText(event: string, position: number, data: string): string {
  return `id: ${position}\nevent: ${event}\ndata: ${data}\n\n`;
}

/** A comment, which clients ignore. It keeps clients and proxies from closing the connection as idle. */
export const HEARTBEAT = ": heartbeat\n\n";

/** Returns the text that sets the delay after which a client connects again. */
export function retryText(afterMs: number): string {
  return `retry: ${afterMs}\n\n`;
}

import type { IncomingMessage } from "node:http";

export const BODY_BYTES_MAX = 16 * 1_024;

/**
 * Reads the body as text; undefined if it is too long. The rest of a body that is too long is read but not stored, so
 * that the client receives the refusal.
 */
export async function readBody(request: IncomingMessage): Promise<string | undefined> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of request as AsyncIterable<Buffer>) {
    bytes += chunk.length;
    if (bytes <= BODY_BYTES_MAX) chunks.push(chunk);
  }
  return bytes > BODY_BYTES_MAX ? undefined : Buffer.concat(chunks).toString("utf8");
}

/**
 * Returns the upstream address of a request target: `/<host>/<path>?<query>` → `https://<host>/<path>?<query>`.
 * Undefined if the first segment is not a host.
 */
export function upstreamUrlOf(target: string): URL | undefined {
  const host = /^\/([a-z0-9][a-z0-9.-]*\.[a-z]{2,}(?::\d{1,5})?)(?:[/?]|$)/i.exec(target);
  const address = `https://${target.slice(1)}`;
  return host !== null && URL.canParse(address) ? new URL(address) : undefined;
}

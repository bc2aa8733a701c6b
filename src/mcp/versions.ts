import { isMembers, RpcError, type RpcRequest } from "./json-rpc.js";

/** The modern protocol version: every request states the protocol version that it uses. */
const MODERN = "2026-07-28";
/** Protocol versions whose clients begin with `initialize`, newest first. */
const LEGACY: readonly string[] = ["2025-11-25", "2025-06-18"];

export const supportedVersions: readonly string[] = [MODERN, ...LEGACY];

const VERSION_MEMBER = "io.modelcontextprotocol/protocolVersion";
const CAPABILITIES_MEMBER = "io.modelcontextprotocol/clientCapabilities";

type HeaderOf = (name: string) => string | undefined;

/** True for a request in the modern protocol version. Throws if the request's version or headers are not acceptable. */
export function isModern(request: RpcRequest, header: HeaderOf): boolean {
  const meta = isMembers(request.params["_meta"]) ? request.params["_meta"] : {};
  const named = header("mcp-protocol-version");
  const requested = meta[VERSION_MEMBER];
  if (requested === undefined && named !== MODERN) {
    if (named !== undefined && !LEGACY.includes(named) && request.method !== "initialize") throw unsupported(named);
    return false;
  }
  if (requested !== undefined && requested !== MODERN) throw unsupported(requested);
  if (requested === undefined || !isMembers(meta[CAPABILITIES_MEMBER])) {
    throw new RpcError("invalidParams", `_meta must have ${VERSION_MEMBER} and ${CAPABILITIES_MEMBER}`, 400);
  }
  checkHeaders(request, header);
  return true;
}

function unsupported(requested: unknown): RpcError {
  const detail = { supported: supportedVersions, requested };
  return new RpcError("unsupportedVersion", "Unsupported protocol version", 400, detail);
}

/** For each method, the member of the parameters that the header `Mcp-Name` repeats. */
const nameMembers: ReadonlyMap<string, string> = new Map([
  ["tools/call", "name"],
  ["resources/read", "uri"],
]);

/**
 * Checks that each header equals the member of the body that it repeats. Proxies read these headers instead of the
 * body.
 */
function checkHeaders({ method, params }: RpcRequest, header: HeaderOf): void {
  const member = nameMembers.get(method);
  const expected: readonly (readonly [name: string, value: unknown])[] = [
    ["MCP-Protocol-Version", MODERN],
    ["Mcp-Method", method],
    ...(member === undefined ? [] : [["Mcp-Name", params[member]] as const]),
  ];
  for (const [name, value] of expected) {
    const sent = header(name.toLowerCase());
    if (sent === undefined || decoded(sent) !== value) {
      throw new RpcError("headerMismatch", `Header mismatch: ${name} must equal the value in the body`, 400);
    }
  }
}

/** Decodes a header value, which is in Base64 if it is not plain ASCII. */
function decoded(value: string): string {
  const [, base64] = /^=\?base64\?([A-Za-z0-9+/=]*)\?=$/.exec(value) ?? [];
  return base64 === undefined ? value : Buffer.from(base64, "base64").toString("utf8");
}

/** Builds the headers that repeat members of a request. The bridge adds them, because its client sends no headers. */
export function headersFor({ method, params }: RpcRequest): Readonly<Record<string, string>> {
  const meta = isMembers(params["_meta"]) ? params["_meta"] : {};
  const version = meta[VERSION_MEMBER];
  if (typeof version !== "string") return {};
  const name = params[nameMembers.get(method) ?? ""];
  return {
    "MCP-Protocol-Version": encoded(version),
    "Mcp-Method": encoded(method),
    ...(typeof name === "string" && { "Mcp-Name": encoded(name) }),
  };
}

/** Encodes a string as a header value: unchanged if it is visible ASCII, otherwise in Base64. */
function encoded(value: string): string {
  const isPlain = /^[\x21-\x7e](?:[\x20-\x7e]*[\x21-\x7e])?$/.test(value) && !value.startsWith("=?base64?");
  return isPlain ? value : `=?base64?${Buffer.from(value).toString("base64")}?=`;
}

/**
 * Chooses the version for a client that starts with `initialize`: the requested version if it is in `LEGACY`, otherwise
 * the newest in `LEGACY`.
 */
export function negotiated(requested: unknown): string {
  return LEGACY.find((version) => version === requested) ?? LEGACY[0] ?? MODERN;
}

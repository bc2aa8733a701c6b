/** Error codes of JSON-RPC 2.0 and of the Model Context Protocol. */
export const rpcCodes = {
  parseError: -32_700,
  invalidRequest: -32_600,
  methodNotFound: -32_601,
  invalidParams: -32_602,
  internal: -32_603,
  resourceNotFound: -32_002,
  headerMismatch: -32_020,
  unsupportedVersion: -32_022,
} as const;

/** A protocol error. Errors of tools are returned as results instead. */
export class RpcError extends Error {
  override readonly name = "RpcError";
  readonly code: number;
  /** The status of the HTTP answer. */
  readonly status: number;
  readonly detail: unknown;

  constructor(code: keyof typeof rpcCodes, message: string, status = 200, detail?: unknown) {
    super(message);
    this.code = rpcCodes[code];
    this.status = status;
    this.detail = detail;
  }
}

export type Members = Readonly<Record<string, unknown>>;

/** A message that expects an answer. */
export interface RpcRequest {
  readonly id: string | number;
  readonly method: string;
  readonly params: Members;
}

export function isMembers(value: unknown): value is Members {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

const utf8 = new TextDecoder("utf-8", { fatal: true });

/** Reads a message; undefined for a notification or a response, which get no answer. */
export function rpcRequest(bytes: Uint8Array): RpcRequest | undefined {
  const message = jsonIn(bytes);
  if (!isMembers(message) || message["jsonrpc"] !== "2.0") {
    throw new RpcError("invalidRequest", "the body must be one JSON-RPC 2.0 message", 400);
  }
  const { id, method, params = {} } = message;
  if (typeof method !== "string") {
    if ("result" in message || "error" in message) return undefined;
    throw new RpcError("invalidRequest", "method must be a string", 400);
  }
  if (!("id" in message)) return undefined;
  if (typeof id !== "string" && !Number.isSafeInteger(id)) {
    throw new RpcError("invalidRequest", "id must be a string or a whole number", 400);
  }
  if (!isMembers(params)) throw new RpcError("invalidRequest", "params must be an object", 400);
  return { id: id as string | number, method, params };
}

function jsonIn(bytes: Uint8Array): unknown {
  try {
    return JSON.parse(utf8.decode(bytes));
  } catch {
    throw new RpcError("parseError", "the body must be JSON in UTF-8", 400);
  }
}

/** Builds the message for an error. The message has no id if the request could not be read. */
export function errorMessage(id: string | number | undefined, { code, message, detail }: RpcError): object {
  const error = { code, message, ...(detail !== undefined && { data: detail }) };
  return { jsonrpc: "2.0", ...(id !== undefined && { id }), error };
}
